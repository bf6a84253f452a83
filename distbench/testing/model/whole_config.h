// WholeConfig: a test sequence, as text, in which every field of the format has its use; to be
// damaged, or read, by tests. Words are separated by single spaces or by line breaks.
#ifndef DISTBENCH_TESTING_MODEL_WHOLE_CONFIG_H_
#define DISTBENCH_TESTING_MODEL_WHOLE_CONFIG_H_

#include <string>

namespace distbench::model {

std::string WholeConfig();

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_WHOLE_CONFIG_H_
