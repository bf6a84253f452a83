#include "distbench/base/free_memory.h"

#include <malloc.h>

namespace distbench {

void ReturnFreeMemory() { malloc_trim(0); }

}  // namespace distbench
