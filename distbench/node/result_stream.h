// ResultStream: one StreamTrafficResult, from the request to the last record.
//
//   Opening --opened--> Reading --record--> Writing --written--> Reading ... --no more--> finished
//                                              '--caller gone---------------------------> finished
//
// At most one record is held at a time, whatever the caller's pace. Deletes itself when gRPC is
// done with it; the node closes the result then.
#ifndef DISTBENCH_NODE_RESULT_STREAM_H_
#define DISTBENCH_NODE_RESULT_STREAM_H_

#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "grpcpp/grpcpp.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {

class Node;

class ResultStream final : public grpc::ServerWriteReactor<ResultRecord> {
 public:
  // `node` outlives the stream.
  ResultStream(Node* node, const GetTrafficResultRequest& request);

  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  void OnOpened(const absl::StatusOr<uint64_t>& result_number);
  void AskForNext();
  void OnNext(absl::StatusOr<std::optional<ResultRecord>> record);
  void End(const absl::Status& status);

  Node* const node_;
  // One step after the other, on whatever thread it happens to be.
  std::optional<uint64_t> result_number_;  // none: not opened
  ResultRecord record_;                    // that is being written
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_RESULT_STREAM_H_
