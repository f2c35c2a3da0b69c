// SPDX-License-Identifier: Apache-2.0
//
// The MPI side of bench/allreduce-vs-mpi: one rank, told what to do through a UNIX socket of its own, so that a job that is not measured waits in read()
// and costs no processor time. The Java side is io.nitinol.bench.allreduce.OurRank; both do the same.
//
//   usage: allreduce_mpi SOCKET
//   <- "hello RANK SIZE THREAD", and ours go on with what they use
//   -> "run BYTES WARMUP ITERATIONS CHECK SECONDS"   <- "ok NANOSECONDS" per iteration, or "wrong INDEX GOT EXPECTED"
//   end of file: ends

#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Small whole numbers: sums of up to some thousand ranks are exact in every order.
static float element(int rank, long i) { return (float)((i * 7 + (long)rank * 131) % 1021); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static float *buffer(size_t bytes) {
  void *p = NULL;
  if (posix_memalign(&p, 4096, bytes) != 0) fail("buffer");
  memset(p, 0, bytes);
  return p;
}

static void sum(float *send, float *recv, long count) {
  MPI_Allreduce(send, recv, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) {
    fprintf(stderr, "usage: %s SOCKET\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  strcpy(address.sun_path, argv[1]);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) fail(argv[1]);
  FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
  if (!in || !out) fail("fdopen");
  fprintf(out, "hello %d %d %ld\n", rank, size, syscall(SYS_gettid));
  fflush(out);

  float *send = NULL, *recv = NULL;
  float one = 1, all;
  long held = 0, bytes, warmup, iterations;
  int check;
  unsigned seconds;
  char line[256];
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "run %ld %ld %ld %d %u", &bytes, &warmup, &iterations, &check, &seconds) != 5) {
      fprintf(stderr, "not understood: %s", line);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    alarm(seconds); // should the others hang or the bench be killed
    long count = bytes / 4;
    if (held != bytes) {
      free(send);
      free(recv);
      send = buffer((size_t)bytes);
      recv = buffer((size_t)bytes);
      held = bytes;
      for (long i = 0; i < count; i++) send[i] = element(rank, i);
    }
    for (long i = 0; i < warmup; i++) sum(send, recv, count);
    sum(&one, &all, 1); // a barrier
    double start = now();
    for (long i = 0; i < iterations; i++) sum(send, recv, count);
    double each = (now() - start) / (double)iterations;
    long wrong = -1;
    if (check) {
      memset(recv, 0xff, (size_t)bytes); // NaN
      sum(send, recv, count);
      for (long i = 0; i < count && wrong < 0; i++) {
        float expected = 0;
        for (int r = 0; r < size; r++) expected += element(r, i);
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
  MPI_Finalize();
  return 0;
}
