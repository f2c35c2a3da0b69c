/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small collective network in C, over the sockets of the loop-back plugin, in versions 4 to 12:
 * member 0 gathers the contributions, reduces them and hands out the result. It knows sums and
 * maxima of 32-bit integers and floats, all-gather and reduce-scatter. It blocks in its calls: it is
 * here to be called, not to be fast.
 */
#include "loopback.c"

struct group {
  int rank, ranks;
  int fds[16]; /* of member 0: to each other; of the others: to member 0 at 0 */
};

struct result {
  int size;
};

static int all(int fd, void *data, size_t size, int out) {
  struct stream s = {.fd = fd};
  double until = now() + CONNECT_SECONDS;
  int moved;
  while ((moved = move_all(&s, data, size, out)) == 0 && now() < until) usleep(50);
  return moved == 1 ? 0 : -1;
}

static ncclResult_t coll_connect(void *handles[], int ranks, int rank, void *listener,
                                 void **out) {
  struct listener *l = listener;
  struct group *g = calloc(1, sizeof *g);
  g->rank = rank;
  g->ranks = ranks;
  if (ranks > 16) {
    WARN("a group of %d, at most 16 are possible", ranks);
    free(g);
    return ncclInvalidUsage;
  }
  double until = now() + CONNECT_SECONDS;
  if (rank == 0) {
    for (int there = 1; there < ranks;) {
      int fd = accept4(l->fd, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
      int who;
      if (fd < 0) {
        if (now() > until) return ncclRemoteError;
        usleep(200);
      } else if (all(fd, &who, sizeof who, 0) || who < 1 || who >= ranks) {
        close(fd);
      } else {
        g->fds[who] = fd;
        there++;
      }
    }
  } else {
    struct handle *h = handles[0];
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons((uint16_t)h->port)};
    if (h->magic != MAGIC) return ncclInvalidArgument;
    g->fds[0] = new_socket();
    while (connect(g->fds[0], (struct sockaddr *)&address, sizeof address) && errno != EISCONN) {
      if (now() > until) return ncclRemoteError;
      usleep(200);
    }
    if (all(g->fds[0], &rank, sizeof rank, 1)) return ncclRemoteError;
  }
  *out = g;
  return ncclSuccess;
}

static ncclResult_t reduce_support(ncclDataType_t type, ncclRedOp_t op, int *supported) {
  *supported = (type == ncclInt32 || type == ncclFloat32) && (op == ncclSum || op == ncclMax);
  return ncclSuccess;
}

#define COMBINE(kind)                                                          \
  for (size_t i = 0; i < count; i++) {                                         \
    kind a = ((kind *)into)[i], b = ((kind *)from)[i];                         \
    ((kind *)into)[i] = op == ncclSum ? a + b : a > b ? a : b;                 \
  }

static void combine(void *into, void *from, size_t count, ncclDataType_t type, ncclRedOp_t op) {
  if (type == ncclInt32) {
    COMBINE(int32_t)
  } else {
    COMBINE(float)
  }
}

/* Every member ends with the reduction of all in data. */
static ncclResult_t reduce_all(struct group *g, char *data, size_t count, ncclDataType_t type,
                               ncclRedOp_t op) {
  size_t bytes = count * 4;
  if (g->rank) {
    if (all(g->fds[0], data, bytes, 1) || all(g->fds[0], data, bytes, 0)) return ncclRemoteError;
    return ncclSuccess;
  }
  char *other = malloc(bytes + 1);
  int failed = 0;
  for (int r = 1; r < g->ranks && !failed; r++) {
    failed = all(g->fds[r], other, bytes, 0);
    if (!failed) combine(data, other, count, type, op);
  }
  for (int r = 1; r < g->ranks && !failed; r++) failed = all(g->fds[r], data, bytes, 1);
  free(other);
  return failed ? ncclRemoteError : ncclSuccess;
}

static ncclResult_t done(size_t size, void **out) {
  struct result *r = malloc(sizeof *r);
  r->size = (int)size;
  *out = r;
  return ncclSuccess;
}

static ncclResult_t allreduce_size(void *coll, void *send, void *recv, size_t count,
                                   ncclDataType_t type, ncclRedOp_t op, void *send_memory,
                                   void *recv_memory, void **out) {
  ncclResult_t wrong = check_memory(send_memory, send, count * 4);
  if (!wrong) wrong = check_memory(recv_memory, recv, count * 4);
  if (wrong) return wrong;
  memmove(recv, send, count * 4);
  wrong = reduce_all(coll, recv, count, type, op);
  return wrong ? wrong : done(count * 4, out);
}

static ncclResult_t allreduce_int(void *coll, void *send, void *recv, int count,
                                  ncclDataType_t type, ncclRedOp_t op, void *send_memory,
                                  void *recv_memory, void **out) {
  return allreduce_size(coll, send, recv, (size_t)count, type, op, send_memory, recv_memory, out);
}

