// PublicForm: a config as nodes of other programs understand it.
//
// Such nodes know none of the fields from 1000 on and would silently run another test. What the
// public fields can say is said in them; what they cannot is an error. The seed is left out: other
// programs draw as they like. So are the limits of the verdict, which concern the sequencer alone.
#ifndef DISTBENCH_SEQUENCER_PUBLIC_FORM_H_
#define DISTBENCH_SEQUENCER_PUBLIC_FORM_H_

#include "absl/status/statusor.h"

namespace distbench {

class DistributedSystemDescription;

// FAILED_PRECONDITION names all fields without a public form.
absl::StatusOr<DistributedSystemDescription> PublicForm(const DistributedSystemDescription& config);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_PUBLIC_FORM_H_
