#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace sim {

/// Does pieces of work on `threads` threads and takes their results in the order of the pieces, whatever thread was
/// first, with no more of them in memory than a few a thread.
///
/// `work(piece)` runs on a thread of its own and must not throw; `take(piece, result)` runs on the caller's and says
/// whether to go on; `look()`, there as well after each result and every tenth of a second, does the same. After a no,
/// pieces under way are finished and taken, so that what was taken is a prefix. Returns how many pieces were taken.
template <class Result, class Work, class Take, class Look>
std::size_t run_in_order(std::size_t count, int threads, Work work, Take take, Look look) {
  constexpr std::size_t ahead_a_thread = 16;
  constexpr auto look_every = std::chrono::milliseconds{100};
  const std::size_t ahead_max = ahead_a_thread * static_cast<std::size_t>(threads);
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::size_t, Result> done;
  std::size_t next = 0;
  std::size_t taken = 0;
  bool stop = false;

  const auto run = [&] {
    std::unique_lock lock{mutex};
    while (true) {
      changed.wait(lock, [&] { return stop || next >= count || next < taken + ahead_max; });
      if (stop || next >= count) return;
      const std::size_t piece = next++;
      lock.unlock();
      Result result = work(piece);
      lock.lock();
      done.emplace(piece, std::move(result));
      changed.notify_all();
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < std::max(1, threads); ++i) workers.emplace_back(run);

  bool wanted = true;
  std::unique_lock lock{mutex};
  while (taken < count) {
    if (const auto first = done.find(taken); first != done.end()) {
      Result result = std::move(first->second);
      done.erase(first);
      lock.unlock();
      wanted = wanted && take(taken, std::move(result));
      lock.lock();
      ++taken;
      changed.notify_all();
    } else if (stop && taken >= next) {
      break;
    } else {
      changed.wait_for(lock, look_every);
    }
    lock.unlock();
    const bool go_on = look();
    lock.lock();
    stop = stop || !go_on;
    stop = stop || !wanted;
    if (stop) changed.notify_all();
  }
  lock.unlock();
  changed.notify_all();
  for (std::thread& worker : workers) worker.join();
  return taken;
}

}  // namespace sim
