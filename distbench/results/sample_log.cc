#include "distbench/results/sample_log.h"

#include <cstring>

namespace distbench {

SampleLog::~SampleLog() {
  store_->Release(std::move(stored_));
  store_->Release(std::move(filling_));
}

void SampleLog::AppendFull(const Sample& sample) {
  TakeNewSizes(sample);
  *next_++ = {
      .full = {.tag = Tag(sample, kFull), .error = sample.error, .start_ns = sample.start_ns}};
  *next_++ = {.full_times = {.latency_ns = sample.latency_ns,
                             .latency_weight_ns = sample.latency_weight_ns}};
  *next_++ = SizesOf(sample);
}

bool SampleLog::AppendTraced(const Sample& sample, const TracePath& trace) {
  if (size_ == max_size_) return false;
  const auto hops = static_cast<ptrdiff_t>(trace.size());
  while (end_ - next_ < 1 + hops * kHopWords + kMostWords) {
    if (!NextChunk()) return false;
  }
  *next_++ = Aside(trace.size());
  std::memcpy(next_, trace.data(), trace.size() * sizeof(TraceHop));
  next_ += hops * kHopWords;
  return Append(sample);
}

bool SampleLog::NextChunk() {
  if (first_ == nullptr) {
    first_ = std::make_unique_for_overwrite<Word[]>(kFirstWords);
    next_ = first_.get();
    end_ = next_ + kFirstWords;
    return true;
  }
  while (next_ != end_) *next_++ = Aside(/*hops=*/0);
  if (filling_ != nullptr) {
    SampleStore::Stored stored;
    if (!store_->Put(filling_, &stored)) return false;
    stored_.push_back(std::move(stored));
  }
  filling_ = store_->Take();
  next_ = WordsOf(filling_);
  end_ = next_ + kChunkWords;
  return true;
}

size_t SampleLog::size_bytes() const {
  if (first_ == nullptr) return 0;
  const size_t room = kFirstWords + (stored_.size() + (filling_ == nullptr ? 0 : 1)) * kChunkWords;
  return (room - static_cast<size_t>(end_ - next_)) * sizeof(Word);
}

// --- Reading

SampleLog::Reader::Reader(const SampleLog& log) : log_(log) {
  has_read_all_ = log.first_ == nullptr;
  if (has_read_all_) return;
  next_ = log.first_.get();
  end_ = log.filling_ == nullptr ? log.next_ : next_ + kFirstWords;
  has_read_all_ = log.filling_ == nullptr;
}

SampleLog::Reader::~Reader() { log_.store_->Release(std::move(from_file_)); }

bool SampleLog::Reader::NextChunk() {
  if (has_read_all_) return false;
  if (next_stored_ == log_.stored_.size()) {
    has_read_all_ = true;
    next_ = WordsOf(log_.filling_);
    end_ = log_.next_;
    return next_ != end_;
  }
  const SampleStore::Stored& stored = log_.stored_[next_stored_++];
  if (stored.chunk == nullptr) {
    if (from_file_ == nullptr) from_file_ = log_.store_->Take();
    status_ = log_.store_->Read(stored, from_file_.get());
    has_read_all_ |= !status_.ok();
    if (!status_.ok()) return false;
  }
  next_ = WordsOf(stored.chunk == nullptr ? from_file_ : stored.chunk);
  end_ = next_ + kChunkWords;
  return true;
}

bool SampleLog::Reader::Next(Sample* sample) {
  trace_.clear();
  while (next_ == end_ || static_cast<Form>(next_->compact.tag >> 1 & 3) == kAside) {
    const size_t hops = next_ == end_ ? 0 : next_->compact.tag >> 3;
    if (hops > 0) {
      ReadTrace(hops);
    } else if (!NextChunk()) {
      next_ = end_;
      return false;
    }
  }
  const Word& word = *next_++;
  const uint32_t tag = word.compact.tag;
  const Form form = static_cast<Form>(tag >> 1 & 3);
  sample->warmup = (tag & 1) != 0;
  sample->pair = tag >> 3;
  if (form == kFull) {
    sample->error = word.full.error;
    sample->start_ns = word.full.start_ns;
    const Word& times = *next_++;
    sample->latency_ns = times.full_times.latency_ns;
    sample->latency_weight_ns = times.full_times.latency_weight_ns;
    last_end_ns_ = sample->start_ns + sample->latency_ns;
  } else {
    sample->error = 0;
    sample->latency_ns = word.compact.latency_ns;
    sample->latency_weight_ns = word.compact.latency_weight_ns;
    last_end_ns_ += word.compact.since_last_ns;
    sample->start_ns = last_end_ns_ - sample->latency_ns;
  }
  if (form != kCompact) ReadSizes(sample);
  sample->request_bytes = last_sizes_[sample->pair].request_bytes;
  sample->response_bytes = last_sizes_[sample->pair].response_bytes;
  return true;
}

void SampleLog::Reader::ReadTrace(size_t hops) {
  trace_.resize(hops);
  std::memcpy(static_cast<void*>(trace_.data()), next_ + 1, hops * sizeof(TraceHop));
  next_ += 1 + static_cast<ptrdiff_t>(hops) * kHopWords;
}

void SampleLog::Reader::ReadSizes(Sample* sample) {
  if (sample->pair >= last_sizes_.size()) last_sizes_.resize(sample->pair + 1);
  last_sizes_[sample->pair] = (next_++)->sizes;
}

}  // namespace distbench
