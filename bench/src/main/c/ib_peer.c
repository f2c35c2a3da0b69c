// SPDX-License-Identifier: Apache-2.0
//
// The C side of bench/ib-vs-perftest where perftest has no test: one end of reliable connections, told what to do through its standard input, as
// io.nitinol.bench.socket.EndProcess describes.
//
//   usage: ib_peer near|far imm|clear DEVICE GID_INDEX PAIRS DEPTH LARGEST spin|yield
//
// imm: the least that immediate data costs. One queue pair both ways; receives are posted ahead, and posted again after each arrival.
// clear: what the plugin does. A connection of PAIRS queue pairs each way; the receiver of a message posts a receive and writes a clear-to-send entry of 64
// bytes into the sender's table, the sender writes the message with immediate data where the entry says, one queue pair after the other in turn.
//
// Up to DEPTH messages are on their way. A message of 8 bytes goes inside the work request. All calls spin,
// or let others run whenever there is nothing to do.

#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALL = 8, PAIRS = 16, SLOTS = 32, ENTRY = 64, PIECES = 8, SIGNALED = 16, QUEUE = 4 * SLOTS, SECONDS = 30, LINE = 1024 };

// As the plugin has it: one of eight for each receive, which may have as many pieces.
struct entry {
  uint64_t address, room;
  uint32_t keys[8], pieces, tag;
  uint64_t number;
};

// One connection. Messages are numbered from 0, and number k is in slot k % depth.
struct way {
  struct ibv_cq *completions;
  struct ibv_qp *pairs[PAIRS];
  struct entry (*table)[PIECES]; // written by the receiver, or its copy
  uint64_t there;                // the other end's table
  long sent, received;           // begun
  long sends_done, receives_done;
  char sending[QUEUE], receiving[SLOTS];
  long announced;
};

static const char *role;
static int clear_to_send, pair_count, depth, yields;
static size_t largest;
static struct ibv_context *context;
static struct ibv_pd *domain;
static struct ibv_mr *region;
static union ibv_gid gid;
static int gid_index;
static struct way ways[2]; // far to near, near to far; imm has the first only
static char *memory;       // two tables, 64 bytes sent, 64 bytes received, then the slots of streams
static size_t bytes, tables;
static uint64_t there; // the same at the other end
static uint32_t there_key;

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
  if (!(domain = ibv_alloc_pd(context))) fail("ibv_alloc_pd");
  if (ibv_query_gid(context, 1, gid_index, &gid)) fail("ibv_query_gid");
  tables = 2 * SLOTS * PIECES * ENTRY;
  bytes = tables + 128 + (size_t)depth * largest;
  if (!(memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096))) fail("memory");
  memset(memory, 0, bytes);
  if (!(region = ibv_reg_mr(domain, memory, bytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE))) fail("ibv_reg_mr");
}

static void post_receive(struct way *way, int pair, uint64_t id) {
  struct ibv_recv_wr receive = {.wr_id = id}, *bad; // no memory: a write brings its address
  if (ibv_post_recv(way->pairs[pair], &receive, &bad)) fail("ibv_post_recv");
}

static void open_way(struct way *way) {
  way->table = (struct entry(*)[PIECES])(memory + (size_t)(way - ways) * SLOTS * PIECES * ENTRY);
  if (!(way->completions = ibv_create_cq(context, 2 * QUEUE * pair_count, NULL, NULL, 0))) fail("ibv_create_cq");
  struct ibv_qp_init_attr wanted = {
      .send_cq = way->completions,
      .recv_cq = way->completions,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = QUEUE, .max_recv_wr = QUEUE, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = SMALL},
  };
  struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
  for (int i = 0; i < pair_count; i++) {
    if (!(way->pairs[i] = ibv_create_qp(domain, &wanted))) fail("ibv_create_qp");
    if (ibv_modify_qp(way->pairs[i], &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS)) fail("INIT");
    for (int k = 0; k < QUEUE && !clear_to_send; k++) post_receive(way, i, (uint64_t)i);
  }
}

static void say_where(void) {
  printf("handles ");
  for (size_t i = 0; i < sizeof gid.raw; i++) printf("%02x", gid.raw[i]);
  printf(":%" PRIu64 ":%u", (uint64_t)(uintptr_t)memory, region->rkey);
  for (int w = 0; w <= clear_to_send; w++) {
    for (int i = 0; i < pair_count; i++) printf(":%u", ways[w].pairs[i]->qp_num);
  }
  printf("\n");
}

static unsigned long long number_in(const char **words) {
  char *end;
  if (**words != ':') fail("connect");
  unsigned long long number = strtoull(*words + 1, &end, 10);
  *words = end;
  return number;
}

