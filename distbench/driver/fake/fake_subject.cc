#include "distbench/driver/fake/fake_subject.h"

#include <memory>
#include <utility>

namespace distbench {

ConformanceSubjectMaker FakeSubjectMaker(std::string name, FakeTransit transit) {
  return {.name = std::move(name),
          .make = [transit] { return std::make_unique<FakeSubject>(transit); }};
}

}  // namespace distbench
