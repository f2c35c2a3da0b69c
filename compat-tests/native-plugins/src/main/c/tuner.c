/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tuner of NCCL's interface, in every version, that does what TEST_TUNER says:
 *
 *   TEST_TUNER=ALGORITHM/PROTOCOL[xCHANNELS][>BYTES]   numbers as in NCCL's table, such as 1/2x1>4096
 *
 * It chooses that way for operations of more than BYTES bytes. Where TEST_TUNER is not set, and for
 * smaller operations, it chooses nothing. TEST_TUNER_STORY names a file that gets a line for each
 * call, with all that the tuner is given.
 *
 * -DWISH="1/2" is TEST_TUNER at compile time. -DONLY=N exports version N alone. -DFAULT=NAME, one of
 * the list, makes it wrong.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_tuner_abi.h"

#ifndef FAULT
#define FAULT NONE
#endif
#ifndef TUNER_NAME
#define TUNER_NAME "TestTuner"
#endif

enum {
  NONE,
  NO_NAME,       /* the struct has no name */
  NO_INIT,       /* there is no init */
  BAD_INIT,      /* init points to data */
  NO_INFO,       /* there is no getCollInfo, after init neither */
  NO_END,        /* there is no destroy or finalize */
  LAZY,          /* the struct is filled in by init */
  INIT_FAILS,    /* init fails, with a warning */
  INIT_WRITES,   /* init writes past what it is given */
  INFO_FAILS,    /* getCollInfo changes the table and fails, with a warning */
  ODD_RESULT,    /* getCollInfo returns a number that is no result */
  PAST_TABLE,    /* writes past the table */
  BEFORE_TABLE,  /* writes before the table */
  PAST_CHANNELS, /* writes past nChannels */
  NOT_A_NUMBER,  /* sets the cost that it was told to choose to NaN */
  NEGATIVE,      /* sets it to -7 */
  ENDLESS,       /* sets it to infinity */
  ALL_OUT,       /* rules out every way that was possible */
  IMPOSSIBLE,    /* sets 0 for all that NCCL has and cannot be done */
  FEW_CHANNELS,  /* wants -3 channels */
  MANY_CHANNELS, /* wants a million */
  OUT_OF_TABLE,  /* version 2: algorithm 99 */
  END_FAILS      /* destroy or finalize fails */
};

typedef struct {
  int algorithm, protocol, channels;
  size_t above;
  size_t ranks;
  ncclDebugLogger_t log;
} Context;

static char data_that_is_no_code[64] = "not code";

static void story(const char *format, ...) {
  const char *file = getenv("TEST_TUNER_STORY");
  FILE *out = file == NULL ? NULL : fopen(file, "a");
  if (out != NULL) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(out, "%s\n", line);
    fclose(out);
  }
}

static ncclResult_t begin(size_t ranks, size_t nodes, ncclDebugLogger_t log, void **out) {
  if (FAULT == INIT_FAILS) {
    log(NCCL_LOG_WARN, NCCL_TUNING, __FILE__, __LINE__, "no table for %zu ranks of %s",
        ranks, "mine");
    return ncclSystemError;
  }
  Context *context = calloc(1, sizeof *context);
  context->algorithm = context->protocol = -1;
  context->ranks = ranks;
  context->log = log;
#ifdef WISH
  const char *wish = WISH;
#else
  const char *wish = getenv("TEST_TUNER");
#endif
  if (wish != NULL) {
    sscanf(wish, "%d/%d", &context->algorithm, &context->protocol);
    const char *channels = strchr(wish, 'x'), *above = strchr(wish, '>');
    context->channels = channels == NULL ? 0 : atoi(channels + 1);
    context->above = above == NULL ? 0 : strtoull(above + 1, NULL, 10);
  }
  log(NCCL_LOG_INFO, NCCL_TUNING, __FILE__, __LINE__, "TestTuner begins with %zu ranks on %zu hosts",
      ranks, nodes);
  *out = context;
  if (FAULT == INIT_WRITES) {
    out[1] = context;
  }
  return ncclSuccess;
}

static int wants(const Context *context, size_t bytes) {
  return context->algorithm >= 0 && (bytes > context->above || context->above == 0);
}

static void count(const Context *context, size_t bytes, int *channels) {
  if (FAULT == FEW_CHANNELS) {
    *channels = -3;
  } else if (FAULT == MANY_CHANNELS) {
    *channels = 1000000;
  } else if (wants(context, bytes) && context->channels != 0) {
    *channels = context->channels;
  }
  if (FAULT == PAST_CHANNELS) {
    channels[1] = 1;
  }
}

static ncclResult_t outcome(const Context *context) {
  context->log(NCCL_LOG_INFO, NCCL_TUNING, __FILE__, __LINE__, "TestTuner was asked");
  if (FAULT == INFO_FAILS) {
    context->log(NCCL_LOG_WARN, NCCL_TUNING, __FILE__, __LINE__, "no idea, %d of %s", 3, "4");
    return ncclInternalError;
  }
  return FAULT == ODD_RESULT ? (ncclResult_t)4711 : ncclSuccess;
}

static ncclResult_t info_v2(void *handle, ncclFunc_t type, size_t bytes, int collNet, int nvls,
                            int operations, int *algorithm, int *protocol, int *channels) {
  Context *context = handle;
  story("info type=%d bytes=%zu collnet=%d nvls=%d operations=%d algorithm=%d protocol=%d "
        "channels=%d", type, bytes, collNet, nvls, operations, *algorithm, *protocol, *channels);
  if (wants(context, bytes)) {
    *algorithm = FAULT == OUT_OF_TABLE ? 99 : context->algorithm;
    *protocol = context->protocol;
  }
  count(context, bytes, channels);
  return outcome(context);
}

