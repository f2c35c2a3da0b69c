/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binary interface between NCCL and its profilers, versions 1 to 6. Type names are NCCL's, so
 * that this file and NCCL's own headers can stand for each other. A library exports the struct of
 * each version that it speaks as ncclProfiler_v<N>.
 */
#ifndef NITINOL_NCCL_PROFILER_ABI_H
#define NITINOL_NCCL_PROFILER_ABI_H

#include <stdbool.h>
#include <sys/types.h>

#include "nccl_abi.h"

typedef pid_t ncclPid_t;

/* Kinds of events, as bits of a mask. */
enum {
  ncclProfileGroup = 1 << 0,
  ncclProfileColl = 1 << 1,
  ncclProfileP2p = 1 << 2,
  ncclProfileProxyOp = 1 << 3,
  ncclProfileProxyStep = 1 << 4,
  ncclProfileProxyCtrl = 1 << 5,
  ncclProfileKernelCh = 1 << 6,  /* version 3 on */
  ncclProfileNetPlugin = 1 << 7, /* version 3 on */
  ncclProfileGroupApi = 1 << 8,  /* version 5 on, as the next three */
  ncclProfileCollApi = 1 << 9,
  ncclProfileP2pApi = 1 << 10,
  ncclProfileKernelLaunch = 1 << 11,
  ncclProfileCeColl = 1 << 12, /* version 6 on, as the next two */
  ncclProfileCeSync = 1 << 13,
  ncclProfileCeBatch = 1 << 14
};

/* States; 0 to 7 are no longer in use. */
typedef enum {
  ncclProfilerProxyStepSendGPUWait = 8,
  ncclProfilerProxyStepSendWait = 9,
  ncclProfilerProxyStepRecvWait = 10,
  ncclProfilerProxyStepRecvFlushWait = 11,
  ncclProfilerProxyStepRecvGPUWait = 12,
  ncclProfilerProxyCtrlIdle = 13,
  ncclProfilerProxyCtrlActive = 14,
  ncclProfilerProxyCtrlSleep = 15,
  ncclProfilerProxyCtrlWakeup = 16,
  ncclProfilerProxyCtrlAppend = 17,
  ncclProfilerProxyCtrlAppendEnd = 18,
  ncclProfilerProxyOpInProgress_v4 = 19,
  ncclProfilerProxyStepSendPeerWait_v4 = 20,
  ncclProfilerNetPluginUpdate = 21,
  ncclProfilerKernelChStop = 22,
  ncclProfilerGroupStartApiStop = 23,
  ncclProfilerGroupEndApiStart = 24
} ncclProfilerEventState_t;

/* Members of the union of a descriptor that several versions have in common. */
#define NCCL_PROFILER_PROXY_MEMBERS                                          \
  struct {                                                                   \
    ncclPid_t pid;                                                           \
    uint8_t channelId;                                                       \
    int peer, nSteps, chunkSize, isSend;                                     \
  } proxyOp;                                                                 \
  struct {                                                                   \
    int step;                                                                \
  } proxyStep;
#define NCCL_PROFILER_NET_MEMBER                                             \
  struct {                                                                   \
    int64_t id;                                                              \
    void *data;                                                              \
  } netPlugin;
#define NCCL_PROFILER_OLD_P2P_MEMBER                                         \
  struct {                                                                   \
    const char *name;                                                        \
    uint64_t commHash;                                                       \
    const char *func;                                                        \
    void *buff;                                                              \
    const char *datatype;                                                    \
    size_t count;                                                            \
    int peer;                                                                \
  } p2p;
#define NCCL_PROFILER_API_MEMBERS                                            \
  struct {                                                                   \
    bool graphCaptured;                                                      \
    int groupDepth;                                                          \
  } groupApi;                                                                \
  struct {                                                                   \
    const char *func;                                                        \
    size_t count;                                                            \
    const char *datatype;                                                    \
    int root;                                                                \
    void *stream;                                                            \
    bool graphCaptured;                                                      \
  } collApi;                                                                 \
  struct {                                                                   \
    const char *func;                                                        \
    size_t count;                                                            \
    const char *datatype;                                                    \
    void *stream;                                                            \
    bool graphCaptured;                                                      \
  } p2pApi;                                                                  \
  struct {                                                                   \
    void *stream;                                                            \
  } kernelLaunch;                                                            \
  struct {                                                                   \
    uint64_t seqNumber;                                                      \
    const char *func;                                                        \
    const void *sendBuff;                                                    \
    void *recvBuff;                                                          \
    size_t count;                                                            \
    int root;                                                                \
    const char *datatype;                                                    \
    uint8_t nChannels, nWarps;                                               \
    const char *algo, *proto;                                                \
    void *parentGroup;                                                       \
  } coll;                                                                    \
  struct {                                                                   \
    const char *func;                                                        \
    void *buff;                                                              \
    const char *datatype;                                                    \
    size_t count;                                                            \
    int peer;                                                                \
    uint8_t nChannels;                                                       \
    void *parentGroup;                                                       \
  } p2p;
#define NCCL_PROFILER_KERNEL_MEMBER                                          \
  struct {                                                                   \
    uint8_t channelId;                                                       \
    uint64_t pTimer;                                                         \
  } kernelCh;

typedef struct {
  uint8_t type;
  void *parentObj;
  int rank;
  union {
    struct {
      const char *name;
      uint64_t commHash, seqNumber;
      uint8_t func;
      const void *sendBuff;
      void *recvBuff;
      size_t count;
      int root;
      uint8_t datatype;
      uint32_t op;
      size_t trafficBytes;
      uint8_t nMaxChannels, nWarps, algo, proto;
      int isCollnet, isNvls;
    } coll;
    struct {
      const char *name;
      uint64_t commHash;
      uint8_t func;
      void *buff;
      uint8_t datatype;
      size_t count;
      int peer;
    } p2p;
    NCCL_PROFILER_PROXY_MEMBERS
  };
} ncclProfilerEventDescr_v1_t;

