/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profiler of NCCL's interface, in every version, that writes a line for each call to the file
 * TEST_PROFILER_TRACE, or the one that -DTRACE="..." names:
 *
 *   init NAME NODES RANKS RANK
 *   start EVENT KIND PARENT RANK VALUES...
 *   state EVENT STATE ARGUMENT
 *   stop EVENT
 *   finalize
 *
 * It wants the events of -DMASK, all of them where that is not given. -DONLY=N exports version N
 * alone. -DFAULT=NAME, one of the list, makes it wrong.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "nccl_profiler_abi.h"

#ifndef FAULT
#define FAULT NONE
#endif
#ifndef MASK
#define MASK 0x7fff
#endif

enum {
  NONE,
  NO_START,    /* there is no startEvent */
  NO_RECORD,   /* recordEventState points to data */
  INIT_FAILS,  /* init fails */
  START_FAILS, /* startEvent fails for the third event */
  STOP_FAILS,  /* stopEvent fails */
  STATE_FAILS, /* recordEventState fails */
  END_FAILS,   /* finalize fails */
  NOTHING,     /* no event is recorded */
  BESIDE_CONTEXT, /* init writes behind the context's pointer */
  BESIDE_MASK,    /* init writes behind the mask */
  BESIDE_EVENT    /* startEvent writes behind the event's pointer */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *trace;
static long events;
static const long not_code = 1;

/* To be called with the lock. */
static void open_trace(void) {
  if (trace == NULL) {
#ifdef TRACE
    const char *name = TRACE;
#else
    const char *name = getenv("TEST_PROFILER_TRACE");
#endif
    trace = fopen(name == NULL ? "/dev/null" : name, "a");
    setvbuf(trace, NULL, _IOLBF, 0);
  }
}

#define LINE(...)                 \
  do {                            \
    pthread_mutex_lock(&lock);    \
    open_trace();                 \
    fprintf(trace, __VA_ARGS__);  \
    pthread_mutex_unlock(&lock);  \
  } while (0)

static ncclResult_t begin(void **context, int *mask, const char *name, int nodes, int ranks,
                          int rank) {
  if (FAULT == INIT_FAILS) return ncclSystemError;
  *mask = MASK;
  *context = malloc(1);
  if (FAULT == BESIDE_CONTEXT) context[1] = *context;
  if (FAULT == BESIDE_MASK) mask[1] = MASK;
  LINE("init %s %d %d %d\n", name == NULL ? "-" : name, nodes, ranks, rank);
  return ncclSuccess;
}

static ncclResult_t begin_old(void **context, int *mask) {
  return begin(context, mask, NULL, 0, 0, 0);
}

static ncclResult_t begin_v4(void **context, int *mask, const char *name, uint64_t id, int nodes,
                             int ranks, int rank, ncclDebugLogger_t logger) {
  return id == 0 || logger == NULL ? ncclInvalidArgument
                                   : begin(context, mask, name, nodes, ranks, rank);
}

static ncclResult_t begin_v5(void **context, uint64_t id, int *mask, const char *name, int nodes,
                             int ranks, int rank, ncclDebugLogger_t logger) {
  return begin_v4(context, mask, name, id, nodes, ranks, rank, logger);
}

static ncclResult_t stop(void *event) {
  if (FAULT == STOP_FAILS) return ncclInternalError;
  LINE("stop %ld\n", (long)event);
  return ncclSuccess;
}

static ncclResult_t finish(void *context) {
  free(context);
  LINE("finalize\n");
  return FAULT == END_FAILS ? ncclInternalError : ncclSuccess;
}

/* Takes the next number; the line of the event has to follow. */
static ncclResult_t next(void *context, void **event) {
  if (context == NULL) return ncclInvalidArgument;
  pthread_mutex_lock(&lock);
  long number = ++events;
  pthread_mutex_unlock(&lock);
  if (FAULT == START_FAILS && number >= 3) return ncclInvalidUsage;
  *event = FAULT == NOTHING ? NULL : (void *)number;
  if (FAULT == BESIDE_EVENT) event[1] = *event;
  return ncclSuccess;
}

#define HEAD(d) (long)*event, (int)(d)->type, (long)(d)->parentObj, (d)->rank
#define PROXY(d)                                                                              \
  case ncclProfileProxyOp:                                                                    \
    LINE("start %ld %d %ld %d pid %d ch %d peer %d steps %d chunk %d send %d\n", HEAD(d),     \
         d->proxyOp.pid, d->proxyOp.channelId, d->proxyOp.peer, d->proxyOp.nSteps,            \
         d->proxyOp.chunkSize, d->proxyOp.isSend);                                            \
    break;                                                                                    \
  case ncclProfileProxyStep:                                                                  \
    LINE("start %ld %d %ld %d step %d\n", HEAD(d), d->proxyStep.step);                        \
    break;
#define NET(d)                                                                                \
  case ncclProfileNetPlugin:                                                                  \
    LINE("start %ld %d %ld %d net %ld\n", HEAD(d), (long)d->netPlugin.id);                    \
    break;
#define KERNEL(d)                                                                             \
  case ncclProfileKernelCh:                                                                   \
    LINE("start %ld %d %ld %d kernel %d\n", HEAD(d), d->kernelCh.channelId);                  \
    break;
#define PLAIN(d)                                                                              \
  default:                                                                                    \
    LINE("start %ld %d %ld %d\n", HEAD(d));
#define TEXTS(d, CHANNELS)                                                                    \
  case ncclProfileColl:                                                                       \
    LINE("start %ld %d %ld %d %s %zu %s root %d %s %s ch %d #%ld buffers %d\n", HEAD(d),      \
         d->coll.func, d->coll.count, d->coll.datatype, d->coll.root, d->coll.algo,           \
         d->coll.proto, d->coll.CHANNELS, (long)d->coll.seqNumber,                            \
         (d->coll.sendBuff != NULL) + (d->coll.recvBuff != NULL));                            \
    break;                                                                                    \
  case ncclProfileP2p:                                                                        \
    LINE("start %ld %d %ld %d %s %zu %s peer %d\n", HEAD(d), d->p2p.func, d->p2p.count,       \
         d->p2p.datatype, d->p2p.peer);                                                       \
    break;
#define API(d)                                                                                \
  case ncclProfileGroupApi:                                                                   \
    LINE("start %ld %d %ld %d depth %d\n", HEAD(d), d->groupApi.groupDepth);                  \
    break;                                                                                    \
  case ncclProfileCollApi:                                                                    \
    LINE("start %ld %d %ld %d %s %zu %s root %d\n", HEAD(d), d->collApi.func,                 \
         d->collApi.count, d->collApi.datatype, d->collApi.root);                             \
    break;                                                                                    \
  case ncclProfileP2pApi:                                                                     \
    LINE("start %ld %d %ld %d %s %zu %s\n", HEAD(d), d->p2pApi.func, d->p2pApi.count,         \
         d->p2pApi.datatype);                                                                 \
    break;

#define VERSION(V, BEGIN, ARGUMENT, ...)                                                      \
  static ncclResult_t start_v##V(void *context, void **event,                                 \
                                 ncclProfilerEventDescr_v##V##_t *d) {                        \
    ncclResult_t result = next(context, event);                                               \
    if (result != ncclSuccess) return result;                                                 \
    switch (d->type) { __VA_ARGS__ }                                                          \
    return ncclSuccess;                                                                       \
  }                                                                                           \
  static ncclResult_t state_v##V(void *event, ncclProfilerEventState_t state,                 \
                                 ncclProfilerEventStateArgs_v##V##_t *args) {                 \
    if (FAULT == STATE_FAILS) return ncclInternalError;                                       \
    LINE("state %ld %d %ld\n", (long)event, state, (long)args->ARGUMENT);                     \
    return ncclSuccess;                                                                       \
  }                                                                                           \
  __attribute__((visibility("default"))) ncclProfiler_v##V##_t ncclProfiler_v##V = {          \
      "TestProfiler",                                                                         \
      BEGIN,                                                                                  \
      FAULT == NO_START ? NULL : start_v##V,                                                  \
      stop,                                                                                   \
      FAULT == NO_RECORD ? (void *)&not_code : (void *)state_v##V,                            \
      finish};

