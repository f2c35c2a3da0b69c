/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network plugins of version 8 that are wrong, each in one way: the loop-back plugin with a fault in
 * front of it. -DFAULT=NAME chooses the fault; -DONLY=8 is part of it.
 */
#include "loopback.c"

#include <signal.h>

enum {
  NO_NAME,         /* the struct has no name */
  BAD_NAME,        /* the name points nowhere */
  NO_INIT,         /* there is no init */
  BAD_INIT,        /* init points to data */
  NO_SEND,         /* no isend and no test */
  INIT_FAILS,      /* init fails, with a warning */
  NEGATIVE,        /* devices gives -1 */
  OLD_PROPERTIES,  /* the properties are those of version 6 */
  BAD_PROPERTIES,  /* the device's name points nowhere */
  LONG_PROPERTIES, /* the properties are written past their end */
  LONG_HANDLE,     /* listen writes 200 bytes into the handle, and closeListen fails */
  LONG_CONNECT,    /* connect writes past the handle */
  LONG_MEMORY,     /* regMr writes past the memory handle */
  NO_LISTENER,     /* listen succeeds and gives none */
  SEND_FAILS,      /* isend fails, with a warning */
  ODD_RESULT,      /* isend returns a number that is no result */
  TEST_FAILS,      /* test fails */
  NEVER,           /* nothing ever completes */
  CLOSE_FAILS,     /* closeSend fails */
  NO_SIZES,        /* test does not write the sizes of messages */
  IN_ORDER,        /* test fails for a request while an older one has not been reported */
  LOAD_HANDLERS,   /* handlers of signals are set when the library is loaded */
  INIT_HANDLERS,   /* init sets handlers of signals */
  SEND_CRASHES,    /* isend writes where nothing is */
  TEST_CRASHES,    /* so does test */
  INIT_ABORTS,     /* init calls abort */
  EMPTY_EXITS,     /* isend of an empty message calls exit(0) */
  LOAD_EXITS,      /* loading the library calls exit(0), or what -DSTATUS says */
  LAST_EXITS,      /* the end of the process calls _exit, likewise */
  OWN_THREAD       /* no fault: a thread of the plugin's own logs */
};

#ifndef STATUS
#define STATUS 0
#endif

static char data_that_is_no_code[64] = "not code";

static ncclResult_t init_fails(ncclDebugLogger_t log) {
  log(NCCL_LOG_WARN, NCCL_ALL, __FILE__, __LINE__, "no card in slot %d of %s, %.2f", 7, "host", 2.5);
  return ncclSystemError;
}

static ncclResult_t negative(int *count) {
  *count = -1;
  return ncclSuccess;
}

static ncclResult_t old_properties(int device, ncclNetProperties_v8_t *properties) {
  ncclNetProperties_v6_t *p = (ncclNetProperties_v6_t *)properties;
  V5_PROPERTIES
  (void)device;
  return ncclSuccess;
}

static ncclResult_t bad_properties(int device, ncclNetProperties_v8_t *p) {
  ncclResult_t result = properties_v8(device, p);
  p->name = (char *)0x10;
  return result;
}

static ncclResult_t long_properties(int device, ncclNetProperties_v8_t *p) {
  ncclResult_t result = properties_v8(device, p);
  memset(p + 1, 1, 12);
  return result;
}

static ncclResult_t long_handle(int device, void *handle, void **out) {
  ncclResult_t result = do_listen(device, handle, out);
  memset((char *)handle + 100, 1, 100);
  return result;
}

static ncclResult_t long_connect(int device, void *handle, void **out,
                                 ncclNetDeviceHandle_v7_t **offload) {
  ncclResult_t result = connect_offload(device, handle, out, offload);
  memset((char *)handle + NCCL_NET_HANDLE_MAXSIZE, 1, 4);
  return result;
}

static ncclResult_t long_memory(void *comm, void *data, size_t size, int type, void **out) {
  ncclResult_t result = regMr_size(comm, data, size, type, out);
  out[1] = data;
  return result;
}

static ncclResult_t no_listener(int device, void *handle, void **out) {
  (void)device;
  (void)handle;
  (void)out;
  return ncclSuccess;
}

static ncclResult_t send_fails(void *comm, void *data, int size, int tag, void *memory,
                               void **out) {
  (void)comm, (void)data, (void)tag, (void)memory, (void)out;
  WARN("cable %d is out after %d bytes", 3, size);
  return ncclSystemError;
}

static ncclResult_t odd_result(void *comm, void *data, int size, int tag, void *memory,
                               void **out) {
  (void)comm, (void)data, (void)size, (void)tag, (void)memory, (void)out;
  return (ncclResult_t)4711;
}

static ncclResult_t test_fails(void *request, int *done, int *sizes) {
  (void)request, (void)done, (void)sizes;
  return ncclRemoteError;
}

