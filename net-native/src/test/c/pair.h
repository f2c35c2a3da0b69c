/* SPDX-License-Identifier: Apache-2.0 */
/* Two processes of a host, each with a comm to send to the other and one to receive. */
#ifndef NITINOL_TEST_PAIR_H
#define NITINOL_TEST_PAIR_H
#include "host.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct end {
  void *listener, *send, *recv;
};

static int rank;     /* 0 or 1 */
static int other_fd; /* a socket to the other process */
static pid_t other;  /* rank 0's child */

/* Makes the other process; before anything is loaded, as two ranks are made. */
static void pair_fork(void) {
  int fds[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  other = fork();
  REQUIRE(other >= 0);
  rank = other == 0;
  other_fd = fds[rank];
  close(fds[!rank]);
}

static void pair_swap(const void *mine, void *theirs, size_t size) {
  REQUIRE(write(other_fd, mine, size) == (ssize_t)size);
  REQUIRE(recv(other_fd, theirs, size, MSG_WAITALL) == (ssize_t)size);
}

static void pair_barrier(void) {
  char mine = 1, theirs;
  pair_swap(&mine, &theirs, 1);
}

/* Versions up to 4 are called once, and accept waits. */
static void pair_connect_one(struct end *end, int sends, char *handle) {
  double begin = host_seconds();
  void **comm = sends ? &end->send : &end->recv;
  *comm = NULL;
  while (*comm == NULL) {
    if (sends) CHECK(host_connect(0, handle, comm));
    else CHECK(host_accept(end->listener, comm));
    REQUIRE(host_seconds() - begin < 30);
  }
}

static void pair_connect(struct end *end) {
  /* Handles as NCCL has them: 64 bytes up to version 4, and bytes of others behind them. */
  char mine[128 + 8], theirs[128 + 8];
  size_t size = V == 4 ? 64 : 128;
  memset(mine, 0x5a, sizeof mine);
  CHECK(host_listen(0, mine, &end->listener));
  REQUIRE(end->listener != NULL);
  for (size_t i = size; i < sizeof mine; i++) REQUIRE(mine[i] == 0x5a);
  memset(theirs, 0x5a, sizeof theirs);
  pair_swap(mine, theirs, size);
  /* Up to version 4 all ranks connect before they accept, so that no connect may wait for an accept. */
  int connects = V == 4 || rank == 0;
  pair_connect_one(end, connects, theirs);
  pair_connect_one(end, !connects, theirs);
  for (size_t i = size; i < sizeof theirs; i++) REQUIRE(theirs[i] == 0x5a);
}

static void pair_close(struct end *end) {
  CHECK(host_close_send(end->send));
  CHECK(host_close_recv(end->recv));
  CHECK(host_close_listen(end->listener));
}

static int pair_wait(void *request) {
  int done = 0, size = -1;
  double begin = host_seconds();
  while (!done) {
    CHECK(host_test(request, &done, &size));
    REQUIRE(host_seconds() - begin < 30);
  }
  return size;
}

/* Sends and receives one message each way, with bytes that tell where they belong. */
static void pair_exchange(struct end *end, size_t size, unsigned seed) {
  size_t room = size + 64;
  unsigned char *out = malloc(room), *in = malloc(room);
  void *out_mr, *in_mr, *send = NULL, *recv = NULL;
  for (size_t i = 0; i < room; i++) out[i] = (unsigned char)(i * 7 + seed + rank), in[i] = 0xee;
  CHECK(host_reg(end->send, out, room, &out_mr));
  CHECK(host_reg(end->recv, in, room, &in_mr));
  while (recv == NULL) CHECK(host_irecv(end->recv, in + 32, size, 3, in_mr, &recv));
  while (send == NULL) CHECK(host_isend(end->send, out + 32, size, 3, out_mr, &send));
  REQUIRE(send != recv);
  /* Both are asked in turn, since each moves only when it is. */
  int sent = 0, received = 0, sent_size = -1, received_size = -1;
  double begin = host_seconds();
  while (!sent || !received) {
    if (!sent) CHECK(host_test(send, &sent, &sent_size));
    if (!received) CHECK(host_test(recv, &received, &received_size));
    REQUIRE(host_seconds() - begin < 60);
  }
  REQUIRE((size_t)received_size == size);
  REQUIRE((size_t)sent_size == size);
  for (size_t i = 0; i < room; i++) {
    unsigned char right = i < 32 || i >= 32 + size ? 0xee : (unsigned char)(i * 7 + seed + !rank);
    REQUIRE(in[i] == right);
  }
  void *flush = NULL;
  CHECK(host_iflush(end->recv, in + 32, (int)size, in_mr, &flush));
  if (flush != NULL) pair_wait(flush);
  CHECK(host_dereg(end->send, out_mr));
  CHECK(host_dereg(end->recv, in_mr));
  free(out);
  free(in);
}

/* Ends both; the status is 0 where both did well. */
static int pair_end(void) {
  int status = 0;
  pair_barrier();
  if (rank == 0) {
    REQUIRE(waitpid(other, &status, 0) == other);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  return 0;
}

#endif
