/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host of network plugins that does what NCCL does: loads a library, looks for a struct, and reads its functions
 * again once init has returned. One set of calls for versions 4 to 12.
 */
#ifndef NITINOL_TEST_HOST_H
#define NITINOL_TEST_HOST_H
#define _GNU_SOURCE
#include "nccl_abi.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int V; /* the version in use */
static void *table;
static void *context;
#define N(v) ((ncclNet_v##v##_t *)table)

#define CHECK(call)                                                                       \
  do {                                                                                    \
    int code_ = (call);                                                                   \
    if (code_ != 0) {                                                                     \
      printf("FAILED %s:%d: %s returned %d\n", __FILE__, __LINE__, #call, code_);         \
      fflush(stdout);                                                                     \
      _Exit(1);                                                                           \
    }                                                                                     \
  } while (0)
#define REQUIRE(condition)                                                                \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      printf("FAILED %s:%d: %s\n", __FILE__, __LINE__, #condition);                       \
      fflush(stdout);                                                                     \
      _Exit(1);                                                                           \
    }                                                                                     \
  } while (0)

static void host_log(ncclDebugLogLevel level, unsigned long flags, const char *file, int line, const char *format, ...) {
  char text[4096];
  va_list arguments;
  (void)flags;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (level == NCCL_LOG_WARN || getenv("HOST_VERBOSE") != NULL) {
    printf("%s %s:%d %s\n", level == NCCL_LOG_WARN ? "WARN" : "INFO", file, line, text);
    fflush(stdout);
  }
}

static int host_events;

__attribute__((unused)) static ncclResult_t host_profiler(void **event, int kind, void *parent, int64_t id, void *data) {
  (void)parent, (void)id, (void)data;
  if (kind == 0) *event = &host_events;
  host_events++;
  return ncclSuccess;
}

/* NCCL's order is newest to oldest; a version of 0 takes the newest. */
static void *host_load(const char *library, int version) {
  char symbol[64];
  void *handle = dlopen(strcmp(library, "STATIC_PLUGIN") == 0 ? NULL : library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    printf("FAILED dlopen: %s\n", dlerror());
    _Exit(1);
  }
  table = NULL;
  for (V = version == 0 ? 12 : version; table == NULL && V >= (version == 0 ? 4 : version); V--) {
    snprintf(symbol, sizeof symbol, "ncclNetPlugin_v%d", V);
    table = dlsym(handle, symbol);
    if (table != NULL) break;
  }
  REQUIRE(table != NULL);
  return handle;
}

static int host_init(void) {
  ncclNetCommConfig_v11_t config = {NCCL_NET_TRAFFIC_CLASS_UNDEF};
  if (V <= 9) return N(9)->init(host_log);
  if (V == 10) return N(10)->init(host_log, host_profiler);
  return N(12)->init(&context, 0x1234, &config, host_log, host_profiler);
}

static int host_finalize(void) { return V < 11 ? 0 : N(12)->finalize(context); }

static int host_devices(int *n) { return N(12)->devices(n); }

/* What all versions have, and the widest of each. */
static int host_properties(int device, ncclNetProperties_v12_t *to) {
  memset(to, 0, sizeof *to);
#define COPY(v) (to->name = p.name, to->pciPath = p.pciPath, to->guid = p.guid, to->ptrSupport = p.ptrSupport, \
                 to->speed = p.speed, to->port = p.port, to->maxComms = p.maxComms)
#define FROM(v, more)                                \
  {                                                  \
    ncclNetProperties_v##v##_t p;                    \
    int code = N(v)->getProperties(device, &p);      \
    if (code != 0) return code;                      \
    COPY(v);                                         \
    more;                                            \
    return 0;                                        \
  }
  to->maxRecvs = 1;
  to->maxP2pBytes = 1 << 30;
  switch (V) {
    case 4: FROM(4, (void)0)
    case 5:
    case 6: FROM(6, to->maxRecvs = p.maxRecvs)
    case 7: FROM(7, to->maxRecvs = p.maxRecvs)
    case 8: FROM(8, to->maxRecvs = p.maxRecvs)
    case 9:
    case 10: FROM(10, (to->maxRecvs = p.maxRecvs, to->maxP2pBytes = p.maxP2pBytes, to->vProps.ndevs = p.vProps.ndevs,
                       to->vProps.devs[0] = p.vProps.devs[0]))
    case 11: FROM(11, (to->maxRecvs = p.maxRecvs, to->maxP2pBytes = p.maxP2pBytes, to->vProps.ndevs = p.vProps.ndevs,
                       to->vProps.devs[0] = p.vProps.devs[0]))
    default: return N(12)->getProperties(device, to);
  }
}

