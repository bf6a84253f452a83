// Buckets in few bytes: for each its distance from the one before (the first from 0) and its count,
// as varints. Usually two to three bytes a bucket.
//
// Size never lies: a bucket more, or a greater count, never makes the bytes fewer; and the bytes of
// a sum are never more than those of its parts. Pure.
#ifndef DISTBENCH_RESULTS_PACKED_BUCKETS_H_
#define DISTBENCH_RESULTS_PACKED_BUCKETS_H_

#include <string>
#include <vector>

#include "distbench/results/row_counts.h"

namespace distbench {

// Requires: `buckets` are ascending.
std::string PackBuckets(const std::vector<RowBucket>& buckets);

// Requires: `packed` is what PackBuckets made.
std::vector<RowBucket> UnpackBuckets(const std::string& packed);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_PACKED_BUCKETS_H_
