/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binary interface between NCCL and its network plugins, versions 2 to 12: which function is at
 * which place of the exported struct, what it takes, and what the structs it is given look like.
 * Type names are NCCL's, so that this file and NCCL's own headers can stand for each other.
 *
 * A library exports one struct for each version that it speaks, under the names ncclNetPlugin_v<N>
 * and ncclCollNetPlugin_v<N>. Pointers that the plugin has nothing for are null.
 */
#ifndef NITINOL_NCCL_ABI_H
#define NITINOL_NCCL_ABI_H

#include <stddef.h>
#include <stdint.h>

/* ---- Numbers ---------------------------------------------------------------------------- */

#define NCCL_NET_HANDLE_MAXSIZE_V4 64 /* up to version 4 */
#define NCCL_NET_HANDLE_MAXSIZE 128   /* from version 5 on */
#define NCCL_NET_MAX_REQUESTS 32      /* on one comm, for each buffer that one receive may have */
#define NCCL_MAX_NET_SIZE_BYTES (1LL << 40)

#define NCCL_PTR_HOST 0x1
#define NCCL_PTR_CUDA 0x2
#define NCCL_PTR_DMABUF 0x4

/* What *request may hold when irecv is entered, from version 9 on. */
#define NCCL_NET_OPTIONAL_RECV_COMPLETION 0x1

#define NCCL_NET_MAX_DEVS_PER_NIC_V9 4   /* also in versions 10 and 11 */
#define NCCL_NET_MAX_DEVS_PER_NIC_V12 8
#define NCCL_NET_TRAFFIC_CLASS_UNDEF -1
#define NCCL_NET_ATTR_UNDEF -1
#define NCCL_NET_ID_UNDEF -1

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
  ncclTimeout = 8
} ncclResult_t;

typedef enum {
  NCCL_LOG_NONE = 0,
  NCCL_LOG_VERSION = 1,
  NCCL_LOG_WARN = 2,
  NCCL_LOG_INFO = 3,
  NCCL_LOG_ABORT = 4,
  NCCL_LOG_TRACE = 5
} ncclDebugLogLevel;

#define NCCL_INIT 0x1UL
#define NCCL_NET 0x10UL
#define NCCL_ALL (~0UL)

typedef enum {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9,
  ncclFloat8e4m3 = 10,
  ncclFloat8e5m2 = 11
} ncclDataType_t;

typedef enum { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 } ncclRedOp_t;

typedef enum {
  NCCL_NET_DEVICE_HOST = 0,
  NCCL_NET_DEVICE_UNPACK = 1,
  NCCL_NET_DEVICE_GIN_PROXY = 2,
  NCCL_NET_DEVICE_GIN_GDAKI = 3,
  NCCL_NET_DEVICE_GIN_GPI = 4
} ncclNetDeviceType;

/* ---- What the host of a plugin gives it ----------------------------------------------------- */

typedef void (*ncclDebugLogger_t)(ncclDebugLogLevel level, unsigned long flags, const char *file,
                                  int line, const char *format, ...);

/* Version 10 on. kind: 0 begins an event, 1 ends it, 2 has news of it, 3 has news and ends it. */
typedef ncclResult_t (*ncclProfilerCallback_t)(void **event, int kind, void *parent,
                                               int64_t pluginId, void *data);

/* ---- Small structs -------------------------------------------------------------------------- */

typedef struct {
  ncclNetDeviceType netDeviceType;
  int netDeviceVersion;
  void *handle;
  size_t size;
  int needsProxyProgress;
} ncclNetDeviceHandle_v7_t;
typedef ncclNetDeviceHandle_v7_t ncclNetDeviceHandle_v8_t, ncclNetDeviceHandle_v9_t,
    ncclNetDeviceHandle_v10_t, ncclNetDeviceHandle_v11_t, ncclNetDeviceHandle_v12_t;

typedef struct {
  int trafficClass;
} ncclNetCommConfig_v10_t;
typedef ncclNetCommConfig_v10_t ncclNetCommConfig_v11_t, ncclNetCommConfig_v12_t;

typedef struct {
  int32_t maxConcurrentPeers, minConcurrentPeers, maxFlowsPerPeer, minFlowsPerPeer;
} ncclNetCommAttr_v11_t;
typedef ncclNetCommAttr_v11_t ncclNetCommAttr_v12_t;