static ncclResult_t never(void *request, int *done, int *sizes) {
  (void)request, (void)sizes;
  *done = 0;
  return ncclSuccess;
}

static ncclResult_t close_fails(void *comm) {
  do_close(comm);
  return ncclInternalError;
}

static ncclResult_t no_sizes(void *request, int *done, int *sizes) {
  (void)sizes;
  return do_test(request, done, 0);
}

static ncclResult_t in_order(void *request, int *done, int *sizes) {
  struct request *r = request;
  for (int i = 0; i < REQUESTS * PIECES; i++) {
    struct request *other = &r->comm->requests[i];
    if (other->busy && other->age < r->age) return ncclInternalError;
  }
  return do_test(request, done, sizes);
}

static void crashed(int signal) { _exit(100 + signal); }

static void set_handlers(void) {
  struct sigaction own = {.sa_handler = crashed};
  sigaction(SIGSEGV, &own, 0);
  sigaction(SIGBUS, &own, 0);
}

__attribute__((constructor)) static void loaded(void) {
  if (FAULT == LOAD_HANDLERS) set_handlers();
  if (FAULT == LOAD_EXITS) exit(STATUS);
}

__attribute__((destructor)) static void unloaded(void) {
  if (FAULT == LAST_EXITS) _exit(STATUS);
}

static int *volatile nowhere = (int *)8;

static ncclResult_t send_crashes(void *comm, void *data, int size, int tag, void *memory,
                                 void **out) {
  (void)comm, (void)data, (void)size, (void)memory, (void)out;
  *nowhere = tag;
  return ncclSuccess;
}

static ncclResult_t test_crashes(void *request, int *done, int *sizes) {
  (void)request, (void)sizes;
  *nowhere = *done;
  return ncclSuccess;
}

static ncclResult_t init_aborts(ncclDebugLogger_t log) {
  (void)log;
  abort();
}

static ncclResult_t empty_exits(void *comm, void *data, int size, int tag, void *memory,
                                void **out) {
  if (size == 0) exit(0);
  return isend_int(comm, data, size, tag, memory, out);
}

static ncclResult_t init_handlers(ncclDebugLogger_t log) {
  set_handlers();
  return start_v8(log);
}

static ncclResult_t close_listen_fails(void *listener) {
  close_listen(listener);
  return ncclRemoteError;
}

static void *logging_thread(void *unused) {
  INFO("from a thread of its own");
  return unused;
}

static ncclResult_t own_thread(ncclDebugLogger_t log) {
  ncclResult_t result = start_v8(log);
  pthread_t thread;
  if (pthread_create(&thread, 0, logging_thread, 0) || pthread_join(thread, 0)) return ncclSystemError;
  return result;
}

#define IF(fault, wrong, right) (FAULT == fault ? (wrong) : (right))

#undef PLUGIN
EXPORT ncclNet_v8_t ncclNetPlugin_v8 = {
    .name = IF(NO_NAME, 0, IF(BAD_NAME, (const char *)0x10, "Wrong")),
    .init = IF(NO_INIT, 0,
               IF(BAD_INIT, (ncclResult_t(*)(ncclDebugLogger_t))data_that_is_no_code,
                  IF(INIT_FAILS, init_fails, IF(INIT_ABORTS, init_aborts, IF(INIT_HANDLERS, init_handlers, IF(OWN_THREAD, own_thread, start_v8)))))),
    .devices = IF(NEGATIVE, negative, devices),
    .getProperties =
        IF(OLD_PROPERTIES, old_properties,
           IF(BAD_PROPERTIES, bad_properties,
              IF(LONG_PROPERTIES, long_properties, properties_v8))),
    .listen = IF(LONG_HANDLE, long_handle, IF(NO_LISTENER, no_listener, do_listen)),
    .connect = IF(LONG_CONNECT, long_connect, connect_offload),
    .accept = accept_offload,
    .regMr = IF(LONG_MEMORY, long_memory, regMr_size),
    .deregMr = deregMr,
    .isend = IF(NO_SEND, 0, IF(SEND_FAILS, send_fails, IF(ODD_RESULT, odd_result, IF(SEND_CRASHES, send_crashes, IF(EMPTY_EXITS, empty_exits, isend_int))))),
    .irecv = irecv_int,
    .iflush = iflush,
    .test = IF(NO_SEND, 0, IF(TEST_FAILS, test_fails, IF(NEVER, never, IF(TEST_CRASHES, test_crashes, IF(NO_SIZES, no_sizes, IF(IN_ORDER, in_order, do_test)))))),
    .closeSend = IF(CLOSE_FAILS, close_fails, do_close),
    .closeRecv = do_close,
    .closeListen = IF(LONG_HANDLE, close_listen_fails, close_listen),
};
