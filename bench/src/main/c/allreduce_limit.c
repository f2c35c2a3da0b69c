// SPDX-License-Identifier: Apache-2.0
//
// The limit that bench/many-cores compares with: an all-reduce in one pass over buffers that all ranks map. Each rank sums its slice of all inputs,
// a block that fits the first-level cache at a time, and writes the block into all outputs. It knows one type, one operator and one job, has no
// errors to notice and spins for ever: no library can be faster on the same memory with as many threads by more than what a better loop gains.
// It is told what to do like allreduce_mpi.c, where the commands are described.
//
//   usage: allreduce_limit SOCKET RANKS THREADS
//   cc -O3 -march=native -pthread -o allreduce_limit allreduce_limit.c

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define MOST_RANKS 64
#define MOST_THREADS 16
#define LARGEST (1L << 30)
#define BLOCK (16 << 10)

struct line {
  _Atomic long value;
  char pad[120];
};

struct shared {
  struct line arrived[MOST_RANKS * MOST_THREADS]; // how many meetings each thread has come to
};

static struct shared *shared;
static char *inputs, *outputs; // LARGEST bytes for each rank
static int ranks, threads, rank; // threads: of each rank
static int spins; // looks before a yield
static long work_bytes, work_times;
static pthread_barrier_t begin, end;

static float element(int of, long i) { return (float)((i * 7 + (long)of * 131) % 1021); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Thread t of a rank meets the threads t of the others only: what it reads, they have written.
static void meet(int t, long *meetings) {
  long mine = ++*meetings;
  atomic_store_explicit(&shared->arrived[rank * MOST_THREADS + t].value, mine, memory_order_release);
  for (int r = 0; r < ranks; r++) {
    int looks = 0;
    while (atomic_load_explicit(&shared->arrived[r * MOST_THREADS + t].value, memory_order_acquire) < mine) {
      if (++looks > spins) sched_yield();
      else relax();
    }
  }
}

static void add(float *restrict sum, const float *restrict to, long count) {
  for (long i = 0; i < count; i++) sum[i] += to[i];
}

static void share(int t, int used, long bytes) {
  static _Thread_local float sum[BLOCK / 4] __attribute__((aligned(64)));
  long count = bytes / 4;
  long workers = (long)ranks * used, me = (long)t * ranks + rank;
  long each = (count + workers - 1) / workers;
  each = (each + 15) / 16 * 16;
  long from = me * each < count ? me * each : count;
  long to = from + each < count ? from + each : count;
  for (; from < to; from += BLOCK / 4) {
    long n = to - from < BLOCK / 4 ? to - from : BLOCK / 4;
    memcpy(sum, inputs + 4 * from, (size_t)n * 4);
    for (int r = 1; r < ranks; r++) add(sum, (float *)(inputs + r * LARGEST) + from, n);
    for (int r = 0; r < ranks; r++) memcpy(outputs + r * LARGEST + 4 * from, sum, (size_t)n * 4);
  }
}

static void repeat(int t, long bytes, long times, long *meetings) {
  // A thread's share of an operation is small from here on; one thread does those alone.
  int used = bytes >= (256L << 10) ? threads : 1;
  if (t >= used) return;
  for (long i = 0; i < times; i++) {
    meet(t, meetings); // all inputs may be read, and all outputs written
    share(t, used, bytes);
    meet(t, meetings);
  }
}

static _Thread_local long met;

static void *help(void *number) {
  int t = (int)(intptr_t)number;
  for (;;) {
    pthread_barrier_wait(&begin);
    repeat(t, work_bytes, work_times, &met);
    pthread_barrier_wait(&end);
  }
  return NULL;
}

static void run(long bytes, long times) {
  work_bytes = bytes;
  work_times = times;
  if (threads > 1) pthread_barrier_wait(&begin);
  repeat(0, bytes, times, &met);
  if (threads > 1) pthread_barrier_wait(&end);
}

static void serve(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
  if (!in || !out) fail("fdopen");
  fprintf(out, "hello %d %d %ld\n", rank, ranks, syscall(SYS_gettid));
  fflush(out);
  pthread_barrier_init(&begin, NULL, (unsigned)threads);
  pthread_barrier_init(&end, NULL, (unsigned)threads);
  for (int t = 1; t < threads; t++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, help, (void *)(intptr_t)t) != 0) fail("pthread_create");
  }
  float *send = (float *)(inputs + rank * LARGEST), *recv = (float *)(outputs + rank * LARGEST);
  long held = 0, bytes, warmup, iterations;
  int check;
  unsigned seconds;
  char line[256];
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "run %ld %ld %ld %d %u", &bytes, &warmup, &iterations, &check, &seconds) != 5 || bytes > LARGEST) {
      fprintf(stderr, "not understood: %s", line);
      exit(2);
    }
    alarm(seconds); // should the others hang or the bench be killed
    long count = bytes / 4;
    if (held != bytes) {
      madvise(send, LARGEST, MADV_REMOVE);
      madvise(recv, LARGEST, MADV_REMOVE);
      held = bytes;
      for (long i = 0; i < count; i++) send[i] = element(rank, i);
      memset(recv, 0, (size_t)bytes);
    }
    run(bytes, warmup);
    run(4, 1);
    double start = now();
    run(bytes, iterations);
    double each = (now() - start) / (double)iterations;
    long wrong = -1;
    if (check) {
      memset(recv, 0xff, (size_t)bytes); // NaN
      run(bytes, 1);
      for (long i = 0; i < count && wrong < 0; i++) {
        float expected = 0;
        for (int r = 0; r < ranks; r++) expected += element(r, i);
        if (recv[i] != expected) {
          wrong = i;
          fprintf(out, "wrong %ld %g %g\n", i, recv[i], expected);
        }
      }
    }
    if (wrong < 0) fprintf(out, "ok %.1f\n", each);
    fflush(out);
    alarm(0);
  }
}

int main(int argc, char **argv) {
  ranks = argc == 4 ? atoi(argv[2]) : 0;
  threads = argc == 4 ? atoi(argv[3]) : 0;
  if (ranks < 1 || ranks > MOST_RANKS || threads < 1 || threads > MOST_THREADS ||
      strlen(argv[1]) >= sizeof((struct sockaddr_un *)0)->sun_path) {
    fprintf(stderr, "usage: %s SOCKET RANKS THREADS, up to %d ranks of %d threads\n", argv[0], MOST_RANKS, MOST_THREADS);
    return 2;
  }
  cpu_set_t set;
  int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  spins = ranks * threads > processors ? 0 : 20000;
  int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
  inputs = mmap(NULL, (size_t)ranks * LARGEST, PROT_READ | PROT_WRITE, flags, -1, 0);
  outputs = mmap(NULL, (size_t)ranks * LARGEST, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (shared == MAP_FAILED || inputs == MAP_FAILED || outputs == MAP_FAILED) fail("mmap");
  for (rank = 0; rank < ranks - 1; rank++) {
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      break;
    }
  }
  serve(argv[1]);
  return 0;
}