/* Copies between the pieces and a window of the whole. */
#define PIECES_COPY(piece)                                                                     \
  static void copy_##piece(int n, piece *pieces, char *window, int out) {                      \
    for (int i = 0; i < n; i++) {                                                              \
      if (out) memcpy(pieces[i].address, window, pieces[i].size);                              \
      else memcpy(window, pieces[i].address, pieces[i].size);                                  \
      window += pieces[i].size;                                                                \
    }                                                                                          \
  }                                                                                            \
  static ncclResult_t gather_##piece(void *coll, void *send, int n, piece *pieces,             \
                                     size_t each, size_t offset, size_t bytes, void *memory,   \
                                     void **out) {                                             \
    struct group *g = coll;                                                                    \
    char *whole = calloc(1, each * (size_t)g->ranks);                                          \
    ncclResult_t wrong = check_memory(memory, send, each);                                     \
    memcpy(whole + each * (size_t)g->rank, send, each);                                        \
    if (!wrong) wrong = reduce_all(g, whole, each * (size_t)g->ranks / 4, ncclInt32, ncclSum); \
    if (!wrong) copy_##piece(n, pieces, whole + offset, 1);                                    \
    free(whole);                                                                               \
    return wrong ? wrong : done(bytes, out);                                                   \
  }                                                                                            \
  static ncclResult_t scatter_##piece(void *coll, int n, piece *pieces, void *recv,            \
                                      size_t each, size_t offset, size_t bytes,                \
                                      ncclDataType_t type, ncclRedOp_t op, void *memory,       \
                                      void **out) {                                            \
    struct group *g = coll;                                                                    \
    char *whole = calloc(1, each * (size_t)g->ranks);                                          \
    ncclResult_t wrong = check_memory(memory, recv, each);                                     \
    copy_##piece(n, pieces, whole + offset, 0);                                                \
    if (!wrong) wrong = reduce_all(g, whole, each * (size_t)g->ranks / 4, type, op);           \
    if (!wrong) memcpy(recv, whole + each * (size_t)g->rank, each);                            \
    free(whole);                                                                               \
    (void)bytes;                                                                               \
    return wrong ? wrong : done(each, out);                                                    \
  }

PIECES_COPY(ncclNetSGE_v8_t)
PIECES_COPY(ncclNetSGE_v9_t)

static ncclResult_t coll_iflush(void *coll, void *data, int size, void *memory, void **out) {
  ncclResult_t wrong = check_memory(memory, data, (uint64_t)size);
  (void)coll;
  return wrong ? wrong : done((size_t)size, out);
}

static ncclResult_t coll_test(void *request, int *is_done, int *size) {
  struct result *r = request;
  if (size) *size = r->size;
  *is_done = 1;
  free(r);
  return ncclSuccess;
}

static ncclResult_t coll_close(void *coll) {
  struct group *g = coll;
  for (int r = 0; r < 16; r++)
    if (g->fds[r] > 0) close(g->fds[r]);
  free(g);
  return ncclSuccess;
}

static ncclResult_t coll_init_context(void **context, uint64_t comm, ncclDebugLogger_t log) {
  ncclNetCommConfig_v11_t none = {-1};
  return init_context(context, comm, &none, log, 0);
}

#define COLL_FIRST(v) \
  .name = "Collective", .devices = devices, .getProperties = properties_v##v
#define COLL_LAST \
  .connect = coll_connect, .reduceSupport = reduce_support, .deregMr = deregMr, \
  .iflush = coll_iflush, .test = coll_test, .closeColl = coll_close, .closeListen = close_listen
#define COLL_OLD .listen = do_listen, .regMr = regMr_int, .iallreduce = allreduce_int
#define COLL_WIDE \
  .regMr = regMr_size, .iallreduce = allreduce_size, .iallgather = gather_ncclNetSGE_v9_t, \
  .ireducescatter = scatter_ncclNetSGE_v9_t

EXPORT ncclCollNet_v4_t ncclCollNetPlugin_v4 = {
    COLL_FIRST(4), .init = start_v4, COLL_OLD, COLL_LAST};
EXPORT ncclCollNet_v5_t ncclCollNetPlugin_v5 = {
    COLL_FIRST(5), .init = start_v5, COLL_OLD, COLL_LAST};
EXPORT ncclCollNet_v6_t ncclCollNetPlugin_v6 = {
    COLL_FIRST(6), .init = start_v6, COLL_OLD, COLL_LAST};
EXPORT ncclCollNet_v7_t ncclCollNetPlugin_v7 = {
    COLL_FIRST(7), .init = start_v7, COLL_OLD, COLL_LAST};
EXPORT ncclCollNet_v8_t ncclCollNetPlugin_v8 = {
    COLL_FIRST(8), .init = start_v8, .listen = do_listen, .regMr = regMr_size,
    .iallreduce = allreduce_int, .iallgather = gather_ncclNetSGE_v8_t,
    .ireducescatter = scatter_ncclNetSGE_v8_t, COLL_LAST};
EXPORT ncclCollNet_v9_t ncclCollNetPlugin_v9 = {
    COLL_FIRST(9), .init = start_v9, .listen = do_listen, COLL_WIDE, COLL_LAST};
EXPORT ncclCollNet_v10_t ncclCollNetPlugin_v10 = {
    COLL_FIRST(10), .init = start_v9, .listen = do_listen, COLL_WIDE, COLL_LAST};
EXPORT ncclCollNet_v11_t ncclCollNetPlugin_v11 = {
    COLL_FIRST(11), .init = coll_init_context, .listen = listen_context, COLL_WIDE,
    .finalize = finalize, COLL_LAST};
EXPORT ncclCollNet_v12_t ncclCollNetPlugin_v12 = {
    COLL_FIRST(12), .init = coll_init_context, .listen = listen_context, COLL_WIDE,
    .finalize = finalize, COLL_LAST};
