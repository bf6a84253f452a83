// ConfigMutator: damages test sequences at random, from a seed, as text, as bytes, and as messages.
#ifndef DISTBENCH_TESTING_MODEL_CONFIG_MUTATOR_H_
#define DISTBENCH_TESTING_MODEL_CONFIG_MUTATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "distbench/testing/model/dice.h"
#include "google/protobuf/message.h"

namespace distbench::model {

class ConfigMutator {
 public:
  explicit ConfigMutator(uint64_t seed) : dice_(seed) {}

  // One or two values are replaced, by each other's or by strange ones.
  std::string EditValues(const std::string& text);

  // One or two words are dropped, doubled, exchanged or replaced.
  std::string EditWords(const std::string& text);

  // A few bytes are replaced, removed or added.
  std::string EditBytes(std::string bytes);

  // One to three fields are removed, or get other values of their type: their neighbours', those of
  // fields of the same name elsewhere, doubled or lost elements. The result can be read, and is
  // often right.
  void EditFields(google::protobuf::Message& message);

 private:
  // A field of one of the messages within a message.
  struct Place {
    google::protobuf::Message* message = nullptr;
    const google::protobuf::FieldDescriptor* field = nullptr;
  };

  const char* StrangeValue();
  std::string& AnyValue(std::vector<std::string>& words);
  void EditField(const std::vector<Place>& places, const Place& place);
  void EditElements(const Place& place);
  void EditSingle(const std::vector<Place>& places, const Place& place);
  void SetNumber(const Place& place);
  static void CollectPlaces(google::protobuf::Message& message, std::vector<Place>& places);

  Dice dice_;
};

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_CONFIG_MUTATOR_H_
