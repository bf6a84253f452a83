// Makes compressed files for tests. Pure.
#ifndef DISTBENCH_EXPORT_GZIP_TESTING_H_
#define DISTBENCH_EXPORT_GZIP_TESTING_H_

#include <string>

namespace distbench {

// `contents` as the one member of a gzip file.
std::string Gzip(const std::string& contents);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_GZIP_TESTING_H_
