/* SPDX-License-Identifier: Apache-2.0 */
/* The versions of the loop-back plugin: what they share is in loopback.c, which includes this. */

#define EXPORT __attribute__((visibility("default")))
#ifdef ONLY
#define HAS(v) (ONLY == v)
#else
#define HAS(v) 1
#endif

static ncclProfilerCallback_t profiler;
static int traffic_class = NCCL_NET_TRAFFIC_CLASS_UNDEF;

static ncclResult_t regMr_int(void *comm, void *data, int size, int type, void **out) {
  return do_reg(comm, data, (uint64_t)size, type, out);
}

static ncclResult_t regMr_size(void *comm, void *data, size_t size, int type, void **out) {
  return do_reg(comm, data, size, type, out);
}

static ncclResult_t isend_one(void *comm, void *data, int size, void *memory, void **out) {
  ncclResult_t wrong = check_memory(memory, data, (uint64_t)size);
  return wrong ? wrong : do_isend(comm, data, (uint64_t)size, 0, out);
}

static ncclResult_t isend_int(void *comm, void *data, int size, int tag, void *memory,
                              void **out) {
  ncclResult_t wrong = check_memory(memory, data, (uint64_t)size);
  return wrong ? wrong : do_isend(comm, data, (uint64_t)size, tag, out);
}

static ncclResult_t isend_size(void *comm, void *data, size_t size, int tag, void *memory,
                               void **out) {
  ncclResult_t wrong = check_memory(memory, data, size);
  return wrong ? wrong : do_isend(comm, data, size, tag, out);
}

static ncclResult_t isend_profiled(void *comm, void *data, size_t size, int tag, void *memory,
                                   void *parent, void **out) {
  ncclResult_t wrong = check_memory(memory, data, size);
  if (!wrong) wrong = do_isend(comm, data, size, tag, out);
  if (!wrong && *out && profiler && parent) {
    void *event = 0;
    uint64_t about = size;
    profiler(&event, 0, parent, 0x10001, &about);
    profiler(&event, 1, parent, 0x10001, &about);
  }
  return wrong;
}

static ncclResult_t irecv_one(void *comm, void *data, int size, void *memory, void **out) {
  uint64_t wide = (uint64_t)size;
  int tag = 0;
  ncclResult_t wrong = check_memory(memory, data, wide);
  return wrong ? wrong : do_irecv(comm, 1, &data, &wide, &tag, out);
}

static ncclResult_t irecv_int(void *comm, int n, void **data, int *sizes, int *tags,
                              void **memory, void **out) {
  uint64_t wide[PIECES];
  for (int i = 0; i < n && i < PIECES; i++) {
    wide[i] = (uint64_t)sizes[i];
    ncclResult_t wrong = check_memory(memory[i], data[i], wide[i]);
    if (wrong) return wrong;
  }
  return do_irecv(comm, n, data, wide, tags, out);
}

static ncclResult_t irecv_size(void *comm, int n, void **data, size_t *sizes, int *tags,
                               void **memory, void **out) {
  uint64_t wide[PIECES];
  for (int i = 0; i < n && i < PIECES; i++) {
    wide[i] = sizes[i];
    ncclResult_t wrong = check_memory(memory[i], data[i], wide[i]);
    if (wrong) return wrong;
  }
  return do_irecv(comm, n, data, wide, tags, out); /* a hint in *out is not used */
}

static ncclResult_t irecv_profiled(void *comm, int n, void **data, size_t *sizes, int *tags,
                                   void **memory, void **parents, void **out) {
  (void)parents;
  return irecv_size(comm, n, data, sizes, tags, memory, out);
}

static ncclResult_t flush_now(void *comm, void *data, int size, void *memory) {
  (void)comm;
  return check_memory(memory, data, (uint64_t)size);
}

static ncclResult_t iflush_one(void *comm, void *data, int size, void *memory, void **out) {
  ncclResult_t wrong = check_memory(memory, data, (uint64_t)size);
  return wrong ? wrong : do_iflush(comm, 1, out);
}