static void connect_to(const char *words) {
  union ibv_gid other;
  for (size_t i = 0; i < sizeof other.raw; i++, words += 2) {
    unsigned byte = 0;
    if (sscanf(words, "%2x", &byte) != 1) fail("connect");
    other.raw[i] = (uint8_t)byte;
  }
  there = number_in(&words);
  there_key = (uint32_t)number_in(&words);
  struct ibv_port_attr port;
  if (ibv_query_port(context, 1, &port)) fail("ibv_query_port");
  struct ibv_qp_attr sending = {.qp_state = IBV_QPS_RTS, .timeout = 20, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
  for (int w = 0; w <= clear_to_send; w++) {
    ways[w].there = there + (uint64_t)w * SLOTS * PIECES * ENTRY;
    for (int i = 0; i < pair_count; i++) {
      struct ibv_qp_attr ready = {
          .qp_state = IBV_QPS_RTR,
          .path_mtu = port.active_mtu,
          .dest_qp_num = (uint32_t)number_in(&words),
          .max_dest_rd_atomic = 1,
          .min_rnr_timer = 12,
          .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = other, .sgid_index = (uint8_t)gid_index, .hop_limit = 255}},
      };
      if (ibv_modify_qp(ways[w].pairs[i], &ready,
                        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                            IBV_QP_MIN_RNR_TIMER)) {
        fail("RTR");
      }
      if (ibv_modify_qp(ways[w].pairs[i], &sending,
                        IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC)) {
        fail("RTS");
      }
    }
  }
}

static void arrived(struct way *way, uint64_t id) {
  if (!clear_to_send) {
    way->receives_done++;
    post_receive(way, (int)id, id);
    return;
  }
  way->receiving[id % SLOTS] = 0;
  while (way->receives_done < way->received && !way->receiving[way->receives_done % SLOTS]) way->receives_done++;
}

static void poll_once(struct way *way) {
  struct ibv_wc done[16];
  int count = ibv_poll_cq(way->completions, 16, done);
  if (count < 0) fail("ibv_poll_cq");
  for (int i = 0; i < count; i++) {
    if (done[i].status != IBV_WC_SUCCESS) {
      fprintf(stderr, "ib_peer %s: %s\n", role, ibv_wc_status_str(done[i].status));
      exit(1);
    }
    if (done[i].opcode & IBV_WC_RECV) {
      arrived(way, done[i].wr_id);
    } else if (done[i].wr_id != UINT64_MAX) {
      // And those before it on its queue pair.
      for (long k = (long)done[i].wr_id; k >= way->sends_done; k -= pair_count) way->sending[k % QUEUE] = 0;
    }
  }
  while (way->sends_done < way->sent && !way->sending[way->sends_done % QUEUE]) way->sends_done++;
  if (count == 0 && yields) sched_yield();
}

static void poll_until(struct way *way, const long *counter, long wanted) {
  double end = now() + SECONDS * 1e9;
  for (long i = 0; *counter < wanted; i++) {
    poll_once(way);
    if (i % 4096 == 4095 && now() > end) {
      fprintf(stderr, "ib_peer %s: nothing came in %d s\n", role, SECONDS);
      exit(1);
    }
  }
}

static void post_write(struct way *way, int pair, struct ibv_send_wr *write, uint64_t from, uint64_t to, uint32_t key, size_t length) {
  struct ibv_sge piece = {.addr = from, .length = (uint32_t)length, .lkey = region->lkey};
  struct ibv_send_wr *bad;
  write->sg_list = &piece;
  write->num_sge = 1;
  write->send_flags |= length <= SMALL ? IBV_SEND_INLINE : 0;
  write->wr.rdma.remote_addr = to;
  write->wr.rdma.rkey = key;
  if (ibv_post_send(way->pairs[pair], write, &bad)) fail("ibv_post_send");
}

// Begins to receive a message at a place in memory.
static void receive(struct way *way, size_t at, size_t length) {
  long number = way->received++;
  if (!clear_to_send) return;
  way->receiving[number % SLOTS] = 1;
  post_receive(way, (int)(number % pair_count), (uint64_t)number);
  struct entry *entry = way->table[number % SLOTS];
  *entry = (struct entry){.address = (uintptr_t)memory + at, .room = length, .keys = {region->rkey}, .pieces = 1, .number = (uint64_t)number + 1};
  struct ibv_send_wr write = {
      .wr_id = UINT64_MAX,
      .opcode = IBV_WR_RDMA_WRITE,
      .send_flags = ++way->announced % SIGNALED == 0 ? IBV_SEND_SIGNALED : 0,
  };
  size_t offset = (size_t)((char *)entry - (char *)way->table);
  post_write(way, 0, &write, (uintptr_t)entry, way->there + offset, there_key, ENTRY);
}