typedef struct {
  ncclNetCommAttr_v11_t sendCommAttr, recvCommAttr;
  uint32_t op, algo, proto;
} ncclNetAttr_v11_t;
typedef ncclNetAttr_v11_t ncclNetAttr_v12_t;

typedef struct {
  int ndevs;
  int devs[NCCL_NET_MAX_DEVS_PER_NIC_V9];
} ncclNetVDeviceProps_v9_t;
typedef ncclNetVDeviceProps_v9_t ncclNetVDeviceProps_v10_t, ncclNetVDeviceProps_v11_t;

typedef struct {
  int ndevs;
  int devs[NCCL_NET_MAX_DEVS_PER_NIC_V12];
} ncclNetVDeviceProps_v12_t;

/* A piece of a collective operation. */
typedef struct {
  void *mhandle;
  void *address;
  uint32_t size;
} ncclNetSGE_v8_t;

typedef struct {
  void *mhandle;
  void *address;
  size_t size;
} ncclNetSGE_v9_t;
typedef ncclNetSGE_v9_t ncclNetSGE_v10_t, ncclNetSGE_v11_t, ncclNetSGE_v12_t;

/* ---- Properties of a device (version 2 has none: pciPath and ptrSupport are calls there) ------- */

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int speed; /* megabits per second, here and below */
  int port;
  int maxComms;
} ncclNetProperties_v4_t;
typedef ncclNetProperties_v4_t ncclNetProperties_v3_t;

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int speed;
  int port;
  float latency; /* microseconds */
  int maxComms;
  int maxRecvs;
} ncclNetProperties_v6_t;
typedef ncclNetProperties_v6_t ncclNetProperties_v5_t;

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  ncclNetDeviceType netDeviceType;
  int netDeviceVersion;
} ncclNetProperties_v7_t;

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  ncclNetDeviceType netDeviceType;
  int netDeviceVersion;
} ncclNetProperties_v8_t;

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int forceFlush;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  ncclNetDeviceType netDeviceType;
  int netDeviceVersion;
  ncclNetVDeviceProps_v9_t vProps;
  size_t maxP2pBytes;
  size_t maxCollBytes;
} ncclNetProperties_v9_t;
typedef ncclNetProperties_v9_t ncclNetProperties_v10_t;

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int forceFlush;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  ncclNetDeviceType netDeviceType;
  int netDeviceVersion;
  ncclNetVDeviceProps_v11_t vProps;
  size_t maxP2pBytes;
  size_t maxCollBytes;
  int maxMultiRequestSize;
} ncclNetProperties_v11_t;

typedef struct {
  char *name;
  char *pciPath;
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int forceFlush;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  ncclNetDeviceType netDeviceType;
  int netDeviceVersion;
  ncclNetVDeviceProps_v12_t vProps;
  size_t maxP2pBytes;
  size_t maxCollBytes;
  int maxMultiRequestSize;
  int16_t railId;
  int16_t planeId;
} ncclNetProperties_v12_t;

/* ---- ncclNet -------------------------------------------------------------------------------- */

/* The parts that versions share, in the order in which the structs have them. */
#define NITINOL_NET_OPEN                                              \
  ncclResult_t (*listen)(int device, void *handle, void **listenComm)
#define NITINOL_NET_OPEN_CONTEXT                                      \
  ncclResult_t (*listen)(void *context, int device, void *handle, void **listenComm)
#define NITINOL_NET_JOIN                                              \
  ncclResult_t (*connect)(int device, void *handle, void **sendComm); \
  ncclResult_t (*accept)(void *listenComm, void **recvComm)
#define NITINOL_NET_ACCEPT_OFFLOAD                                    \
  ncclResult_t (*accept)(void *listenComm, void **recvComm,           \
                         ncclNetDeviceHandle_v7_t **deviceHandle)
#define NITINOL_NET_JOIN_OFFLOAD                                      \
  ncclResult_t (*connect)(int device, void *handle, void **sendComm,  \
                          ncclNetDeviceHandle_v7_t **deviceHandle);   \
  NITINOL_NET_ACCEPT_OFFLOAD
#define NITINOL_NET_REG(size_type)                                    \
  ncclResult_t (*regMr)(void *comm, void *data, size_type size, int type, void **mhandle)
#define NITINOL_NET_REG_DMABUF                                        \
  ncclResult_t (*regMrDmaBuf)(void *comm, void *data, size_t size, int type, uint64_t offset, \
                              int fd, void **mhandle)
