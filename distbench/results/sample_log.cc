#include "distbench/results/sample_log.h"

namespace distbench {

void SampleLog::AppendFull(const Sample& sample) {
  TakeNewSizes(sample);
  Append(Word{
      .full = {.tag = Tag(sample, kFull), .error = sample.error, .start_ns = sample.start_ns}});
  Append(Word{.full_times = {.latency_ns = sample.latency_ns,
                             .latency_weight_ns = sample.latency_weight_ns}});
  Append(SizesOf(sample));
}

void SampleLog::AddChunk() {
  if (first_ == nullptr) {
    first_ = std::make_unique_for_overwrite<Word[]>(kFirstWords);
    next_ = first_.get();
    end_ = next_ + kFirstWords;
  } else {
    chunks_.push_back(memory_->Take());
    next_ = WordsOf(chunks_.back());
    end_ = next_ + kChunkWords;
  }
}

bool SampleLog::Reader::Next(Sample* sample) {
  if (position_ == log_.word_count()) return false;
  const Word& word = NextWord();
  const uint32_t tag = word.compact.tag;
  const Form form = static_cast<Form>(tag >> 1 & 3);
  sample->warmup = (tag & 1) != 0;
  sample->pair = tag >> 3;
  if (form == kFull) {
    sample->error = word.full.error;
    sample->start_ns = word.full.start_ns;
    const Word& times = NextWord();
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
  sample->request_bytes = sizes_[sample->pair].request_bytes;
  sample->response_bytes = sizes_[sample->pair].response_bytes;
  return true;
}

void SampleLog::Reader::ReadSizes(Sample* sample) {
  if (sample->pair >= sizes_.size()) sizes_.resize(sample->pair + 1);
  sizes_[sample->pair] = NextWord().sizes;
}

}  // namespace distbench
