// What differs from run to run and is no part of what is counted, held fixed: the clock, by which Luau paces its
// collector and names of temporary folders are drawn, and the seeds of hash maps. Loaded before the C library.
#include <atomic>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <sys/types.h>

// A microsecond passes whenever somebody looks.
extern "C" int clock_gettime(clockid_t, timespec* time) noexcept {
  static std::atomic<long> looks{1000000000};
  long now = looks.fetch_add(1);
  time->tv_sec = now / 1000000;
  time->tv_nsec = now % 1000000 * 1000;
  return 0;
}

extern "C" ssize_t getrandom(void* bytes, size_t count, unsigned) noexcept {
  std::memset(bytes, 7, count);
  return ssize_t(count);
}