#define NITINOL_NET_DEREG ncclResult_t (*deregMr)(void *comm, void *mhandle)
#define NITINOL_NET_MOVE_ONE                                          \
  ncclResult_t (*isend)(void *sendComm, void *data, int size, void *mhandle, void **request); \
  ncclResult_t (*irecv)(void *recvComm, void *data, int size, void *mhandle, void **request)
#define NITINOL_NET_MOVE(size_type)                                   \
  ncclResult_t (*isend)(void *sendComm, void *data, size_type size, int tag, void *mhandle, \
                        void **request);                              \
  ncclResult_t (*irecv)(void *recvComm, int n, void **data, size_type *sizes, int *tags, \
                        void **mhandles, void **request)
#define NITINOL_NET_MOVE_PROFILED                                     \
  ncclResult_t (*isend)(void *sendComm, void *data, size_t size, int tag, void *mhandle, \
                        void *phandle, void **request);               \
  ncclResult_t (*irecv)(void *recvComm, int n, void **data, size_t *sizes, int *tags, \
                        void **mhandles, void **phandles, void **request)
#define NITINOL_NET_FLUSH_NOW                                         \
  ncclResult_t (*flush)(void *recvComm, void *data, int size, void *mhandle)
#define NITINOL_NET_FLUSH_ONE                                         \
  ncclResult_t (*iflush)(void *comm, void *data, int size, void *mhandle, void **request)
#define NITINOL_NET_FLUSH                                             \
  ncclResult_t (*iflush)(void *recvComm, int n, void **data, int *sizes, void **mhandles, \
                         void **request)
#define NITINOL_NET_TEST ncclResult_t (*test)(void *request, int *done, int *sizes)
#define NITINOL_NET_CLOSE                                             \
  ncclResult_t (*closeSend)(void *sendComm);                          \
  ncclResult_t (*closeRecv)(void *recvComm);                          \
  ncclResult_t (*closeListen)(void *listenComm)
#define NITINOL_NET_OFFLOAD                                           \
  ncclResult_t (*getDeviceMr)(void *comm, void *mhandle, void **deviceMhandle); \
  ncclResult_t (*irecvConsumed)(void *recvComm, int n, void *request)
#define NITINOL_NET_FIRST(properties)                                 \
  const char *name;                                                   \
  ncclResult_t (*init)(ncclDebugLogger_t logger);                     \
  ncclResult_t (*devices)(int *count);                                \
  ncclResult_t (*getProperties)(int device, properties *props)

typedef struct {
  const char *name;
  ncclResult_t (*init)(ncclDebugLogger_t logger);
  ncclResult_t (*devices)(int *count);
  ncclResult_t (*pciPath)(int device, char **path); /* malloc'ed for the caller */
  ncclResult_t (*ptrSupport)(int device, int *types);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN;
  NITINOL_NET_REG(int);
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE_ONE;
  NITINOL_NET_FLUSH_NOW;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
} ncclNet_v2_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v3_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN;
  NITINOL_NET_REG(int);
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE_ONE;
  NITINOL_NET_FLUSH_NOW;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
} ncclNet_v3_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v4_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN;
  NITINOL_NET_REG(int);
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE_ONE;
  NITINOL_NET_FLUSH_ONE;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
} ncclNet_v4_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v5_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN;
  NITINOL_NET_REG(int);
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE(int);
  NITINOL_NET_FLUSH;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
} ncclNet_v5_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v6_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN;
  NITINOL_NET_REG(int);
  NITINOL_NET_REG_DMABUF;
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE(int);
  NITINOL_NET_FLUSH;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
} ncclNet_v6_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v7_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN_OFFLOAD;
  NITINOL_NET_REG(int);
  NITINOL_NET_REG_DMABUF;
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE(int);
  NITINOL_NET_FLUSH;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
  NITINOL_NET_OFFLOAD;
} ncclNet_v7_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v8_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN_OFFLOAD;
  NITINOL_NET_REG(size_t);
  NITINOL_NET_REG_DMABUF;
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE(int);
  NITINOL_NET_FLUSH;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
  NITINOL_NET_OFFLOAD;
} ncclNet_v8_t;

typedef struct {
  NITINOL_NET_FIRST(ncclNetProperties_v9_t);
  NITINOL_NET_OPEN;
  NITINOL_NET_JOIN_OFFLOAD;
  NITINOL_NET_REG(size_t);
  NITINOL_NET_REG_DMABUF;
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE(size_t);
  NITINOL_NET_FLUSH;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
  NITINOL_NET_OFFLOAD;
  ncclResult_t (*makeVDevice)(int *device, ncclNetVDeviceProps_v9_t *props);
} ncclNet_v9_t;

