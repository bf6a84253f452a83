// The compiler's way into canonical form; see canonical.cc for what that is.
#ifndef DISTBENCH_CONFIG_CANONICAL_H_
#define DISTBENCH_CONFIG_CANONICAL_H_

namespace distbench {

class DistributedSystemDescription;
class Reporter;

void CanonicalizeTest(DistributedSystemDescription& config, Reporter& report);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_CANONICAL_H_
