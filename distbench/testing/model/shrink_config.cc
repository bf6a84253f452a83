#include "distbench/testing/model/shrink_config.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace distbench::model {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::vector<const FieldDescriptor*> FieldsOf(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

bool HasName(const Message& message, const std::string& name) {
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName("name");
  return field != nullptr && message.GetReflection()->GetString(message, field) == name;
}

void RemoveElement(Message& message, const FieldDescriptor* field, int index) {
  const Reflection& reflection = *message.GetReflection();
  for (int i = index; i + 1 < reflection.FieldSize(message, field); ++i) {
    reflection.SwapElements(&message, field, i, i + 1);
  }
  reflection.RemoveLast(&message, field);
}

// What has this name, and every mention of it. What names a list or an RPC thus becomes a no-op.
void RemoveName(const std::string& name, Message& message) {
  const Reflection& reflection = *message.GetReflection();
  for (const FieldDescriptor* field : FieldsOf(message)) {
    const bool is_text = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (field->is_map() || !(is_text || is_message)) continue;
    if (!field->is_repeated()) {
      if (is_message) {
        RemoveName(name, *reflection.MutableMessage(&message, field));
      } else if (reflection.GetString(message, field) == name) {
        reflection.ClearField(&message, field);
      }
      continue;
    }
    for (int i = reflection.FieldSize(message, field) - 1; i >= 0; --i) {
      const bool is_named = is_text
                                ? reflection.GetRepeatedString(message, field, i) == name
                                : HasName(reflection.GetRepeatedMessage(message, field, i), name);
      if (is_named) {
        RemoveElement(message, field, i);
      } else if (is_message) {
        RemoveName(name, *reflection.MutableRepeatedMessage(&message, field, i));
      }
    }
  }
}

void CollectNames(const Message& message, std::set<std::string>& names) {
  const Reflection& reflection = *message.GetReflection();
  for (const FieldDescriptor* field : FieldsOf(message)) {
    if (field->name() == "name") names.insert(reflection.GetString(message, field));
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || !field->is_repeated()) continue;
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      CollectNames(reflection.GetRepeatedMessage(message, field, i), names);
    }
  }
}

// The small steps that lead from a message to a smaller one, in a fixed order.
class Steps {
 public:
  // Takes the one of this number.
  explicit Steps(int number) : left_(number) {}

  // False if there are not so many.
  bool Take(Message& message) {
    for (const FieldDescriptor* field : FieldsOf(message)) {
      if (field->is_repeated() ? TakeInElements(message, field) : TakeInField(message, field)) {
        return true;
      }
    }
    return false;
  }

 private:
  bool IsThisOne() { return left_-- == 0; }

  bool TakeInField(Message& message, const FieldDescriptor* field) {
    const Reflection& reflection = *message.GetReflection();
    if (IsThisOne()) {
      reflection.ClearField(&message, field);
      return true;
    }
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      return Take(*reflection.MutableMessage(&message, field));
    }
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_INT32) return false;
    const int32_t value = reflection.GetInt32(message, field);
    if (value <= 1 || !IsThisOne()) return false;
    reflection.SetInt32(&message, field, value / 2);
    return true;
  }

  bool TakeInElements(Message& message, const FieldDescriptor* field) {
    const Reflection& reflection = *message.GetReflection();
    const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    for (int i = reflection.FieldSize(message, field) - 1; i >= 0; --i) {
      if (IsThisOne()) {
        RemoveElement(message, field, i);
        return true;
      }
      if (is_message && Take(*reflection.MutableRepeatedMessage(&message, field, i))) return true;
    }
    return false;
  }

  int left_;
};

class Shrinking {
 public:
  Shrinking(DistributedSystemDescription config,
            const std::function<bool(const DistributedSystemDescription&)>& fails, int most_tries)
      : config_(std::move(config)), fails_(fails), tries_left_(most_tries) {}

  DistributedSystemDescription Run() {
    while (TryNames() || TrySteps()) {
    }
    return config_;
  }

 private:
  // True if the smaller one is the config from now on.
  bool Try(DistributedSystemDescription smaller) {
    if (tries_left_ <= 0) return false;
    --tries_left_;
    if (!fails_(smaller)) return false;
    config_ = std::move(smaller);
    return true;
  }

  bool TryNames() {
    std::set<std::string> names;
    CollectNames(config_, names);
    bool any = false;
    for (const std::string& name : names) {
      DistributedSystemDescription smaller = config_;
      RemoveName(name, smaller);
      any |= Try(std::move(smaller));
    }
    return any;
  }

  bool TrySteps() {
    bool any = false;
    for (int step = 0;;) {
      DistributedSystemDescription smaller = config_;
      if (!Steps(step).Take(smaller)) return any;
      const bool is_smaller = Try(std::move(smaller));
      any |= is_smaller;
      if (!is_smaller) ++step;
    }
  }

  DistributedSystemDescription config_;
  const std::function<bool(const DistributedSystemDescription&)>& fails_;
  int tries_left_;
};

}  // namespace

DistributedSystemDescription ShrinkConfig(
    DistributedSystemDescription config,
    const std::function<bool(const DistributedSystemDescription&)>& fails, int most_tries) {
  return Shrinking(std::move(config), fails, most_tries).Run();
}

}  // namespace distbench::model