static ncclResult_t iflush(void *comm, int n, void **data, int *sizes, void **memory,
                           void **out) {
  for (int i = 0; i < n; i++) {
    ncclResult_t wrong = check_memory(memory[i], data[i], (uint64_t)sizes[i]);
    if (wrong) return wrong;
  }
  return do_iflush(comm, n, out);
}

static ncclResult_t connect_waiting(int device, void *handle, void **out) {
  return do_connect(device, handle, out, 1);
}

static ncclResult_t accept_waiting(void *listener, void **out) {
  return do_accept(listener, out, 1);
}

static ncclResult_t connect_plain(int device, void *handle, void **out) {
  return do_connect(device, handle, out, 0);
}

static ncclResult_t accept_plain(void *listener, void **out) {
  return do_accept(listener, out, 0);
}

static ncclResult_t connect_offload(int device, void *handle, void **out,
                                    ncclNetDeviceHandle_v7_t **offload) {
  *offload = 0;
  return do_connect(device, handle, out, 0);
}

static ncclResult_t accept_offload(void *listener, void **out,
                                   ncclNetDeviceHandle_v7_t **offload) {
  *offload = 0;
  return do_accept(listener, out, 0);
}

static ncclResult_t connect_config(int device, ncclNetCommConfig_v10_t *config, void *handle,
                                   void **out, ncclNetDeviceHandle_v10_t **offload) {
  traffic_class = config->trafficClass;
  return connect_offload(device, handle, out, offload);
}

struct context {
  uint64_t magic, comm;
};

static ncclResult_t check_context(struct context *context) {
  if (context && context->magic == MAGIC) return ncclSuccess;
  WARN("NET/Loopback : %p is no context", (void *)context);
  return ncclInternalError;
}

static ncclResult_t listen_context(void *context, int device, void *handle, void **out) {
  ncclResult_t wrong = check_context(context);
  return wrong ? wrong : do_listen(device, handle, out);
}

static ncclResult_t connect_context(void *context, int device, void *handle, void **out,
                                    ncclNetDeviceHandle_v11_t **offload) {
  ncclResult_t wrong = check_context(context);
  return wrong ? wrong : connect_offload(device, handle, out, offload);
}

static ncclResult_t init_context(void **context, uint64_t comm, ncclNetCommConfig_v11_t *config,
                                 ncclDebugLogger_t log, ncclProfilerCallback_t prof) {
  struct context *c = malloc(sizeof *c);
  *c = (struct context){MAGIC, comm};
  *context = c;
  profiler = prof;
  traffic_class = config->trafficClass;
  return start(log, "11 or 12");
}

static ncclResult_t finalize(void *context) {
  ncclResult_t wrong = check_context(context);
  if (wrong) return wrong;
  ((struct context *)context)->magic = 0;
  free(context);
  return ncclSuccess;
}

static ncclNetAttr_v11_t attributes;

static ncclResult_t setNetAttr(void *context, ncclNetAttr_v11_t *attr) {
  attributes = *attr;
  return check_context(context);
}

static ncclResult_t init_profiler(ncclDebugLogger_t log, ncclProfilerCallback_t prof) {
  profiler = prof;
  return start(log, "10");
}

/* What a test wants to know. */
EXPORT int loopback_traffic_class(void) { return traffic_class; }
EXPORT const void *loopback_attributes(void) { return &attributes; }

static ncclResult_t pciPath(int device, char **path) {
  *path = 0;
  return check_device(device);
}

static ncclResult_t ptrSupport(int device, int *types) {
  *types = TYPES;
  return check_device(device);
}

/* What a test may have otherwise. */
#ifndef MAX_RECVS
#define MAX_RECVS PIECES
#endif
#ifndef MAX_P2P_BYTES
#define MAX_P2P_BYTES (1ULL << 32)
#endif
#ifndef MAX_COLL_BYTES
#define MAX_COLL_BYTES (1ULL << 33)
#endif

