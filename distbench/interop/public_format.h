// PublicFormat: messages as a program knows them that has the public format only.
//
// Made of the table of its fields alone, not of the generated classes, so that it is what other
// programs have. Fields of this program's own are unknown to it, as to them. Immutable,
// thread-safe.
#ifndef DISTBENCH_INTEROP_PUBLIC_FORMAT_H_
#define DISTBENCH_INTEROP_PUBLIC_FORMAT_H_

#include <memory>
#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/dynamic_message.h"
#include "google/protobuf/message.h"

namespace distbench {

class PublicFormat {
 public:
  // The one of the table, made once.
  static const PublicFormat& Get();

  // What such a program makes of the message: what it does not know has gone.
  template <typename Message>
  Message AsRead(const Message& message) const {
    Message read;
    read.ParsePartialFromString(ReadAndWrite(message));
    return read;
  }

  // Paths to what it does not know, with the numbers of the fields; none: it knows all.
  std::vector<std::string> Unknown(const google::protobuf::Message& message) const;

  // Requires: the table has the field.
  int FieldNumber(const std::string& message, const std::string& field) const;

 private:
  using Factory = google::protobuf::DynamicMessageFactory;

  PublicFormat();
  std::unique_ptr<google::protobuf::Message> Read(const google::protobuf::Message& message) const;
  std::string ReadAndWrite(const google::protobuf::Message& message) const;
  const google::protobuf::Descriptor& Find(const std::string& message) const;

  google::protobuf::DescriptorPool pool_;
  mutable Factory factory_{&pool_};  // thread-safe, though it does not say so by const
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_PUBLIC_FORMAT_H_
