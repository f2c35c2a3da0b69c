/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers questions for the wall clock with so many seconds more as the file named by CHAOS_CLOCK
 * has in its first eight bytes; see WallClock.java. Loaded by LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *offset;

static long long moved(void) {
  return offset ? *offset : 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("CHAOS_CLOCK");
  int fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    void *at = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, fd, 0);
    offset = at == MAP_FAILED ? NULL : at;
    close(fd);
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    now->tv_sec += moved();
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = (int)syscall(SYS_gettimeofday, now, zone);
  if (result == 0 && now) {
    now->tv_sec += moved();
  }
  return result;
}

time_t time(time_t *seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds) {
    *seconds = now.tv_sec;
  }
  return now.tv_sec;
}