#define ALL_PROPERTIES                                                                       \
  memset(p, 0, sizeof *p);                                                                   \
  p->name = "loop0";                                                                         \
  p->guid = 0x1f2e3d4c5b6a7988ULL;                                                           \
  p->ptrSupport = TYPES;                                                                     \
  p->speed = 10000;                                                                          \
  p->port = 1;                                                                               \
  p->maxComms = 256;
#define V5_PROPERTIES ALL_PROPERTIES p->latency = 12.5f; p->maxRecvs = MAX_RECVS;
#define V7_PROPERTIES V5_PROPERTIES p->netDeviceType = NCCL_NET_DEVICE_HOST;
#define V9_PROPERTIES                                                                        \
  V7_PROPERTIES p->forceFlush = 1; p->vProps.ndevs = 1; p->vProps.devs[0] = device;          \
  p->maxP2pBytes = MAX_P2P_BYTES; p->maxCollBytes = MAX_COLL_BYTES;
#define V11_PROPERTIES V9_PROPERTIES p->maxMultiRequestSize = 1;
#define V12_PROPERTIES V11_PROPERTIES p->railId = 3; p->planeId = -1;

#define PROPERTIES(v, fill)                                                                  \
  static ncclResult_t properties_v##v(int device, ncclNetProperties_v##v##_t *p) {           \
    ncclResult_t wrong = check_device(device);                                               \
    if (wrong) return wrong;                                                                 \
    fill return ncclSuccess;                                                                 \
  }

#define INIT(v) \
  static ncclResult_t start_v##v(ncclDebugLogger_t log) { return start(log, #v); }

#define TAIL .test = do_test, .closeSend = do_close, .closeRecv = do_close, \
             .closeListen = close_listen

#ifdef NAMED /* each struct by its own version */
#define NAME(v) "Loopback v" #v
#else
#define NAME(v) "Loopback"
#endif

#ifdef FAULT
#define PLUGIN(v, start, ...) /* wrong.c has its own */
#elif defined(LAZY)
/* Before init there is nothing but the name and init, and the name is another one then. */
#define PLUGIN(v, start, ...)                                                                \
  EXPORT ncclNet_v##v##_t ncclNetPlugin_v##v;                                                \
  static const ncclNet_v##v##_t full_v##v = {.name = "Loopback_v" #v, .init = start, __VA_ARGS__}; \
  static ncclResult_t lazy_v##v(ncclDebugLogger_t log) {                                     \
    ncclNetPlugin_v##v = full_v##v;                                                          \
    return start(log);                                                                       \
  }                                                                                          \
  EXPORT ncclNet_v##v##_t ncclNetPlugin_v##v = {.name = "Loopback", .init = lazy_v##v};
#else
#define PLUGIN(v, start, ...) \
  EXPORT ncclNet_v##v##_t ncclNetPlugin_v##v = {.name = NAME(v), .init = start, __VA_ARGS__};
#endif

#if HAS(2)
INIT(2)
PLUGIN(2, start_v2, .devices = devices, .pciPath = pciPath, .ptrSupport = ptrSupport,
       .listen = do_listen, .connect = connect_waiting, .accept = accept_waiting,
       .regMr = regMr_int, .deregMr = deregMr, .isend = isend_one, .irecv = irecv_one,
       .flush = flush_now, TAIL)
#endif
#if HAS(3)
PROPERTIES(3, ALL_PROPERTIES)
INIT(3)
PLUGIN(3, start_v3, .devices = devices, .getProperties = properties_v3, .listen = do_listen,
       .connect = connect_waiting, .accept = accept_waiting, .regMr = regMr_int,
       .deregMr = deregMr, .isend = isend_one, .irecv = irecv_one, .flush = flush_now, TAIL)