// Begins to send a message from a place in memory to one; 0: it cannot go yet.
static int send_message(struct way *way, size_t from, size_t to, size_t length) {
  volatile struct entry *entry = way->table[way->sent % SLOTS];
  if (clear_to_send && entry->number != (uint64_t)way->sent + 1) return 0;
  if (way->sent - way->sends_done >= depth + (clear_to_send ? 0 : SIGNALED)) return 0;
  long number = way->sent++;
  way->sending[number % QUEUE] = 1;
  struct ibv_send_wr write = {
      .wr_id = (uint64_t)number,
      .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
      .send_flags = clear_to_send || length > SMALL || number % SIGNALED == 0 ? IBV_SEND_SIGNALED : 0,
      .imm_data = htonl((uint32_t)length),
  };
  uint64_t address = clear_to_send ? entry->address : there + to;
  uint32_t key = clear_to_send ? entry->keys[0] : there_key;
  post_write(way, (int)(number % pair_count), &write, (uintptr_t)memory + from, address, key, length);
  return 1;
}

static size_t slot(long number) { return tables + 128 + (size_t)(number % depth) * largest; }

static void send_stream(struct way *way, size_t length, long count) {
  double end = now() + SECONDS * 1e9;
  for (long begun = 0, polls = 0; begun < count;) {
    if (send_message(way, slot(way->sent), slot(way->sent), length)) {
      begun++;
    } else {
      poll_once(way);
      if (++polls % 4096 == 0 && now() > end) fail("stream");
    }
  }
  poll_until(way, &way->sends_done, way->sent);
}

static void receive_stream(struct way *way, size_t length, long count) {
  for (long begun = 0; begun < count; begun++) {
    if (way->received - way->receives_done >= depth) poll_until(way, &way->receives_done, way->receives_done + 1);
    receive(way, slot(way->received), length);
  }
  poll_until(way, &way->receives_done, way->received);
}

// Sends 8 bytes and waits for 8 bytes, or the other way around. Receives are posted ahead.
static void ping(struct way *out, struct way *in, long rounds) {
  int near = !strcmp(role, "near");
  long base = in->receives_done, posted = 0;
  for (long i = 0; i < rounds; i++) {
    for (; posted <= i; posted++) receive(in, tables + 64, SMALL);
    if (!near) poll_until(in, &in->receives_done, base + i + 1);
    *(uint64_t *)(memory + tables) = (uint64_t)i;
    while (!send_message(out, tables, tables + 64, SMALL)) poll_once(out);
    for (; posted < rounds && posted < i + depth; posted++) receive(in, tables + 64, SMALL); // while the answer is on its way
    if (near) poll_until(in, &in->receives_done, base + i + 1);
  }
  if (clear_to_send) poll_until(out, &out->sends_done, out->sent);
  uint64_t last = *(volatile uint64_t *)(memory + tables + 64);
  if (last != (uint64_t)rounds - 1) {
    fprintf(stderr, "ib_peer %s: %" PRIu64 " has come, not %ld\n", role, last, rounds - 1);
    exit(1);
  }
}

// Streams begin with a call from the near end.
static void stream(struct way *data, struct way *back, size_t length, long count) {
  if (!strcmp(role, "near")) {
    while (!send_message(back, tables, tables + 64, SMALL)) poll_once(back);
    receive_stream(data, length, count);
  } else {
    receive(back, tables + 64, SMALL);
    poll_until(back, &back->receives_done, back->received);
    send_stream(data, length, count);
  }
}

int main(int count, char **words) {
  if (count != 9) {
    fprintf(stderr, "usage: ib_peer near|far imm|clear DEVICE GID_INDEX PAIRS DEPTH LARGEST spin|yield\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  role = words[1];
  clear_to_send = !strcmp(words[2], "clear");
  gid_index = atoi(words[4]);
  pair_count = atoi(words[5]);
  depth = atoi(words[6]);
  largest = strtoull(words[7], NULL, 10);
  if (pair_count < 1 || pair_count > PAIRS || depth < 1 || depth > SLOTS) {
    fprintf(stderr, "ib_peer: 1 to %d pairs, 1 to %d messages\n", PAIRS, SLOTS);
    return 2;
  }
  yields = !strcmp(words[8], "yield");
  open_device(words[3]);
  for (int i = 0; i <= clear_to_send; i++) open_way(&ways[i]);
  struct way *data = &ways[0], *back = &ways[clear_to_send];
  int near = !strcmp(role, "near");
  say_where();
  char line[LINE];
  while (fgets(line, sizeof line, stdin)) {
    double start = now();
    long rounds;
    size_t length;
    if (!strncmp(line, "connect ", 8)) {
      connect_to(line + 8);
    } else if (sscanf(line, "stream %zu %ld", &length, &rounds) == 2) {
      stream(data, back, length, rounds);
    } else if (sscanf(line, "ping %ld", &rounds) == 1) {
      ping(near ? back : data, near ? data : back, rounds);
    } else {
      fprintf(stderr, "ib_peer %s: not understood: %s", role, line);
      return 1;
    }
    printf("ok %.0f\n", now() - start);
  }
  return 0;
}
