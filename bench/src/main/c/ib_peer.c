// SPDX-License-Identifier: Apache-2.0
//
// The C side of bench/ib-vs-perftest for round trips, for which perftest has no test with immediate data: one end of a reliable connection of two queue pairs,
// told what to do through its standard input, as io.nitinol.bench.socket.EndProcess describes.
//
//   usage: ib_peer near|far DEVICE GID_INDEX
//
// A ping is a write of 8 bytes with immediate data, answered by another. The 8 bytes go inside the work request; a receive is posted again after each arrival,
// and only one write in SIGNALED is signalled. All calls spin.

#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 8, RECEIVES = 64, SIGNALED = 16, SENDS = 4 * SIGNALED, SECONDS = 30, LINE = 256 };

static const char *role;
static struct ibv_context *context;
static struct ibv_pd *domain;
static struct ibv_cq *completions;
static struct ibv_qp *pair;
static struct ibv_mr *region;
static union ibv_gid gid;
static int gid_index;
static uint64_t memory[2]; // what is sent, what has come

// Where the other end takes writes.
static uint64_t there;
static uint32_t there_key;

static long written, signalled, arrived;

static void fail(const char *what) {
  fprintf(stderr, "ib_peer %s: %s failed: %m\n", role, what);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void open_device(const char *name) {
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  for (int i = 0; list && i < count; i++) {
    if (!strcmp(ibv_get_device_name(list[i]), name)) context = ibv_open_device(list[i]);
  }
  if (list) ibv_free_device_list(list);
  if (!context) fail(name);
}

static void post_receive(void) {
  struct ibv_recv_wr receive = {.wr_id = 0}, *bad; // no memory: a write brings its address
  if (ibv_post_recv(pair, &receive, &bad)) fail("ibv_post_recv");
}

static void open_pair(void) {
  if (!(domain = ibv_alloc_pd(context))) fail("ibv_alloc_pd");
  if (!(completions = ibv_create_cq(context, RECEIVES + SENDS, NULL, NULL, 0))) fail("ibv_create_cq");
  if (!(region = ibv_reg_mr(domain, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE))) fail("ibv_reg_mr");
  if (ibv_query_gid(context, 1, gid_index, &gid)) fail("ibv_query_gid");
  struct ibv_qp_init_attr wanted = {
      .send_cq = completions,
      .recv_cq = completions,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = SENDS, .max_recv_wr = RECEIVES, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = BYTES},
  };
  if (!(pair = ibv_create_qp(domain, &wanted))) fail("ibv_create_qp");
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
  if (ibv_modify_qp(pair, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)) fail("INIT");
  for (int i = 0; i < RECEIVES; i++) post_receive();
}

static void say_where(void) {
  printf("handles %u:%" PRIu64 ":%u:", pair->qp_num, (uint64_t)(uintptr_t)&memory[1], region->rkey);
  for (size_t i = 0; i < sizeof gid.raw; i++) printf("%02x", gid.raw[i]);
  printf("\n");
}

static void connect_to(const char *words) {
  unsigned number = 0;
  char digits[2 * sizeof gid.raw + 1];
  union ibv_gid other;
  if (sscanf(words, "%u:%" SCNu64 ":%u:%32s", &number, &there, &there_key, digits) != 4) fail("connect");
  for (size_t i = 0; i < sizeof other.raw; i++) {
    unsigned byte = 0;
    sscanf(digits + 2 * i, "%2x", &byte);
    other.raw[i] = (uint8_t)byte;
  }
  struct ibv_port_attr port;
  if (ibv_query_port(context, 1, &port)) fail("ibv_query_port");
  struct ibv_qp_attr ready = {
      .qp_state = IBV_QPS_RTR,
      .path_mtu = port.active_mtu,
      .dest_qp_num = number,
      .max_dest_rd_atomic = 1,
      .min_rnr_timer = 12,
      .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = other, .sgid_index = (uint8_t)gid_index, .hop_limit = 255}},
  };
  if (ibv_modify_qp(pair, &ready,
                    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)) {
    fail("RTR");
  }
  struct ibv_qp_attr sending = {.qp_state = IBV_QPS_RTS, .timeout = 20, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
  if (ibv_modify_qp(pair, &sending,
                    IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC)) {
    fail("RTS");
  }
}

static void poll_once(void) {
  struct ibv_wc done[8];
  int count = ibv_poll_cq(completions, 8, done);
  if (count < 0) fail("ibv_poll_cq");
  for (int i = 0; i < count; i++) {
    if (done[i].status != IBV_WC_SUCCESS) {
      fprintf(stderr, "ib_peer %s: %s\n", role, ibv_wc_status_str(done[i].status));
      exit(1);
    }
    if (done[i].opcode & IBV_WC_RECV) {
      arrived++;
      post_receive();
    } else {
      signalled += SIGNALED;
    }
  }
}

static void poll_until(const long *counter, long wanted) {
  double end = now() + SECONDS * 1e9;
  for (long i = 0; *counter < wanted; i++) {
    poll_once();
    if (i % 4096 == 4095 && now() > end) {
      fprintf(stderr, "ib_peer %s: nothing came in %d s\n", role, SECONDS);
      exit(1);
    }
  }
}

static void write_one(void) {
  poll_until(&signalled, written - SENDS + SIGNALED); // room for one more
  struct ibv_sge piece = {.addr = (uintptr_t)&memory[0], .length = BYTES, .lkey = region->lkey};
  struct ibv_send_wr write = {
      .sg_list = &piece,
      .num_sge = 1,
      .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
      .send_flags = IBV_SEND_INLINE | (++written % SIGNALED == 0 ? IBV_SEND_SIGNALED : 0),
      .imm_data = htonl((uint32_t)written),
      .wr.rdma = {.remote_addr = there, .rkey = there_key},
  };
  struct ibv_send_wr *bad;
  memory[0] = (uint64_t)written;
  if (ibv_post_send(pair, &write, &bad)) fail("ibv_post_send");
}

static void ping(long rounds) {
  int near = !strcmp(role, "near");
  long base = arrived;
  if (near) write_one();
  for (long i = 1; i <= rounds; i++) {
    poll_until(&arrived, base + i);
    if (!near || i < rounds) write_one();
  }
  if (memory[1] != (uint64_t)arrived) { // what was written last
    fprintf(stderr, "ib_peer %s: %" PRIu64 " has come, not %ld\n", role, memory[1], arrived);
    exit(1);
  }
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: ib_peer near|far DEVICE GID_INDEX\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  role = words[1];
  gid_index = atoi(words[3]);
  open_device(words[2]);
  open_pair();
  say_where();
  char line[LINE];
  while (fgets(line, sizeof line, stdin)) {
    double start = now();
    long rounds;
    if (!strncmp(line, "connect ", 8)) {
      connect_to(line + 8);
    } else if (sscanf(line, "ping %ld", &rounds) == 1) {
      ping(rounds);
    } else {
      fprintf(stderr, "ib_peer %s: not understood: %s", role, line);
      return 1;
    }
    printf("ok %.0f\n", now() - start);
  }
  return 0;
}
