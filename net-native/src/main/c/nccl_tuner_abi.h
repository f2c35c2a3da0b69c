/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binary interface between NCCL and its tuners, versions 2 to 6. Type names are NCCL's, so that
 * this file and NCCL's own headers can stand for each other. A library exports the struct of each
 * version that it speaks as ncclTunerPlugin_v<N>.
 */
#ifndef NITINOL_NCCL_TUNER_ABI_H
#define NITINOL_NCCL_TUNER_ABI_H

#include "nccl_abi.h"

#define NCCL_TUNING 0x40UL

typedef enum {
  ncclFuncBroadcast = 0,
  ncclFuncReduce = 1,
  ncclFuncAllGather = 2,
  ncclFuncReduceScatter = 3,
  ncclFuncAllReduce = 4
} ncclFunc_t;

/* Rows and columns of the table of costs. */
#define NCCL_ALGO_UNDEF -1
#define NCCL_ALGO_TREE 0
#define NCCL_ALGO_RING 1
#define NCCL_ALGO_COLLNET_DIRECT 2
#define NCCL_ALGO_COLLNET_CHAIN 3
#define NCCL_ALGO_NVLS 4
#define NCCL_ALGO_NVLS_TREE 5
#define NCCL_ALGO_PAT 6
#define NCCL_NUM_ALGORITHMS 7
#define NCCL_PROTO_UNDEF -1
#define NCCL_PROTO_LL 0
#define NCCL_PROTO_LL128 1
#define NCCL_PROTO_SIMPLE 2
#define NCCL_NUM_PROTOCOLS 3

/* The cost of what cannot be done; all others are microseconds. */
#define NCCL_ALGO_PROTO_IGNORE -1.0

/* Version 5 on: the groups of ranks that NVLink joins. */
typedef struct {
  int nNvlDomains;
  int minRanksPerNvlDomain;
  int maxRanksPerNvlDomain;
} ncclNvlDomainInfo_v5_t;
typedef ncclNvlDomainInfo_v5_t ncclNvlDomainInfo_v6_t;

/* Version 5 on: the numbers of NCCL's own model, by links, GPU generations (4) and scales (3). */
typedef struct {
  double baseLatencies[NCCL_NUM_ALGORITHMS][NCCL_NUM_PROTOCOLS];
  double hwLatencies[3][NCCL_NUM_ALGORITHMS][NCCL_NUM_PROTOCOLS];
  double llMaxBws[4][3];
  double perChMaxRingLL128Bws[4][3];
  double perChMaxTreeLL128Bws[4][3];
  double perChMaxTreeBws[4][3];
  double perChMaxNVLSTreeBws[4][3];
} ncclTunerConstants_v5_t;
typedef ncclTunerConstants_v5_t ncclTunerConstants_v6_t;

/* A table is passed as float**, but is one piece: float [algorithms][protocols]. */
#define NITINOL_TUNER_SIZED_INIT                                                              \
  ncclResult_t (*init)(size_t nRanks, size_t nNodes, ncclDebugLogger_t logger, void **context)
#define NITINOL_TUNER_COSTS_INFO                                                              \
  ncclResult_t (*getCollInfo)(void *context, ncclFunc_t collType, size_t nBytes, int numPipeOps, \
                              float **collCostTable, int numAlgo, int numProto, int regBuff,  \
                              int *nChannels)
#define NITINOL_TUNER_FULL_INIT                                                               \
  ncclResult_t (*init)(void **context, uint64_t commId, size_t nRanks, size_t nNodes,         \
                       ncclDebugLogger_t logger, ncclNvlDomainInfo_v5_t *nvlDomainInfo,       \
                       ncclTunerConstants_v5_t *constants)

typedef struct {
  const char *name;
  NITINOL_TUNER_SIZED_INIT;
  ncclResult_t (*getCollInfo)(void *context, ncclFunc_t collType, size_t nBytes,
                              int collNetSupport, int nvlsSupport, int numPipeOps, int *algorithm,
                              int *protocol, int *nChannels);
  ncclResult_t (*destroy)(void *context);
} ncclTuner_v2_t;

typedef struct {
  const char *name;
  NITINOL_TUNER_SIZED_INIT;
  ncclResult_t (*getCollInfo)(void *context, ncclFunc_t collType, size_t nBytes, int numPipeOps,
                              float **collCostTable, int numAlgo, int numProto, int *nChannels);
  ncclResult_t (*destroy)(void *context);
} ncclTuner_v3_t;

typedef struct {
  const char *name;
  NITINOL_TUNER_SIZED_INIT;
  NITINOL_TUNER_COSTS_INFO;
  ncclResult_t (*destroy)(void *context);
} ncclTuner_v4_t;

typedef struct {
  const char *name;
  NITINOL_TUNER_FULL_INIT;
  NITINOL_TUNER_COSTS_INFO;
  ncclResult_t (*finalize)(void *context);
} ncclTuner_v5_t;

typedef struct {
  const char *name;
  NITINOL_TUNER_FULL_INIT;
  NITINOL_TUNER_COSTS_INFO;
  ncclResult_t (*finalize)(void *context);
  ncclResult_t (*getChunkSize)(void *context, ncclFunc_t collType, size_t nBytes, int algorithm,
                               int protocol, int nChannels, size_t *chunkSize); /* may be null */
} ncclTuner_v6_t;

#endif