typedef struct {
  uint8_t type;
  void *parentObj;
  int rank;
  union {
    struct {
      const char *name;
      uint64_t commHash, seqNumber;
      const char *func;
      const void *sendBuff;
      void *recvBuff;
      size_t count;
      int root;
      const char *datatype;
      size_t trafficBytes;
      uint8_t nMaxChannels, nWarps;
      const char *algo, *proto;
    } coll;
    NCCL_PROFILER_OLD_P2P_MEMBER
    NCCL_PROFILER_PROXY_MEMBERS
  };
} ncclProfilerEventDescr_v2_t;

typedef struct {
  uint8_t type;
  void *parentObj;
  int rank;
  union {
    struct {
      const char *name;
      uint64_t commHash, seqNumber;
      const char *func;
      const void *sendBuff;
      void *recvBuff;
      size_t count;
      int root;
      const char *datatype;
      uint8_t nMaxChannels, nWarps;
      const char *algo, *proto;
    } coll;
    NCCL_PROFILER_OLD_P2P_MEMBER
    NCCL_PROFILER_PROXY_MEMBERS
    struct {
      uint8_t channelId;
    } kernelCh;
    NCCL_PROFILER_NET_MEMBER
  };
} ncclProfilerEventDescr_v3_t;

typedef struct {
  uint8_t type;
  void *parentObj;
  int rank;
  union {
    struct {
      uint64_t seqNumber;
      const char *func;
      const void *sendBuff;
      void *recvBuff;
      size_t count;
      int root;
      const char *datatype;
      uint8_t nChannels, nWarps;
      const char *algo, *proto;
    } coll;
    struct {
      const char *func;
      void *buff;
      const char *datatype;
      size_t count;
      int peer;
      uint8_t nChannels;
    } p2p;
    NCCL_PROFILER_PROXY_MEMBERS
    NCCL_PROFILER_KERNEL_MEMBER
    NCCL_PROFILER_NET_MEMBER
  };
} ncclProfilerEventDescr_v4_t;

typedef struct {
  uint64_t type;
  void *parentObj;
  int rank;
  union {
    NCCL_PROFILER_API_MEMBERS
    NCCL_PROFILER_PROXY_MEMBERS
    NCCL_PROFILER_KERNEL_MEMBER
    NCCL_PROFILER_NET_MEMBER
  };
} ncclProfilerEventDescr_v5_t;

typedef struct {
  uint64_t type;
  void *parentObj;
  int rank;
  union {
    NCCL_PROFILER_API_MEMBERS
    NCCL_PROFILER_PROXY_MEMBERS
    NCCL_PROFILER_KERNEL_MEMBER
    NCCL_PROFILER_NET_MEMBER
    struct {
      uint64_t seqNumber;
      const char *func;
      const void *sendBuff;
      void *recvBuff;
      size_t count;
      int root;
      const char *datatype, *syncStrategy;
      bool intraBatchSync;
      uint32_t batchSize, numBatches, ceSeqNum;
      void *stream;
    } ceColl;
  };
} ncclProfilerEventDescr_v6_t;

/* What a state says: up to version 3 nothing of steps. */
typedef union {
  struct {
    size_t transSize;
    int steps;
  } proxyOp;
  struct {
    int appendedProxyOps;
  } proxyCtrl;
} ncclProfilerEventStateArgs_v1_t;
typedef ncclProfilerEventStateArgs_v1_t ncclProfilerEventStateArgs_v2_t;
typedef ncclProfilerEventStateArgs_v1_t ncclProfilerEventStateArgs_v3_t;

typedef union {
  struct {
    size_t transSize;
  } proxyStep;
  struct {
    int appendedProxyOps;
  } proxyCtrl;
  struct {
    void *data;
  } netPlugin;
  struct {
    uint64_t pTimer;
  } kernelCh;
} ncclProfilerEventStateArgs_v4_t;
typedef ncclProfilerEventStateArgs_v4_t ncclProfilerEventStateArgs_v5_t;
typedef ncclProfilerEventStateArgs_v4_t ncclProfilerEventStateArgs_v6_t;

#define NCCL_PROFILER_STRUCT(V, ...)                                                       \
  typedef struct {                                                                         \
    const char *name;                                                                      \
    ncclResult_t (*init)(__VA_ARGS__);                                                     \
    ncclResult_t (*startEvent)(void *context, void **event,                                \
                               ncclProfilerEventDescr_v##V##_t *descriptor);               \
    ncclResult_t (*stopEvent)(void *event);                                                \
    ncclResult_t (*recordEventState)(void *event, ncclProfilerEventState_t state,          \
                                     ncclProfilerEventStateArgs_v##V##_t *args);           \
    ncclResult_t (*finalize)(void *context);                                               \
  } ncclProfiler_v##V##_t

NCCL_PROFILER_STRUCT(1, void **context, int *mask);
NCCL_PROFILER_STRUCT(2, void **context, int *mask);
NCCL_PROFILER_STRUCT(3, void **context, int *mask);
NCCL_PROFILER_STRUCT(4, void **context, int *mask, const char *commName, uint64_t commHash,
                     int nNodes, int nranks, int rank, ncclDebugLogger_t logger);
NCCL_PROFILER_STRUCT(5, void **context, uint64_t commId, int *mask, const char *commName,
                     int nNodes, int nranks, int rank, ncclDebugLogger_t logger);
NCCL_PROFILER_STRUCT(6, void **context, uint64_t commId, int *mask, const char *commName,
                     int nNodes, int nranks, int rank, ncclDebugLogger_t logger);

#endif