#if !defined(ONLY) || ONLY == 1
VERSION(1, begin_old, proxyOp.transSize, PROXY(d) case ncclProfileColl
        : LINE("start %ld %d %ld %d %d %zu %d root %d %d %d ch %d #%ld buffers %d\n", HEAD(d),
               d->coll.func, d->coll.count, d->coll.datatype, d->coll.root, d->coll.algo,
               d->coll.proto, d->coll.nMaxChannels, (long)d->coll.seqNumber,
               (d->coll.sendBuff != NULL) + (d->coll.recvBuff != NULL));
        break; case ncclProfileP2p
        : LINE("start %ld %d %ld %d %d %zu %d peer %d\n", HEAD(d), d->p2p.func, d->p2p.count,
               d->p2p.datatype, d->p2p.peer);
        break; PLAIN(d))
#endif
#if !defined(ONLY) || ONLY == 2
VERSION(2, begin_old, proxyOp.transSize, TEXTS(d, nMaxChannels) PROXY(d) PLAIN(d))
#endif
#if !defined(ONLY) || ONLY == 3
VERSION(3, begin_old, proxyOp.transSize,
        TEXTS(d, nMaxChannels) PROXY(d) KERNEL(d) NET(d) PLAIN(d))
#endif
#if !defined(ONLY) || ONLY == 4
VERSION(4, begin_v4, proxyStep.transSize, TEXTS(d, nChannels) PROXY(d) KERNEL(d) NET(d) PLAIN(d))
#endif
#if !defined(ONLY) || ONLY == 5
VERSION(5, begin_v5, proxyStep.transSize,
        API(d) TEXTS(d, nChannels) PROXY(d) KERNEL(d) NET(d) PLAIN(d))
#endif
#if !defined(ONLY) || ONLY == 6
VERSION(6, begin_v5, proxyStep.transSize,
        API(d) TEXTS(d, nChannels) PROXY(d) KERNEL(d) NET(d) PLAIN(d))
#endif
