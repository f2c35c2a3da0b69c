/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logger that native plugins get. Plugins call it as they call printf, which no function in
 * Java can be called as: it makes the text here and hands that on. Since a plugin passes nothing
 * that says who it is, there is a function for each.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "nccl_abi.h"

#define LOGGERS 512

typedef void (*sink)(int level, unsigned long flags, const char *file, int line, const char *text);

static sink sinks[LOGGERS];

static void say(int slot, int level, unsigned long flags, const char *file, int line,
                const char *format, va_list arguments) {
  int error = errno;
  char text[4096];
  sink to = __atomic_load_n(&sinks[slot], __ATOMIC_ACQUIRE);
  if (to && format && vsnprintf(text, sizeof text, format, arguments) >= 0)
    to(level, flags, file, line, text);
  errno = error;
}

#define ONE(n)                                                                                  \
  static void logger_##n(ncclDebugLogLevel level, unsigned long flags, const char *file,        \
                         int line, const char *format, ...) {                                   \
    va_list arguments;                                                                          \
    va_start(arguments, format);                                                                \
    say(0##n, (int)level, flags, file, line, format, arguments);                                \
    va_end(arguments);                                                                          \
  }
#define EIGHT(n) \
  ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7)
#define SIXTY_FOUR(n) \
  EIGHT(n##0) EIGHT(n##1) EIGHT(n##2) EIGHT(n##3) EIGHT(n##4) EIGHT(n##5) EIGHT(n##6) EIGHT(n##7)
/* Octal digits: 000 to 777. */
SIXTY_FOUR(0) SIXTY_FOUR(1) SIXTY_FOUR(2) SIXTY_FOUR(3)
SIXTY_FOUR(4) SIXTY_FOUR(5) SIXTY_FOUR(6) SIXTY_FOUR(7)

#define NAME(n) logger_##n,
#define NAMES(n) \
  NAME(n##0) NAME(n##1) NAME(n##2) NAME(n##3) NAME(n##4) NAME(n##5) NAME(n##6) NAME(n##7)
#define ALL_NAMES(n) \
  NAMES(n##0) NAMES(n##1) NAMES(n##2) NAMES(n##3) NAMES(n##4) NAMES(n##5) NAMES(n##6) NAMES(n##7)
static const ncclDebugLogger_t loggers[LOGGERS] = {
    ALL_NAMES(0) ALL_NAMES(1) ALL_NAMES(2) ALL_NAMES(3)
    ALL_NAMES(4) ALL_NAMES(5) ALL_NAMES(6) ALL_NAMES(7)};

/* Returns a logger whose lines go to `to`; null when none is left with the number `slot`. */
ncclDebugLogger_t nitinol_logger(int slot, sink to);

__attribute__((visibility("default"))) ncclDebugLogger_t nitinol_logger(int slot, sink to) {
  if (slot < 0 || slot >= LOGGERS) return 0;
  __atomic_store_n(&sinks[slot], to, __ATOMIC_RELEASE);
  return loggers[slot];
}