typedef struct {
  const char *name;
  ncclResult_t (*init)(ncclDebugLogger_t logger, ncclProfilerCallback_t profiler);
  ncclResult_t (*devices)(int *count);
  ncclResult_t (*getProperties)(int device, ncclNetProperties_v10_t *props);
  NITINOL_NET_OPEN;
  ncclResult_t (*connect)(int device, ncclNetCommConfig_v10_t *config, void *handle,
                          void **sendComm, ncclNetDeviceHandle_v10_t **deviceHandle);
  NITINOL_NET_ACCEPT_OFFLOAD;
  NITINOL_NET_REG(size_t);
  NITINOL_NET_REG_DMABUF;
  NITINOL_NET_DEREG;
  NITINOL_NET_MOVE_PROFILED;
  NITINOL_NET_FLUSH;
  NITINOL_NET_TEST;
  NITINOL_NET_CLOSE;
  NITINOL_NET_OFFLOAD;
  ncclResult_t (*makeVDevice)(int *device, ncclNetVDeviceProps_v10_t *props);
} ncclNet_v10_t;

/* Versions 11 and 12 differ in the structs that they point to. */
#define NITINOL_NET_WITH_CONTEXT(properties, virtual_device)                                   \
  const char *name;                                                                            \
  ncclResult_t (*init)(void **context, uint64_t commId, ncclNetCommConfig_v11_t *config,       \
                       ncclDebugLogger_t logger, ncclProfilerCallback_t profiler);             \
  ncclResult_t (*devices)(int *count);                                                         \
  ncclResult_t (*getProperties)(int device, properties *props);                                \
  NITINOL_NET_OPEN_CONTEXT;                                                                    \
  ncclResult_t (*connect)(void *context, int device, void *handle, void **sendComm,            \
                          ncclNetDeviceHandle_v11_t **deviceHandle);                           \
  NITINOL_NET_ACCEPT_OFFLOAD;                                                                  \
  NITINOL_NET_REG(size_t);                                                                     \
  NITINOL_NET_REG_DMABUF;                                                                      \
  NITINOL_NET_DEREG;                                                                           \
  NITINOL_NET_MOVE_PROFILED;                                                                   \
  NITINOL_NET_FLUSH;                                                                           \
  NITINOL_NET_TEST;                                                                            \
  NITINOL_NET_CLOSE;                                                                           \
  NITINOL_NET_OFFLOAD;                                                                         \
  ncclResult_t (*makeVDevice)(int *device, virtual_device *props);                             \
  ncclResult_t (*finalize)(void *context);                                                     \
  ncclResult_t (*setNetAttr)(void *context, ncclNetAttr_v11_t *attributes)

typedef struct {
  NITINOL_NET_WITH_CONTEXT(ncclNetProperties_v11_t, ncclNetVDeviceProps_v11_t);
} ncclNet_v11_t;

typedef struct {
  NITINOL_NET_WITH_CONTEXT(ncclNetProperties_v12_t, ncclNetVDeviceProps_v12_t);
} ncclNet_v12_t;

/* ---- ncclCollNet ---------------------------------------------------------------------------- */

#define NITINOL_COLL_FIRST(properties) \
  NITINOL_NET_FIRST(properties);       \
  NITINOL_NET_OPEN;                    \
  NITINOL_COLL_JOIN
#define NITINOL_COLL_JOIN                                                                    \
  ncclResult_t (*connect)(void *handles[], int nranks, int rank, void *listenComm,           \
                          void **collComm);                                                  \
  ncclResult_t (*reduceSupport)(ncclDataType_t type, ncclRedOp_t op, int *supported)
#define NITINOL_COLL_ALLREDUCE(count_type)                                                   \
  ncclResult_t (*iallreduce)(void *collComm, void *sendData, void *recvData, count_type count, \
                             ncclDataType_t type, ncclRedOp_t op, void *sendMhandle,         \
                             void *recvMhandle, void **request)
