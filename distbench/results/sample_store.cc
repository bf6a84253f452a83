#include "distbench/results/sample_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// A file that no name leads to: nothing is left behind, however the process ends.
int OpenNameless(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) {
    return descriptor;
  }
  // A file system without O_TMPFILE.
  std::string path = absl::StrCat(folder, "/distbench-samples-XXXXXX");
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

}  // namespace

SampleStore::SampleStore(SampleStoreOptions options)
    : options_(std::move(options)),
      max_in_memory_(static_cast<size_t>(options_.memory_bytes) / kChunkBytes) {}

SampleStore::~SampleStore() {
  std::thread writer;
  {
    absl::MutexLock lock(&mutex_);
    CHECK_EQ(in_memory_ + in_file_, 0u);
    stopping_ = true;
    writer = std::move(writer_);
  }
  if (writer.joinable()) writer.join();
  absl::MutexLock lock(&mutex_);
  if (descriptor_ >= 0) close(descriptor_);
}

// --- Chunks

SampleStore::Chunk SampleStore::Take() {
  {
    absl::MutexLock lock(&mutex_);
    if (!free_.empty()) {
      Chunk chunk = std::move(free_.back());
      free_.pop_back();
      return chunk;
    }
  }
  return std::make_unique_for_overwrite<std::byte[]>(kChunkBytes);
}

bool SampleStore::Put(Chunk& chunk, Stored* stored) {
  absl::MutexLock lock(&mutex_);
  if (in_memory_ == max_in_memory_) return Queue(chunk, stored);
  ++in_memory_;
  *stored = {.chunk = std::move(chunk)};
  return true;
}

bool SampleStore::Queue(Chunk& chunk, Stored* stored) {
  if (options_.folder.empty() || !status_.ok()) return false;
  if (queue_.size() == kMaxQueuedChunks) {
    LOG_EVERY_N(WARNING, 1'000'000)
        << "samples come faster than " << options_.folder << " can be written; some are left out";
    return false;
  }
  if (descriptor_ < 0) {
    status_ = OpenFile();
    if (!status_.ok()) return false;
  }
  ++in_file_;
  *stored = {.chunk = nullptr, .position = end_position_};
  queue_.push_back({.chunk = std::move(chunk), .position = end_position_});
  end_position_ += static_cast<int64_t>(kChunkBytes);
  return true;
}

absl::Status SampleStore::Read(const Stored& stored, std::byte* chunk) {
  if (stored.chunk != nullptr) {
    std::memcpy(chunk, stored.chunk.get(), kChunkBytes);
    return absl::OkStatus();
  }
  int descriptor;
  {
    absl::MutexLock lock(&mutex_, absl::Condition(this, &SampleStore::IsAtRest));
    if (stored.position >= lost_position_) return status_;
    descriptor = descriptor_;
  }
  size_t done = 0;
  while (done < kChunkBytes) {
    const ssize_t got = pread(descriptor, chunk + done, kChunkBytes - done,
                              stored.position + static_cast<int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return FileError("reading samples from", got < 0 ? errno : EIO);
    done += static_cast<size_t>(got);
  }
  return absl::OkStatus();
}

void SampleStore::Release(std::vector<Stored> stored) {
  absl::MutexLock lock(&mutex_);
  for (Stored& each : stored) {
    if (each.chunk == nullptr) {
      --in_file_;
    } else {
      --in_memory_;
      KeepFree(std::move(each.chunk));
    }
  }
  if (in_file_ == 0) EmptyFile();
}

void SampleStore::Release(Chunk chunk) {
  if (chunk == nullptr) return;
  absl::MutexLock lock(&mutex_);
  KeepFree(std::move(chunk));
}

void SampleStore::KeepFree(Chunk chunk) {
  if (free_.size() < max_in_memory_) free_.push_back(std::move(chunk));
}

// --- The file

absl::Status SampleStore::OpenFile() {
  descriptor_ = OpenNameless(options_.folder);
  if (descriptor_ < 0) return FileError("making a file for samples in", errno);
  writer_ = std::thread([this] { RunWriter(); });
  return absl::OkStatus();
}

// Nobody needs what it holds, or what still waits to be written.
void SampleStore::EmptyFile() {
  for (Queued& queued : queue_) KeepFree(std::move(queued.chunk));
  queue_.clear();
  mutex_.Await(absl::Condition(this, &SampleStore::IsAtRest));
  // The writer may have let others in meanwhile.
  if (in_file_ > 0) return;
  if (in_memory_ == 0) {
    status_ = absl::OkStatus();
    lost_position_ = kNoPosition;
  }
  if (end_position_ == 0) return;
  end_position_ = 0;
  if (ftruncate(descriptor_, 0) != 0) PLOG(WARNING) << "cannot empty the file of samples";
}

void SampleStore::RunWriter() {
  pthread_setname_np(pthread_self(), "db-samples");
  absl::MutexLock lock(&mutex_);
  while (true) {
    mutex_.Await(absl::Condition(this, &SampleStore::HasWork));
    if (queue_.empty()) return;
    Queued queued = std::move(queue_.front());
    queue_.pop_front();
    const int descriptor = descriptor_;
    is_writing_ = true;
    mutex_.Unlock();
    const absl::Status written = Write(queued, descriptor);
    mutex_.Lock();
    is_writing_ = false;
    KeepFree(std::move(queued.chunk));
    if (status_.ok() && !written.ok()) {
      LOG(ERROR) << written.message();
      status_ = written;
      lost_position_ = queued.position;
    }
  }
}

absl::Status SampleStore::Write(const Queued& queued, int descriptor) const {
  size_t done = 0;
  while (done < kChunkBytes) {
    const ssize_t put = pwrite(descriptor, queued.chunk.get() + done, kChunkBytes - done,
                               queued.position + static_cast<int64_t>(done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return FileError("writing samples to", put < 0 ? errno : ENOSPC);
    done += static_cast<size_t>(put);
  }
  return absl::OkStatus();
}

absl::Status SampleStore::FileError(const char* what, int error) const {
  return absl::ResourceExhaustedError(
      absl::StrCat(what, " ", options_.folder, ": ", std::generic_category().message(error),
                   "; make room there, name another folder with --sample_folder, raise "
                   "--sample_memory_mib, or keep fewer samples with max_rpc_samples"));
}

// --- Figures

absl::Status SampleStore::status() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

int64_t SampleStore::free_bytes() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int64_t>(free_.size() * kChunkBytes);
}

int64_t SampleStore::file_bytes() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int64_t>(in_file_ * kChunkBytes);
}

}  // namespace distbench
