/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnccl-net-nitinol.so: NCCL's network plugin whose functions are in Java. The first init starts a JVM
 * (jvm.c), and Java fills the tables. Until then, where there is no JVM, and in a forked child, which has the
 * memory of the JVM but none of its threads, every function returns ncclSystemError.
 */
#define _GNU_SOURCE
#include "export.h"

#include <dlfcn.h>
#include <pthread.h>

static volatile int is_child;

static long refuse(void) { return NCCL_SYSTEM_ERROR; }

/*
 * NCCL copies pointers out of the tables, so a child is kept out of the JVM in the functions themselves. They only
 * differ in the number of arguments: all are integers or pointers, which every 64-bit ABI passes alike, whatever
 * their width.
 */
static struct export export;

#define A1 long a
#define A2 A1, long b
#define A3 A2, long c
#define A4 A3, long d
#define A5 A4, long e
#define A6 A5, long f
#define A7 A6, long g
#define A8 A7, long h
#define A9 A8, long i
#define A10 A9, long j
#define A11 A10, long k
#define A12 A11, long l
#define V1 a
#define V2 V1, b
#define V3 V2, c
#define V4 V3, d
#define V5 V4, e
#define V6 V5, f
#define V7 V6, g
#define V8 V7, h
#define V9 V8, i
#define V10 V9, j
#define V11 V10, k
#define V12 V11, l

#define JUMP(n, m) \
  static long jump_##n##_##m(A##n) { return is_child ? NCCL_SYSTEM_ERROR : ((int (*)(A##n))export.targets[n - 1][m])(V##n); }
#define NAME(n, m) (jump)jump_##n##_##m,

#define TEN(X, n, t) X(n, t##0) X(n, t##1) X(n, t##2) X(n, t##3) X(n, t##4) X(n, t##5) X(n, t##6) X(n, t##7) X(n, t##8) X(n, t##9)
#define FORTY(X, n) TEN(X, n, ) TEN(X, n, 1) TEN(X, n, 2) TEN(X, n, 3)
#define ALL(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
#define DEFINE(n) FORTY(JUMP, n)
#define LIST(n) {FORTY(NAME, n)},
ALL(DEFINE)

#pragma GCC diagnostic ignored "-Wcast-function-type"

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static int started = -1; /* then what start_java returned */

static void in_child(void) {
  is_child = 1;
  forget_java();
}

static int start(nccl_logger log) {
  pthread_mutex_lock(&starting);
  if (started < 0) {
    static char why[4096];
    Dl_info self;
    export.size = sizeof export;
    export.library = dladdr((void *)refuse, &self) ? self.dli_fname : "";
    pthread_atfork(NULL, NULL, in_child);
    started = start_java(&export, why, sizeof why);
    if (started != 0 && log != NULL) {
      log(NCCL_WARN, NCCL_LOG_ALL, __FILE__, __LINE__, "NET/Nitinol: no Java here, so NCCL goes on without this plugin: %s", why);
    } else if (why[0] != 0 && log != NULL) {
      log(NCCL_INFO, NCCL_LOG_INIT_NET, __func__, __LINE__, "NET/Nitinol: %s", why);
    }
  }
  pthread_mutex_unlock(&starting);
  return started;
}

/* init has 1 argument up to version 9, 2 in version 10, 5 from version 11 on; CollNet's has 1, and 3 from version 11 on. */
#define INIT(kind, version, n, logger) \
  static long kind##_init_v##version(A##n) { \
    if (is_child || start((nccl_logger)(logger)) != 0) return NCCL_SYSTEM_ERROR; \
    return ((int (*)(A##n))export.kind##_init[version - FIRST_VERSION])(V##n); \
  }
#define EXPORT(kind, symbol, version, n, logger) \
  INIT(kind, version, n, logger) \
  __attribute__((visibility("default"))) struct table symbol##_v##version = { \
    "Nitinol", {(void *)kind##_init_v##version, [1 ... SLOTS - 2] = (void *)refuse}};
#define EXPORT_BOTH(version, n, logger, coll_n, coll_logger) \
  EXPORT(net, ncclNetPlugin, version, n, logger) EXPORT(collnet, ncclCollNetPlugin, version, coll_n, coll_logger)

EXPORT_BOTH(4, 1, a, 1, a)
EXPORT_BOTH(5, 1, a, 1, a)
EXPORT_BOTH(6, 1, a, 1, a)
EXPORT_BOTH(7, 1, a, 1, a)
EXPORT_BOTH(8, 1, a, 1, a)
EXPORT_BOTH(9, 1, a, 1, a)
EXPORT_BOTH(10, 2, a, 1, a)
EXPORT_BOTH(11, 5, d, 3, c)
EXPORT_BOTH(12, 5, d, 3, c)

#define ALL_VERSIONS(symbol) \
  {&symbol##_v4, &symbol##_v5, &symbol##_v6, &symbol##_v7, &symbol##_v8, &symbol##_v9, &symbol##_v10, &symbol##_v11, &symbol##_v12}

static struct export export = {
    .net = ALL_VERSIONS(ncclNetPlugin),
    .collnet = ALL_VERSIONS(ncclCollNetPlugin),
    .jumps = {ALL(LIST)},
};