#define NITINOL_COLL_PARTS(piece)                                                            \
  ncclResult_t (*iallgather)(void *collComm, void *sendData, int pieces, piece *recvPieces,  \
                             size_t bytesPerRank, size_t windowOffset, size_t windowBytes,   \
                             void *sendMhandle, void **request);                             \
  ncclResult_t (*ireducescatter)(void *collComm, int pieces, piece *sendPieces, void *recvData, \
                                 size_t bytesPerRank, size_t windowOffset, size_t windowBytes, \
                                 ncclDataType_t type, ncclRedOp_t op, void *recvMhandle,     \
                                 void **request)
#define NITINOL_COLL_LAST                      \
  NITINOL_NET_FLUSH_ONE;                       \
  NITINOL_NET_TEST;                            \
  ncclResult_t (*closeColl)(void *collComm);   \
  ncclResult_t (*closeListen)(void *listenComm)

#define NITINOL_COLL_WITHOUT_DMABUF(properties) \
  NITINOL_COLL_FIRST(properties);               \
  NITINOL_NET_REG(int);                         \
  NITINOL_NET_DEREG;                            \
  NITINOL_COLL_ALLREDUCE(int);                  \
  NITINOL_COLL_LAST
#define NITINOL_COLL_WITH_DMABUF(properties) \
  NITINOL_COLL_FIRST(properties);            \
  NITINOL_NET_REG(int);                      \
  NITINOL_NET_REG_DMABUF;                    \
  NITINOL_NET_DEREG;                         \
  NITINOL_COLL_ALLREDUCE(int);               \
  NITINOL_COLL_LAST

typedef struct {
  NITINOL_COLL_WITHOUT_DMABUF(ncclNetProperties_v4_t);
} ncclCollNet_v4_t;

typedef struct {
  NITINOL_COLL_WITHOUT_DMABUF(ncclNetProperties_v5_t);
} ncclCollNet_v5_t;

typedef struct {
  NITINOL_COLL_WITH_DMABUF(ncclNetProperties_v6_t);
} ncclCollNet_v6_t;

typedef struct {
  NITINOL_COLL_WITH_DMABUF(ncclNetProperties_v7_t);
} ncclCollNet_v7_t;

typedef struct {
  NITINOL_COLL_FIRST(ncclNetProperties_v8_t);
  NITINOL_NET_REG(size_t);
  NITINOL_NET_REG_DMABUF;
  NITINOL_NET_DEREG;
  NITINOL_COLL_ALLREDUCE(int);
  NITINOL_COLL_PARTS(ncclNetSGE_v8_t);
  NITINOL_COLL_LAST;
} ncclCollNet_v8_t;

#define NITINOL_COLL_WIDE              \
  NITINOL_NET_REG(size_t);             \
  NITINOL_NET_REG_DMABUF;              \
  NITINOL_NET_DEREG;                   \
  NITINOL_COLL_ALLREDUCE(size_t);      \
  NITINOL_COLL_PARTS(ncclNetSGE_v9_t); \
  NITINOL_COLL_LAST

typedef struct {
  NITINOL_COLL_FIRST(ncclNetProperties_v9_t);
  NITINOL_COLL_WIDE;
  ncclResult_t (*makeVDevice)(int *device, ncclNetVDeviceProps_v9_t *props);
} ncclCollNet_v9_t;

typedef struct {
  NITINOL_COLL_FIRST(ncclNetProperties_v10_t);
  NITINOL_COLL_WIDE;
  ncclResult_t (*makeVDevice)(int *device, ncclNetVDeviceProps_v10_t *props);
} ncclCollNet_v10_t;

#define NITINOL_COLL_WITH_CONTEXT(properties, virtual_device)                             \
  const char *name;                                                                       \
  ncclResult_t (*init)(void **context, uint64_t commId, ncclDebugLogger_t logger);        \
  ncclResult_t (*devices)(int *count);                                                    \
  ncclResult_t (*getProperties)(int device, properties *props);                           \
  NITINOL_NET_OPEN_CONTEXT;                                                               \
  NITINOL_COLL_JOIN;                                                                      \
  NITINOL_COLL_WIDE;                                                                      \
  ncclResult_t (*makeVDevice)(int *device, virtual_device *props);                        \
  ncclResult_t (*finalize)(void *context)

typedef struct {
  NITINOL_COLL_WITH_CONTEXT(ncclNetProperties_v11_t, ncclNetVDeviceProps_v11_t);
} ncclCollNet_v11_t;

typedef struct {
  NITINOL_COLL_WITH_CONTEXT(ncclNetProperties_v12_t, ncclNetVDeviceProps_v12_t);
} ncclCollNet_v12_t;

#endif