static int host_listen(int device, void *handle, void **comm) {
  return V <= 10 ? N(10)->listen(device, handle, comm) : N(12)->listen(context, device, handle, comm);
}

static int host_connect(int device, void *handle, void **comm) {
  ncclNetDeviceHandle_v7_t *offload = NULL;
  ncclNetCommConfig_v10_t config = {NCCL_NET_TRAFFIC_CLASS_UNDEF};
  if (V <= 6) return N(6)->connect(device, handle, comm);
  if (V <= 9) return N(9)->connect(device, handle, comm, &offload);
  if (V == 10) return N(10)->connect(device, &config, handle, comm, &offload);
  return N(12)->connect(context, device, handle, comm, &offload);
}

static int host_accept(void *listener, void **comm) {
  ncclNetDeviceHandle_v7_t *offload = NULL;
  return V <= 6 ? N(6)->accept(listener, comm) : N(12)->accept(listener, comm, &offload);
}

static int host_reg(void *comm, void *data, size_t size, void **mhandle) {
  if (V <= 5) return N(5)->regMr(comm, data, (int)size, NCCL_PTR_HOST, mhandle);
  if (V <= 7) return N(7)->regMr(comm, data, (int)size, NCCL_PTR_HOST, mhandle);
  return N(12)->regMr(comm, data, size, NCCL_PTR_HOST, mhandle);
}

static int host_dereg(void *comm, void *mhandle) {
  return V <= 5 ? N(5)->deregMr(comm, mhandle) : N(12)->deregMr(comm, mhandle);
}

static int host_isend(void *comm, void *data, size_t size, int tag, void *mhandle, void **request) {
  if (V == 4) return N(4)->isend(comm, data, (int)size, mhandle, request);
  if (V == 5) return N(5)->isend(comm, data, (int)size, tag, mhandle, request);
  if (V <= 8) return N(8)->isend(comm, data, (int)size, tag, mhandle, request);
  if (V == 9) return N(9)->isend(comm, data, size, tag, mhandle, request);
  return N(12)->isend(comm, data, size, tag, mhandle, NULL, request);
}

static int host_irecv(void *comm, void *data, size_t size, int tag, void *mhandle, void **request) {
  int narrow = (int)size;
  if (V == 4) return N(4)->irecv(comm, data, narrow, mhandle, request);
  if (V == 5) return N(5)->irecv(comm, 1, &data, &narrow, &tag, &mhandle, request);
  if (V <= 8) return N(8)->irecv(comm, 1, &data, &narrow, &tag, &mhandle, request);
  if (V == 9) return N(9)->irecv(comm, 1, &data, &size, &tag, &mhandle, request);
  void *phandle = NULL;
  return N(12)->irecv(comm, 1, &data, &size, &tag, &mhandle, &phandle, request);
}

static int host_iflush(void *comm, void *data, int size, void *mhandle, void **request) {
  if (V == 4) return N(4)->iflush(comm, data, size, mhandle, request);
  if (V == 5) return N(5)->iflush(comm, 1, &data, &size, &mhandle, request);
  return N(12)->iflush(comm, 1, &data, &size, &mhandle, request);
}

static int host_test(void *request, int *done, int *size) {
  return V <= 5 ? N(5)->test(request, done, size) : N(12)->test(request, done, size);
}

static int host_close_send(void *comm) { return V <= 5 ? N(5)->closeSend(comm) : N(12)->closeSend(comm); }
static int host_close_recv(void *comm) { return V <= 5 ? N(5)->closeRecv(comm) : N(12)->closeRecv(comm); }
static int host_close_listen(void *comm) { return V <= 5 ? N(5)->closeListen(comm) : N(12)->closeListen(comm); }

static double host_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

#endif
