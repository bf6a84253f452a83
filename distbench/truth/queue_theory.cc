#include "distbench/truth/queue_theory.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace distbench {
namespace {

// P(N <= n), n = 0 ... `last`, of the number of requests in an M/D/1 queue.
//
// Requests come singly and leave singly, so the number steps up over n + 1/2 as often as down. Seen
// after each end of service, with A arrivals in a service time:
//
//   p[n+1] P(A = 0) = p[0] P(A > n) + sum over i = 1..n of p[i] P(A > n - i + 1)
//
// All terms are positive, so no digits are lost. What an end of service leaves behind is also what
// an arrival finds, and what there is at any time.
std::vector<double> NumberAtMost(double load, size_t last) {
  std::vector<double> more_arrivals(last + 2);  // P(A > k)
  double arrivals = std::exp(-load);            // P(A = k)
  const double no_arrival = arrivals;
  double at_most = 0;
  for (size_t k = 0; k < more_arrivals.size(); ++k) {
    at_most += arrivals;
    more_arrivals[k] = 1 - at_most;
    arrivals *= load / static_cast<double>(k + 1);
  }
  std::vector<double> number(last + 1);
  number[0] = 1 - load;
  for (size_t n = 0; n < last; ++n) {
    double up = number[0] * more_arrivals[n];
    for (size_t i = 1; i <= n; ++i) up += number[i] * more_arrivals[n - i + 1];
    number[n + 1] = up / no_arrival;
  }
  for (size_t n = 1; n <= last; ++n) number[n] += number[n - 1];
  return number;
}

}  // namespace

double Mm1MeanResponse(double load) { return 1 / (1 - load); }

double Mm1ResponseQuantile(double load, double quantile) {
  return -std::log(1 - quantile) / (1 - load);
}

double Md1MeanResponse(double load) { return 1 + load / (2 * (1 - load)); }

// Erlang's series for this ("The theory of probabilities and telephone conversations", 1909)
// alternates between terms of the order of exp(load * t), which leaves no digit at high load. With
// t = k + s, 0 <= s < 1, the same follows from the number of requests.
//
// A request waits at most k + s if, after s, at most k of those before it are left, since one of
// them leaves in each unit of time. All that came meanwhile, a Poisson number A of mean load * s,
// are still there, so the number at that moment, which has the distribution of the number at any
// time, is the number left plus A, and the two are independent. Undoing the sum:
//
//   P(W <= k + s) = exp(load s) * sum over j = 0..k of P(N <= k - j) (-load s)^j / j!
//
// whose terms are at most 1.
double Md1WaitingTimeAtMost(double load, double t) {
  const double whole = std::floor(t);
  const double mean = load * (t - whole);
  const size_t k = static_cast<size_t>(whole);
  const std::vector<double> at_most = NumberAtMost(load, k);
  double sum = 0;
  double factor = std::exp(mean);
  for (size_t j = 0; j <= k; ++j) {
    sum += at_most[k - j] * factor;
    factor *= -mean / static_cast<double>(j + 1);
  }
  return sum;
}

double Md1ResponseQuantile(double load, double quantile) {
  double low = 0;
  double high = 1;
  while (Md1WaitingTimeAtMost(load, high) < quantile) high *= 2;
  while (high - low > 1e-9 * high) {
    const double middle = (low + high) / 2;
    (Md1WaitingTimeAtMost(load, middle) < quantile ? low : high) = middle;
  }
  return 1 + high;
}

}  // namespace distbench