#endif
#if HAS(4)
PROPERTIES(4, ALL_PROPERTIES)
INIT(4)
PLUGIN(4, start_v4, .devices = devices, .getProperties = properties_v4, .listen = do_listen,
       .connect = connect_waiting, .accept = accept_waiting, .regMr = regMr_int,
       .deregMr = deregMr, .isend = isend_one, .irecv = irecv_one, .iflush = iflush_one, TAIL)
#endif
#if HAS(5)
PROPERTIES(5, V5_PROPERTIES)
INIT(5)
PLUGIN(5, start_v5, .devices = devices, .getProperties = properties_v5, .listen = do_listen,
       .connect = connect_plain, .accept = accept_plain, .regMr = regMr_int,
       .deregMr = deregMr, .isend = isend_int, .irecv = irecv_int, .iflush = iflush, TAIL)
#endif
#if HAS(6)
PROPERTIES(6, V5_PROPERTIES)
INIT(6)
PLUGIN(6, start_v6, .devices = devices, .getProperties = properties_v6, .listen = do_listen,
       .connect = connect_plain, .accept = accept_plain, .regMr = regMr_int,
       .deregMr = deregMr, .isend = isend_int, .irecv = irecv_int, .iflush = iflush, TAIL)
#endif
#if HAS(7)
PROPERTIES(7, V7_PROPERTIES)
INIT(7)
PLUGIN(7, start_v7, CONSUMED .devices = devices, .getProperties = properties_v7, .listen = do_listen,
       .connect = connect_offload, .accept = accept_offload, .regMr = regMr_int,
       .deregMr = deregMr, .isend = isend_int, .irecv = irecv_int, .iflush = iflush, TAIL)
#endif
#if HAS(8)
PROPERTIES(8, V7_PROPERTIES)
INIT(8)
PLUGIN(8, start_v8, CONSUMED .devices = devices, .getProperties = properties_v8, .listen = do_listen,
       .connect = connect_offload, .accept = accept_offload, .regMr = regMr_size,
       .deregMr = deregMr, .isend = isend_int, .irecv = irecv_int, .iflush = iflush, TAIL)
#endif
#if HAS(9)
PROPERTIES(9, V9_PROPERTIES)
INIT(9)
PLUGIN(9, start_v9, CONSUMED .devices = devices, .getProperties = properties_v9, .listen = do_listen,
       .connect = connect_offload, .accept = accept_offload, .regMr = regMr_size,
       .deregMr = deregMr, .isend = isend_size, .irecv = irecv_size, .iflush = iflush, TAIL)
#endif

#undef PLUGIN
#define PLUGIN(v, start, ...) \
  EXPORT ncclNet_v##v##_t ncclNetPlugin_v##v = {.name = NAME(v), .init = start, __VA_ARGS__};

#if HAS(10)
PROPERTIES(10, V9_PROPERTIES)
PLUGIN(10, init_profiler, CONSUMED .devices = devices, .getProperties = properties_v10,
       .listen = do_listen, .connect = connect_config, .accept = accept_offload,
       .regMr = regMr_size, .deregMr = deregMr, .isend = isend_profiled,
       .irecv = irecv_profiled, .iflush = iflush, TAIL)
#endif
#define CONTEXT                                                                              \
  CONSUMED                                                                                   \
  .listen = listen_context, .connect = connect_context, .accept = accept_offload,            \
  .regMr = regMr_size, .deregMr = deregMr, .isend = isend_profiled,                          \
  .irecv = irecv_profiled, .iflush = iflush, .finalize = finalize, .setNetAttr = setNetAttr, \
  TAIL
#if HAS(11)
PROPERTIES(11, V11_PROPERTIES)
PLUGIN(11, init_context, .devices = devices, .getProperties = properties_v11, CONTEXT)
#endif
#if HAS(12)
PROPERTIES(12, V12_PROPERTIES)
PLUGIN(12, init_context, .devices = devices, .getProperties = properties_v12, CONTEXT)
#endif