static ncclResult_t choose(Context *context, ncclFunc_t type, size_t bytes, int operations,
                           float **costs, int algorithms, int protocols, int registered,
                           int *channels) {
  float(*table)[NCCL_NUM_PROTOCOLS] = (float(*)[NCCL_NUM_PROTOCOLS])costs;
  char possible[256] = "";
  for (int a = 0; a < algorithms; a++) {
    for (int p = 0; p < protocols; p++) {
      if (table[a][p] >= 0) {
        snprintf(possible + strlen(possible), sizeof possible - strlen(possible), " %d/%d", a, p);
      }
      int there = table[a][p] != (float)NCCL_ALGO_PROTO_IGNORE;
      if (FAULT == ALL_OUT || (FAULT == IMPOSSIBLE && !there)) {
        table[a][p] = FAULT == ALL_OUT ? (float)NCCL_ALGO_PROTO_IGNORE : 0;
      }
    }
  }
  story("info type=%d bytes=%zu operations=%d table=%dx%d registered=%d channels=%d possible:%s",
        type, bytes, operations, algorithms, protocols, registered, *channels, possible);
  if (wants(context, bytes) && FAULT != ALL_OUT) {
    float *cost = &table[context->algorithm][context->protocol];
    if (FAULT == NOT_A_NUMBER) {
      *cost = NAN;
    } else if (FAULT == NEGATIVE) {
      *cost = -7;
    } else if (FAULT == ENDLESS) {
      *cost = INFINITY;
    } else if (*cost != (float)NCCL_ALGO_PROTO_IGNORE) {
      *cost = 0;
    }
  }
  if (FAULT == PAST_TABLE) {
    table[algorithms][0] = 0;
  } else if (FAULT == BEFORE_TABLE) {
    table[-1][2] = 0;
  }
  count(context, bytes, channels);
  return outcome(context);
}

static ncclResult_t info_v3(void *context, ncclFunc_t type, size_t bytes, int operations,
                            float **costs, int algorithms, int protocols, int *channels) {
  return choose(context, type, bytes, operations, costs, algorithms, protocols, -1, channels);
}

static ncclResult_t info_v4(void *context, ncclFunc_t type, size_t bytes, int operations,
                            float **costs, int algorithms, int protocols, int registered,
                            int *channels) {
  return choose(context, type, bytes, operations, costs, algorithms, protocols, registered,
                channels);
}

static ncclResult_t end(void *context) {
  story("end of %zu ranks", ((Context *)context)->ranks);
  free(context);
  return FAULT == END_FAILS ? ncclSystemError : ncclSuccess;
}

static ncclResult_t chunk(void *context, ncclFunc_t type, size_t bytes, int algorithm, int protocol,
                          int channels, size_t *size) {
  story("chunk of %zu", *size);
  return ncclSuccess;
}

static void fill(void);

static ncclResult_t init_v2(size_t ranks, size_t nodes, ncclDebugLogger_t log, void **context) {
  fill();
  story("init ranks=%zu nodes=%zu", ranks, nodes);
  return begin(ranks, nodes, log, context);
}

static ncclResult_t init_v5(void **context, uint64_t id, size_t ranks, size_t nodes,
                            ncclDebugLogger_t log, ncclNvlDomainInfo_v5_t *domains,
                            ncclTunerConstants_v5_t *constants) {
  fill();
  story("init ranks=%zu nodes=%zu id=%d domains=%d of %d to %d", ranks, nodes, id != 0,
        domains->nNvlDomains, domains->minRanksPerNvlDomain, domains->maxRanksPerNvlDomain);
  constants->perChMaxNVLSTreeBws[3][2] = 1;
  return begin(ranks, nodes, log, context);
}

#define EXPORT __attribute__((visibility("default")))
#define TUNER_FRONT(init)                 \
  (FAULT == NO_NAME ? NULL : TUNER_NAME), \
  (FAULT == NO_INIT ? NULL : FAULT == BAD_INIT ? (void *)data_that_is_no_code : (void *)init)
#define TUNER_INFO(function) (FAULT == NO_INFO || FAULT == LAZY ? NULL : function)
#define TUNER_END (FAULT == NO_END || FAULT == LAZY ? NULL : end)

#if !defined ONLY || ONLY == 2
EXPORT ncclTuner_v2_t ncclTunerPlugin_v2 = {TUNER_FRONT(init_v2), TUNER_INFO(info_v2), TUNER_END};
#endif
#if !defined ONLY || ONLY == 3
EXPORT ncclTuner_v3_t ncclTunerPlugin_v3 = {TUNER_FRONT(init_v2), TUNER_INFO(info_v3), TUNER_END};
#endif
#if !defined ONLY || ONLY == 4
EXPORT ncclTuner_v4_t ncclTunerPlugin_v4 = {TUNER_FRONT(init_v2), TUNER_INFO(info_v4), TUNER_END};
#endif
#if !defined ONLY || ONLY == 5
EXPORT ncclTuner_v5_t ncclTunerPlugin_v5 = {TUNER_FRONT(init_v5), TUNER_INFO(info_v4), TUNER_END};
#endif
#if !defined ONLY || ONLY == 6
EXPORT ncclTuner_v6_t ncclTunerPlugin_v6 = {TUNER_FRONT(init_v5), TUNER_INFO(info_v4), TUNER_END, chunk};
#endif

static void fill(void) {
  if (FAULT == LAZY) {
#if !defined ONLY || ONLY == 2
    ncclTunerPlugin_v2.getCollInfo = info_v2;
    ncclTunerPlugin_v2.destroy = end;
#endif
#if !defined ONLY || ONLY == 6
    ncclTunerPlugin_v6.getCollInfo = info_v4;
    ncclTunerPlugin_v6.finalize = end;
#endif
  }
}
