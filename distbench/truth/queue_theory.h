// What theory says of queues with one server, Poisson arrivals and service in order of arrival. The
// unit of time is the mean service time; `load` is the arrival rate in it, 0 < load < 1. Pure.
#ifndef DISTBENCH_TRUTH_QUEUE_THEORY_H_
#define DISTBENCH_TRUTH_QUEUE_THEORY_H_

namespace distbench {

// Response time (waiting and service): its mean, and the time that it exceeds with probability
// 1 - `quantile`.

// M/M/1: exponential with rate 1 - load (in any textbook, such as Kleinrock, "Queueing Systems",
// volume 1, 1975, section 5.12).
double Mm1MeanResponse(double load);
double Mm1ResponseQuantile(double load, double quantile);

// M/D/1. The mean by Pollaczek and Khinchine; the quantile from the distribution of the waiting
// time.
double Md1MeanResponse(double load);
double Md1ResponseQuantile(double load, double quantile);

// P(waiting time <= t) of M/D/1, t >= 0, to within 10^-12.
double Md1WaitingTimeAtMost(double load, double t);

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_QUEUE_THEORY_H_
