// SPDX-License-Identifier: Apache-2.0
//
// Two ways from a buffer of one process into a buffer of another one, neither of which is in shared memory: through slots in memory that both map, as
// Nitinol sends (the sender copies in, the receiver copies out, both at once), and by process_vm_readv, by which the receiver has the kernel copy
// straight from the sender. Pairs of processes do the same side by side. The ways come in turns; a line has the median of three rounds of each.
//
//   usage: host_copies [PAIRS BYTES]...
//   cc -O3 -march=native -o host_copies host_copies.c

#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 8
#define SLOT (512L << 10) // as NCCL_BUFFSIZE has them
#define AT_ONCE (8L << 20) // of a call of process_vm_readv
#define ROUNDS 3
#define MOST_PAIRS 64
#define LARGEST (1L << 30)

enum way { BY_SLOTS, BY_READV };

struct line {
  _Atomic long value;
  char pad[120];
};

struct pair {
  struct line head, tail; // slots that were filled, and emptied
  struct line ready; // the sender has filled its buffer
  struct line taken; // times that the receiver has read everything
  long address; // of the sender's buffer
  double seconds;
  char slots[SLOTS][SLOT];
};

struct shared {
  struct line come; // receivers that are ready to begin
  struct pair pairs[MOST_PAIRS];
};

static struct shared *shared;
static int pairs;
static long bytes;
static int times;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// Waits until a value is reached; with fewer processors than processes others must get to run.
static void await(struct line *line, long least) {
  for (long looks = 1; atomic_load_explicit(&line->value, memory_order_acquire) < least; looks++) {
    if (looks % 4096 == 0) {
      sched_yield();
    }
  }
}

static char *buffer(void) {
  char *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fail("mmap of a buffer");
  }
  return memory;
}

static char expected(int pair, long i) { return (char)(i * 7 + i / 4096 + pair * 31 + 1); }

static long part(long done, long most) { return bytes - done < most ? bytes - done : most; }

static void send_all(enum way way, int number) {
  struct pair *pair = &shared->pairs[number];
  char *memory = buffer();
  for (long i = 0; i < bytes; i++) {
    memory[i] = expected(number, i);
  }
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // fails where there is no Yama, which needs none
  pair->address = (long)(intptr_t)memory;
  atomic_store(&pair->ready.value, 1);
  long head = 0;
  for (int turn = 0; turn < times; turn++) {
    for (long done = 0; way == BY_SLOTS && done < bytes; done += SLOT) {
      await(&pair->tail, head - SLOTS + 1);
      memcpy(pair->slots[head % SLOTS], memory + done, (size_t)part(done, SLOT));
      atomic_store_explicit(&pair->head.value, ++head, memory_order_release);
    }
  }
  await(&pair->taken, times); // the receiver reads from this process until then
}

static void receive_all(enum way way, int number, pid_t sender) {
  struct pair *pair = &shared->pairs[number];
  char *memory = buffer();
  memset(memory, 0, (size_t)bytes);
  await(&pair->ready, 1);
  atomic_fetch_add(&shared->come.value, 1);
  await(&shared->come, pairs);
  double begin = now();
  long tail = 0;
  for (int turn = 0; turn < times; turn++) {
    if (turn == times / 3) {
      begin = now(); // what came before warms up
    }
    for (long done = 0; done < bytes;) {
      long length = part(done, way == BY_SLOTS ? SLOT : AT_ONCE);
      if (way == BY_SLOTS) {
        await(&pair->head, tail + 1);
        memcpy(memory + done, pair->slots[tail % SLOTS], (size_t)length);
        atomic_store_explicit(&pair->tail.value, ++tail, memory_order_release);
      } else {
        struct iovec to = {memory + done, (size_t)length};
        struct iovec from = {(char *)(intptr_t)pair->address + done, (size_t)length};
        ssize_t got = process_vm_readv(sender, &to, 1, &from, 1, 0);
        if (got != length) {
          fail(got < 0 ? "process_vm_readv, which this system may not permit" : "process_vm_readv read less");
        }
      }
      done += length;
    }
    atomic_fetch_add(&pair->taken.value, 1);
  }
  pair->seconds = (now() - begin) / (times - times / 3);
  for (long i = 0; i < bytes; i++) {
    if (memory[i] != expected(number, i)) {
      fprintf(stderr, "byte %ld of pair %d is wrong\n", i, number);
      exit(1);
    }
  }
}

// Returns the seconds of a transfer, the mean of the pairs.
static double measure(enum way way) {
  atomic_store(&shared->come.value, 0);
  for (int number = 0; number < pairs; number++) {
    memset(&shared->pairs[number], 0, offsetof(struct pair, slots));
  }
  pid_t children[2 * MOST_PAIRS];
  for (int number = 0; number < pairs; number++) {
    for (int side = 0; side < 2; side++) {
      pid_t child = fork();
      if (child < 0) {
        fail("fork");
      }
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (side == 0) {
          send_all(way, number);
        } else {
          receive_all(way, number, children[2 * number]);
        }
        _exit(0);
      }
      children[2 * number + side] = child;
    }
  }
  double sum = 0;
  for (int left = 2 * pairs; left > 0; left--) {
    int status;
    if (wait(&status) < 0) {
      fail("wait");
    }
    if (status != 0) {
      exit(1); // it has said why; the others end with this process
    }
  }
  for (int number = 0; number < pairs; number++) {
    sum += shared->pairs[number].seconds;
  }
  return sum / pairs;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int count, char **values) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shared == MAP_FAILED) {
    fail("mmap of the slots");
  }
  if (count % 2 == 0) {
    fprintf(stderr, "usage: host_copies [PAIRS BYTES]...\n");
    return 2;
  }
  printf("%5s %12s %16s %16s %26s\n", "pairs", "bytes", "slots", "process_vm_readv", "time by slots / by readv");
  for (int i = 1; i < count; i += 2) {
    pairs = atoi(values[i]);
    bytes = atol(values[i + 1]);
    if (pairs < 1 || pairs > MOST_PAIRS || bytes < 1 || bytes > LARGEST) {
      fprintf(stderr, "%s pairs, %s bytes: expected 1 to %d and 1 to %ld\n", values[i], values[i + 1], MOST_PAIRS, LARGEST);
      return 2;
    }
    times = (int)(3 + (768L << 20) / bytes / (pairs < 8 ? 1 : pairs / 4));
    times = times > 3000 ? 3000 : times;
    double seconds[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      seconds[BY_SLOTS][round] = measure(BY_SLOTS);
      seconds[BY_READV][round] = measure(BY_READV);
    }
    for (int way = 0; way < 2; way++) {
      qsort(seconds[way], ROUNDS, sizeof(double), compare);
    }
    double slots = seconds[BY_SLOTS][ROUNDS / 2], readv = seconds[BY_READV][ROUNDS / 2];
    printf("%5d %12ld %11.2f GB/s %11.2f GB/s %26.2f\n", pairs, bytes, bytes / slots * 1e-9, bytes / readv * 1e-9, slots / readv);
    fflush(stdout);
  }
  return 0;
}
