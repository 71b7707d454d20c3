#include "service/admission/search_pool.h"

#include <unistd.h>

#include <algorithm>
#include <future>
#include <utility>

namespace sittuyin::service {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

namespace {

// A search that begins with less time than this before its end is not worth
// its wait.
constexpr nanoseconds kLeastTime = std::chrono::milliseconds(5);

// Of the workers, so that a thread that answers at once gets its core at once.
// At 5 one cheap call in a hundred waits for the scheduler's next tick while
// all search; at 10 a flood of cheap calls makes searches miss their deadlines.
constexpr int kNiceness = 8;

// `time` + `duration`, where both may be the largest.
Clock::time_point Add(Clock::time_point time, nanoseconds duration) {
  return duration > Clock::time_point::max() - time ? Clock::time_point::max()
                                                    : time + duration;
}

// When a job that waits has missed its turn. One that an idle worker is about
// to take does not wait: any time left is enough for it.
Clock::time_point LatestStart(const SearchPool::Job& job) {
  if (!job.deadline) return Clock::time_point::max();
  return *job.deadline - std::min(kLeastTime, job.longest);
}

// Until when a job that came at `now` and likely takes `duration` keeps half
// of its time.
Clock::time_point WantedStart(const SearchPool::Job& job, Clock::time_point now,
                              nanoseconds duration) {
  if (!job.deadline) return Clock::time_point::max();
  const nanoseconds useful = std::min(duration, *job.deadline - now);
  return std::min(*job.deadline - useful / 2, LatestStart(job));
}

}  // namespace

SearchPool::SearchPool(const Options& options, SearchPoolObserver& observer)
    : options_(options), observer_(observer), running_(options.workers) {
  // Side by side, for to clear a large table takes seconds.
  std::vector<std::future<std::unique_ptr<Searcher>>> searchers;
  for (std::size_t i = 0; i < options_.workers; ++i) {
    searchers.push_back(std::async(std::launch::async, [this] {
      return std::make_unique<Searcher>(options_.hash_bytes);
    }));
  }
  workers_.reserve(options_.workers);
  for (std::size_t i = 0; i < options_.workers; ++i) {
    workers_.emplace_back([this, i, searcher = searchers[i].get()] {
      [[maybe_unused]] const int now = nice(kNiceness);  // Of this thread.
      Work(i, *searcher);
    });
  }
  clerk_ = std::thread([this] {
    Searcher spare(0);
    WatchTheClock(spare);
  });
  std::lock_guard lock(mutex_);
  Report();
}

SearchPool::~SearchPool() {
  Drain();
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  work_to_do_.notify_all();
  alarm_nearer_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  clerk_.join();
}

SearchPool::Receipt SearchPool::Submit(Job job) {
  std::lock_guard lock(mutex_);
  const Time now = Clock::now();
  const Ticket ticket(job.deadline.value_or(Add(now, job.longest)),
                      ++arrivals_);
  const std::size_t idle = options_.workers - busy_;
  const bool waits = queue_.size() >= idle;
  const Time latest_start = waits ? LatestStart(job) : Time::max();
  const Time late_at = !waits && job.late && job.deadline
                           ? Add(*job.deadline, job.grace)
                           : Time::max();
  const Time wanted_start = WantedStart(job, now, Expect(job));
  Waiting newcomer{std::move(job), now, wanted_start, latest_start, late_at};
  std::optional<Fate> refused;
  if (!accepting_) {
    refused = Fate::kDraining;
  } else if (queue_.size() >= options_.queue + idle) {
    refused = Fate::kQueueFull;
  } else if (waits && !FitsIn(ticket, newcomer, now)) {
    refused = Fate::kTooLate;
  }
  if (refused) {
    observer_.Decided(*refused);
    return {.refused = refused,
            .retry_after = ForeseeQueue(now).all_begun - now};
  }
  queue_.emplace(ticket, std::move(newcomer));
  SetAlarm(std::min(latest_start, late_at));
  Report();
  work_to_do_.notify_one();
  return {.ticket = ticket};
}

void SearchPool::Withdraw(const Ticket& ticket) {
  std::unique_lock lock(mutex_);
  const auto job = queue_.find(ticket);
  if (job != queue_.end()) Drop(lock, job, Fate::kLeft);
}

void SearchPool::StopAccepting() {
  std::lock_guard lock(mutex_);
  accepting_ = false;
}

void SearchPool::Drain(Time end) {
  std::unique_lock lock(mutex_);
  accepting_ = false;
  if (end < end_) {
    const Time now = Clock::now();
    const std::size_t rounds =
        1 + (queue_.size() + options_.workers - 1) / options_.workers;
    end_ = end;
    share_ = std::max(end - now, nanoseconds{0}) / rounds;
    for (auto& running : running_) {
      if (running) running->cut = Add(now, share_);
    }
    SetAlarm(now);
  }
  all_done_.wait(
      lock, [this] { return queue_.empty() && busy_ == 0 && answering_ == 0; });
}

void SearchPool::Work(std::size_t worker, Searcher& searcher) {
  std::unique_lock lock(mutex_);
  while (true) {
    work_to_do_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const auto next = queue_.begin();
    if (const auto why = WhyDropped(next->second, Clock::now())) {
      Drop(lock, next, *why);
    } else {
      Run(lock, worker, searcher, std::move(queue_.extract(next).mapped()));
    }
  }
}

void SearchPool::Run(std::unique_lock<std::mutex>& lock, std::size_t worker,
                     Searcher& searcher, Waiting next) {
  const Time start = Clock::now();
  Job& job = next.job;
  std::optional<Time> deadline = job.deadline;
  if (end_ != Time::max()) {
    deadline = std::min({deadline.value_or(end_), end_, Add(start, share_)});
  }
  const Time latest_end =
      std::min(deadline.value_or(Time::max()), Add(start, job.longest));
  running_[worker] = {
      .since = start,
      .expected = Expect(job),
      .latest_end = latest_end,
      .stop = job.stop,
      .late_at = job.late ? Add(latest_end, job.grace) : Time::max(),
      .late = std::move(job.late)};
  ++busy_;
  observer_.Decided(Fate::kBegun);
  observer_.JobStarted(start - next.since);
  Report();
  const bool alarm_nearer = running_[worker]->late_at < alarm_;

  // Whoever is woken gets the core, and may need the lock.
  lock.unlock();
  if (alarm_nearer) alarm_nearer_.notify_one();
  job.run(searcher, start - next.since, deadline);
  const bool stopped = job.stop != nullptr && job.stop->StopRequested();
  lock.lock();

  if (!stopped) run_times_.Record(job.kind, Clock::now() - start);
  running_[worker].reset();
  --busy_;
  Report();
  Answer(lock, [&] {
    if (job.answer) job.answer();
    job = {};  // What it captured goes before it counts as done.
  });
}

template <typename Call>
void SearchPool::Answer(std::unique_lock<std::mutex>& lock, Call answer) {
  ++answering_;
  lock.unlock();
  answer();
  lock.lock();
  --answering_;
  all_done_.notify_all();
}

std::optional<SearchPool::Fate> SearchPool::WhyDropped(const Waiting& job,
                                                       Time now) const {
  if (now > job.latest_start) return Fate::kExpired;
  if (now > end_) return Fate::kDraining;
  return std::nullopt;
}

void SearchPool::Drop(std::unique_lock<std::mutex>& lock, Queue::iterator job,
                      Fate why) {
  Queue::node_type dropped = queue_.extract(job);
  observer_.Decided(why);
  Report();
  const Time now = Clock::now();
  const nanoseconds retry_after = ForeseeQueue(now).all_begun - now;
  Answer(lock, [&] {
    dropped.mapped().job.drop(why, retry_after);
    dropped = {};
  });
}

std::function<void(Searcher&)> SearchPool::TakeLate(Time now) {
  for (auto& running : running_) {
    if (!running || now < running->late_at) continue;
    if (running->stop) running->stop->RequestStop();
    running->late_at = Time::max();
    return std::move(running->late);
  }
  for (auto job = queue_.begin(); job != queue_.end(); ++job) {
    if (now < job->second.late_at) continue;
    Waiting taken = std::move(queue_.extract(job).mapped());
    observer_.Decided(Fate::kBegun);
    observer_.JobStarted(now - taken.since);
    Report();
    return std::move(taken.job.late);
  }
  return {};
}

void SearchPool::WatchTheClock(Searcher& spare) {
  std::unique_lock lock(mutex_);
  while (!closed_) {
    const Time now = Clock::now();
    const auto missed =
        std::find_if(queue_.begin(), queue_.end(), [&](const auto& entry) {
          return WhyDropped(entry.second, now).has_value();
        });
    if (missed != queue_.end()) {
      Drop(lock, missed, *WhyDropped(missed->second, now));
      continue;
    }
    if (auto late = TakeLate(now)) {
      Answer(lock, [&] {
        late(spare);
        late = {};
      });
      continue;
    }
    for (auto& running : running_) {
      if (running && running->stop && now >= running->cut) {
        running->stop->RequestStop();
        running->stop = nullptr;
      }
    }
    alarm_ = NextAlarm();
    if (alarm_ == Time::max()) {
      alarm_nearer_.wait(lock);
    } else {
      alarm_nearer_.wait_until(lock, alarm_);
    }
  }
}

SearchPool::Time SearchPool::NextAlarm() const {
  Time next = Time::max();
  for (const auto& [ticket, job] : queue_) {
    next = std::min({next, job.latest_start, job.late_at, end_});
  }
  for (const auto& running : running_) {
    if (!running) continue;
    next = std::min(next, running->late_at);
    if (running->stop) next = std::min(next, running->cut);
  }
  // An alarm is for what lies behind it.
  return next == Time::max() ? next : next + nanoseconds(1);
}

void SearchPool::SetAlarm(Time time) {
  if (time >= alarm_) return;
  alarm_ = time;
  alarm_nearer_.notify_one();
}

bool SearchPool::FitsIn(const Ticket& ticket, const Waiting& job,
                        Time now) const {
  const std::size_t late = ForeseeQueue(now, ticket, &job).late;
  return late == 0 || late <= ForeseeQueue(now).late;
}

Forecast SearchPool::ForeseeQueue(Time now, const Ticket& ticket,
                                  const Waiting* newcomer) const {
  std::vector<Time> free_at;
  for (const auto& running : running_) {
    if (!running) {
      free_at.push_back(now);
      continue;
    }
    const nanoseconds so_far = now - running->since;
    const nanoseconds left =
        so_far < running->expected ? running->expected - so_far : so_far;
    free_at.push_back(
        std::clamp(Add(now, left), now, std::max(now, running->latest_end)));
  }
  std::vector<ExpectedJob> jobs;
  jobs.reserve(queue_.size() + 1);
  const auto add = [&](const Waiting& waiting) {
    jobs.push_back({.wanted_start = waiting.wanted_start,
                    .latest_end = waiting.job.deadline.value_or(Time::max()),
                    .duration = Expect(waiting.job)});
  };
  for (const auto& [of, waiting] : queue_) {
    if (newcomer != nullptr && ticket < of) {
      add(*std::exchange(newcomer, nullptr));
    }
    add(waiting);
  }
  if (newcomer != nullptr) add(*newcomer);
  return Foresee(std::move(free_at), jobs);
}

nanoseconds SearchPool::Expect(const Job& job) const {
  return run_times_.Expect(job.kind, job.longest);
}

void SearchPool::Report() {
  observer_.StateChanged({.queued = queue_.size(),
                          .busy = busy_,
                          .idle = options_.workers - busy_});
}

}  // namespace sittuyin::service
