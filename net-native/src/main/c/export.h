/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of libnccl-net-nitinol.so know of each other, and what Java is told (ExportLayout.java). */
#ifndef NITINOL_EXPORT_H
#define NITINOL_EXPORT_H

#include <stdint.h>

/* The codes of ncclResult_t that C itself returns, the log levels, and "all subsystems". */
enum { NCCL_SUCCESS = 0, NCCL_SYSTEM_ERROR = 2, NCCL_WARN = 2, NCCL_INFO = 3 };
#define NCCL_LOG_INIT_NET 0x11ul
#define NCCL_LOG_ALL (~0ul)

typedef void (*nccl_logger)(int level, unsigned long flags, const char *file, int line, const char *format, ...);

/* Versions 4 to 12; the largest struct has 22 slots (ncclNet_v11_t). */
enum { FIRST_VERSION = 4, VERSIONS = 9, SLOTS = 22 };

/* A plugin's struct, whatever its version: a name, then functions. */
struct table {
  const char *name;
  void *function[SLOTS - 1];
};

/* Functions of 1 to 12 arguments, 40 of each: a function in C and the place of the Java function that it calls. */
enum { ARITIES = 12, JUMPS = 40 };
typedef long (*jump)(void);

/* All that Java needs in order to fill the tables. */
struct export {
  int64_t size; /* of this struct, by which Java sees that it is of the same build */
  const char *library;
  struct table *net[VERSIONS];
  struct table *collnet[VERSIONS];
  void *net_init[VERSIONS]; /* Java's init of each version */
  void *collnet_init[VERSIONS];
  jump jumps[ARITIES][JUMPS];
  void *targets[ARITIES][JUMPS];
};

/*
 * Starts a JVM, or takes the one that the process has, and lets Java fill the tables. Returns 0, or says in `why` what
 * is wrong. Called once.
 */
int start_java(struct export *export, char *why, int room);

/* Keeps a forked child out of the JVM. */
void forget_java(void);

#endif
