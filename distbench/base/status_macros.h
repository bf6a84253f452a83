// Early return of errors, for functions that return absl::Status or absl::StatusOr.
#ifndef DISTBENCH_BASE_STATUS_MACROS_H_
#define DISTBENCH_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the enclosing function if `expr`, an absl::Status, is not OK.
#define RETURN_IF_ERROR(expr)                                           \
  do {                                                                  \
    if (absl::Status returned_status = (expr); !returned_status.ok()) { \
      return returned_status;                                           \
    }                                                                   \
  } while (false)

#define DISTBENCH_STATUS_CONCAT_INNER(a, b) a##b
#define DISTBENCH_STATUS_CONCAT(a, b) DISTBENCH_STATUS_CONCAT_INNER(a, b)
#define DISTBENCH_ASSIGN_OR_RETURN(result, lhs, expr)  \
  auto result = (expr);                                \
  if (!result.ok()) return std::move(result).status(); \
  lhs = std::move(result).value()

// Assigns the value of `expr`, an absl::StatusOr, to `lhs`, or returns its error.
//   ASSIGN_OR_RETURN(auto port, ParsePort(text));
#define ASSIGN_OR_RETURN(lhs, expr) \
  DISTBENCH_ASSIGN_OR_RETURN(DISTBENCH_STATUS_CONCAT(status_or_, __LINE__), lhs, expr)

#endif  // DISTBENCH_BASE_STATUS_MACROS_H_
