// SPDX-License-Identifier: Apache-2.0
//
// NCCL's side of bench/gpu-vs-nccl: a process that drives all ranks, or one of several with a rank each. It does what
// the Java class GpuRankProcess does, by the same commands, so that one program has both sides measure in turns.
//
// Build: nvcc -O2 -std=c++17 -cudart static -o nccl_peer nccl_peer.cpp -ldl. NCCL is opened by name at run time.
//
// usage: nccl_peer SOCKET LIBRARY PROCESS PROCESSES DEVICES CAPACITY IDFILE REGISTER
//
//   SOCKET     the UNIX socket of the bench; - for standard input and output
//   LIBRARY    libnccl.so.2
//   PROCESS    the number of this process, of PROCESSES; one process has all ranks, of several each has one
//   DEVICES    the device of each rank, such as 0,1; as many as there are ranks
//   CAPACITY   the most bytes of a buffer
//   IDFILE     where process 0 leaves the unique id for the others
//   REGISTER   1: buffers of ncclMemAlloc, in symmetric windows
//
// It says "hello PROCESS PROCESSES THREAD DESCRIPTION". A command is
//
//   run OPERATION BYTES plain|graph OPERATIONS LAUNCHES WARMUP CHECK LAG
//
// In a graph, OPERATIONS are captured once, and the graph is launched LAUNCHES times after WARMUP times that do not
// count. Plain, OPERATIONS * LAUNCHES are launched after WARMUP operations. With CHECK 1 the results are made once more and all elements
// compared. The process of the last rank lets LAG microseconds pass before it launches what counts, if it has no other rank.
// The answer is "ok NANOSECONDS", for one operation on the slowest rank, by events on its stream; or "wrong ..." or "failed ...".

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

// What this program uses of nccl.h, which need not be there.
typedef struct ncclComm *Comm;
typedef void *Window;
struct UniqueId {
  char internal[128];
};
static const int kFloat32 = 7;
static const int kSum = 0;
static const int kSymmetric = 1;

static int (*GetVersion)(int *);
static const char *(*GetErrorString)(int);
static const char *(*GetLastError)(Comm);
static int (*GetUniqueId)(UniqueId *);
static int (*CommInitAll)(Comm *, int, const int *);
static int (*CommInitRank)(Comm *, int, UniqueId, int);
static int (*CommDestroy)(Comm);
static int (*CommAbort)(Comm);
static int (*CommGetAsyncError)(Comm, int *);
static int (*GroupStart)();
static int (*GroupEnd)();
static int (*AllReduce)(const void *, void *, size_t, int, int, Comm, cudaStream_t);
static int (*Reduce)(const void *, void *, size_t, int, int, int, Comm, cudaStream_t);
static int (*Broadcast)(const void *, void *, size_t, int, int, Comm, cudaStream_t);
static int (*AllGather)(const void *, void *, size_t, int, Comm, cudaStream_t);
static int (*ReduceScatter)(const void *, void *, size_t, int, int, Comm, cudaStream_t);
static int (*Send)(const void *, size_t, int, int, Comm, cudaStream_t);
static int (*Recv)(void *, size_t, int, int, Comm, cudaStream_t);
static int (*AlltoAll)(const void *, void *, size_t, int, Comm, cudaStream_t);  // from 2.28 on
static int (*MemAlloc)(void **, size_t);
static int (*CommWindowRegister)(Comm, void *, size_t, Window *, int);  // from 2.27 on

static const int kPeriod = 1021;        // of the elements' values
static const long kChunk = 4096L * kPeriod;  // elements that are compared at once
static const double kPatience = 50;     // seconds

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static void cuda(cudaError_t result, const char *what) {
  if (result != cudaSuccess) {
    throw Failure(std::string(what) + ": " + cudaGetErrorString(result));
  }
}

static void nccl(int result, const char *what) {
  if (result != 0) {
    throw Failure(std::string(what) + ": " + GetErrorString(result) + "; " + (GetLastError ? GetLastError(nullptr) : ""));
  }
}

#define CUDA(call) cuda(call, #call)
#define NCCL(call) nccl(call, #call)

template <typename T>
static void load(void *library, const char *name, T &function, bool must = true) {
  function = reinterpret_cast<T>(dlsym(library, name));
  if (must && function == nullptr) {
    throw Failure(std::string("no ") + name + " in this NCCL");
  }
}

static void open_nccl(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Failure(dlerror());
  }
  load(library, "ncclGetVersion", GetVersion);
  load(library, "ncclGetErrorString", GetErrorString);
  load(library, "ncclGetLastError", GetLastError, false);
  load(library, "ncclGetUniqueId", GetUniqueId);
  load(library, "ncclCommInitAll", CommInitAll);
  load(library, "ncclCommInitRank", CommInitRank);
  load(library, "ncclCommDestroy", CommDestroy);
  load(library, "ncclCommAbort", CommAbort);
  load(library, "ncclCommGetAsyncError", CommGetAsyncError);
  load(library, "ncclGroupStart", GroupStart);
  load(library, "ncclGroupEnd", GroupEnd);
  load(library, "ncclAllReduce", AllReduce);
  load(library, "ncclReduce", Reduce);
  load(library, "ncclBroadcast", Broadcast);
  load(library, "ncclAllGather", AllGather);
  load(library, "ncclReduceScatter", ReduceScatter);
  load(library, "ncclSend", Send);
  load(library, "ncclRecv", Recv);
  load(library, "ncclAlltoAll", AlltoAll, false);
  load(library, "ncclMemAlloc", MemAlloc, false);
  load(library, "ncclCommWindowRegister", CommWindowRegister, false);
}

// One rank of this process.
struct Rank {
  int number;
  int device;
  Comm comm;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  char *in = nullptr, *out = nullptr;
  cudaGraphExec_t graph = nullptr;
};

static int ranks;
static std::vector<Rank> own;
static size_t capacity;
static float *staging;                            // pinned, for a chunk
static std::vector<std::vector<float>> expected;  // by rank what it sent, and at [ranks] the sum; a chunk and a period

// The graph that is there.
static std::string graph_operation;
static long graph_bytes = -1, graph_operations = -1;

static float element(int rank, long i) {
  return static_cast<float>((i * 7 + rank * 131L) % kPeriod);
}

static void make_expected() {
  expected.resize(ranks + 1, std::vector<float>(kChunk + kPeriod));
  for (int r = 0; r <= ranks; r++) {
    for (long i = 0; i < kPeriod; i++) {
      float value = 0;
      if (r < ranks) {
        value = element(r, i);
      } else {
        for (int each = 0; each < ranks; each++) {
          value += element(each, i);
        }
      }
      for (long at = i; at < kChunk + kPeriod; at += kPeriod) {
        expected[r][at] = value;
      }
    }
  }
}

static void settle(const Rank &rank) {
  auto begin = std::chrono::steady_clock::now();
  for (;;) {
    cudaError_t state = cudaStreamQuery(rank.stream);
    if (state == cudaSuccess) {
      return;
    }
    if (state != cudaErrorNotReady) {
      cuda(state, "the stream of a rank");
    }
    int error = 0;
    NCCL(CommGetAsyncError(rank.comm, &error));
    if (error != 7) {  // ncclInProgress
      nccl(error, "a rank's communicator");
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > kPatience) {
      throw Failure("rank " + std::to_string(rank.number) + " is not done after 50 s");
    }
    usleep(20);
  }
}

static void settle_all() {
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    settle(rank);
  }
}

// How many elements one rank passes as the count of a call.
static size_t count_of(const std::string &operation, long bytes) {
  bool parts = operation == "all_gather" || operation == "reduce_scatter" || operation == "alltoall";
  return std::max(bytes / 4 / (parts ? ranks : 1), 1L);
}

static void put(const Rank &rank, const std::string &operation, size_t count) {
  if (operation == "all_reduce") {
    NCCL(AllReduce(rank.in, rank.out, count, kFloat32, kSum, rank.comm, rank.stream));
  } else if (operation == "all_gather") {
    NCCL(AllGather(rank.in, rank.out, count, kFloat32, rank.comm, rank.stream));
  } else if (operation == "reduce_scatter") {
    NCCL(ReduceScatter(rank.in, rank.out, count, kFloat32, kSum, rank.comm, rank.stream));
  } else if (operation == "broadcast") {
    NCCL(Broadcast(rank.in, rank.out, count, kFloat32, 0, rank.comm, rank.stream));
  } else if (operation == "reduce") {
    NCCL(Reduce(rank.in, rank.out, count, kFloat32, kSum, 0, rank.comm, rank.stream));
  } else if (operation == "alltoall" && AlltoAll != nullptr) {
    NCCL(AlltoAll(rank.in, rank.out, count, kFloat32, rank.comm, rank.stream));
  } else if (operation == "alltoall") {
    NCCL(GroupStart());
    for (int peer = 0; peer < ranks; peer++) {
      NCCL(Send(rank.in + peer * count * 4, count, kFloat32, peer, rank.comm, rank.stream));
      NCCL(Recv(rank.out + peer * count * 4, count, kFloat32, peer, rank.comm, rank.stream));
    }
    NCCL(GroupEnd());
  } else if (operation == "sendrecv") {
    NCCL(GroupStart());
    NCCL(Send(rank.in, count, kFloat32, (rank.number + 1) % ranks, rank.comm, rank.stream));
    NCCL(Recv(rank.out, count, kFloat32, (rank.number + ranks - 1) % ranks, rank.comm, rank.stream));
    NCCL(GroupEnd());
  } else {
    throw Failure("no such operation: " + operation);
  }
}

static void put_all(const std::string &operation, size_t count) {
  if (own.size() == 1) {
    put(own[0], operation, count);
    return;
  }
  NCCL(GroupStart());
  for (Rank &rank : own) {
    put(rank, operation, count);
  }
  NCCL(GroupEnd());
}

static void drop_graphs() {
  for (Rank &rank : own) {
    if (rank.graph != nullptr) {
      CUDA(cudaSetDevice(rank.device));
      CUDA(cudaGraphExecDestroy(rank.graph));
      rank.graph = nullptr;
    }
  }
  graph_bytes = -1;
}

static void capture(const std::string &operation, long bytes, long operations) {
  if (operation == graph_operation && bytes == graph_bytes && operations == graph_operations) {
    return;
  }
  drop_graphs();
  // Connections that NCCL makes at the first use are not for a capture.
  put_all(operation, count_of(operation, bytes));
  settle_all();
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaStreamBeginCapture(rank.stream, cudaStreamCaptureModeThreadLocal));
  }
  for (long i = 0; i < operations; i++) {
    put_all(operation, count_of(operation, bytes));
  }
  // One thread captures on the streams of all ranks. Until the last capture has ended, CUDA refuses to make a graph runnable.
  std::vector<cudaGraph_t> graphs(own.size());
  for (size_t r = 0; r < own.size(); r++) {
    CUDA(cudaSetDevice(own[r].device));
    CUDA(cudaStreamEndCapture(own[r].stream, &graphs[r]));
  }
  for (size_t r = 0; r < own.size(); r++) {
    CUDA(cudaSetDevice(own[r].device));
    CUDA(cudaGraphInstantiate(&own[r].graph, graphs[r], 0));
    CUDA(cudaGraphDestroy(graphs[r]));
  }
  graph_operation = operation;
  graph_bytes = bytes;
  graph_operations = operations;
}

static void launch_graphs() {
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaGraphLaunch(rank.graph, rank.stream));
  }
}

static void record(bool end) {
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaEventRecord(end ? rank.end : rank.start, rank.stream));
  }
}

// Begins what counts. The process of the last rank, where that has no other, lets the lag pass, with its device idle.
static void begin(long lag) {
  if (lag > 0) {
    settle_all();
  }
  record(false);
  auto now = std::chrono::steady_clock::now();
  while (own[0].number == ranks - 1 && std::chrono::steady_clock::now() - now < std::chrono::microseconds(lag)) {
  }
}

static double measure(const std::string &operation, long bytes, bool graph, long operations, long launches, long warmup, long lag) {
  size_t count = count_of(operation, bytes);
  if (graph) {
    capture(operation, bytes, operations);
    for (long i = 0; i < warmup; i++) {
      launch_graphs();
    }
    begin(lag);
    for (long i = 0; i < launches; i++) {
      launch_graphs();
    }
  } else {
    for (long i = 0; i < warmup; i++) {
      put_all(operation, count);
    }
    begin(lag);
    for (long i = 0; i < operations * launches; i++) {
      put_all(operation, count);
    }
  }
  record(true);
  settle_all();
  double slowest = 0;
  for (Rank &rank : own) {
    float millis;
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaEventElapsedTime(&millis, rank.start, rank.end));
    slowest = std::max(slowest, millis * 1e6 / static_cast<double>(operations * launches));
  }
  return slowest;
}

// Compares a part of a rank's output with what a table says from a place on.
static std::string compare(const Rank &rank, size_t from, size_t count, int table, size_t place) {
  for (size_t at = 0; at < count; at += kChunk) {
    size_t n = std::min(count - at, static_cast<size_t>(kChunk));
    CUDA(cudaMemcpyAsync(staging, rank.out + (from + at) * 4, n * 4, cudaMemcpyDeviceToHost, rank.stream));
    settle(rank);
    const float *wanted = expected[table].data() + (place + at) % kPeriod;
    if (memcmp(staging, wanted, n * 4) != 0) {
      size_t i = 0;
      while (memcmp(staging + i, wanted + i, 4) == 0) {
        i++;
      }
      char text[200];
      snprintf(text, sizeof text, "wrong rank %d, element %zu: %g, expected %g", rank.number, from + at + i, staging[i], wanted[i]);
      return text;
    }
  }
  return "";
}

static std::string verify(const Rank &rank, const std::string &operation, size_t count) {
  size_t mine = rank.number * count;
  if (operation == "all_reduce" || (operation == "reduce" && rank.number == 0)) {
    return compare(rank, 0, count, ranks, 0);
  }
  if (operation == "reduce_scatter") {
    return compare(rank, 0, count, ranks, mine);
  }
  if (operation == "broadcast") {
    return compare(rank, 0, count, 0, 0);
  }
  if (operation == "sendrecv") {
    return compare(rank, 0, count, (rank.number + ranks - 1) % ranks, 0);
  }
  std::string wrong;
  if (operation == "all_gather" || operation == "alltoall") {
    for (int peer = 0; peer < ranks && wrong.empty(); peer++) {
      wrong = compare(rank, peer * count, count, peer, operation == "alltoall" ? mine : 0);
    }
  }
  return wrong;
}

static std::string check(const std::string &operation, long bytes, bool graph) {
  size_t count = count_of(operation, bytes);
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaMemsetAsync(rank.out, 0xff, capacity, rank.stream));  // NaN
  }
  settle_all();
  if (graph) {
    launch_graphs();
  } else {
    put_all(operation, count);
  }
  settle_all();
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    std::string wrong = verify(rank, operation, count);
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return "";
}

static std::string obey(const std::string &line) {
  char operation[32], mode[16];
  long bytes, operations, launches, warmup, lag;
  int checked;
  if (sscanf(line.c_str(), "run %31s %ld %15s %ld %ld %ld %d %ld", operation, &bytes, mode, &operations, &launches, &warmup, &checked, &lag) != 8 ||
      bytes < 1 || static_cast<size_t>(bytes) > capacity || operations < 1 || launches < 1) {
    return "failed not understood: " + line;
  }
  bool graph = !strcmp(mode, "graph");
  double nanos = measure(operation, bytes, graph, operations, launches, warmup, lag);
  if (checked) {
    std::string wrong = check(operation, bytes, graph);
    if (!wrong.empty()) {
      return wrong;
    }
  }
  char text[64];
  snprintf(text, sizeof text, "ok %.1f", nanos);
  return text;
}

static UniqueId meet(int process, const std::string &file) {
  UniqueId id;
  if (process == 0) {
    NCCL(GetUniqueId(&id));
    std::string part = file + ".part";
    FILE *out = fopen(part.c_str(), "w");
    if (out == nullptr || fwrite(&id, sizeof id, 1, out) != 1 || fclose(out) != 0 || rename(part.c_str(), file.c_str()) != 0) {
      throw Failure("cannot write " + file);
    }
    return id;
  }
  for (int tries = 0; tries < 5000; tries++) {
    if (FILE *in = fopen(file.c_str(), "r")) {
      size_t got = fread(&id, sizeof id, 1, in);
      fclose(in);
      if (got == 1) {
        return id;
      }
    }
    usleep(10000);
  }
  throw Failure(file + " does not come");
}

static void make_ranks(int process, int processes, const std::vector<int> &devices, const std::string &file, bool registered) {
  ranks = static_cast<int>(devices.size());
  std::vector<Comm> comms(ranks);
  if (processes == 1) {
    NCCL(CommInitAll(comms.data(), ranks, devices.data()));
    for (int r = 0; r < ranks; r++) {
      own.push_back(Rank{r, devices[r], comms[r]});
    }
  } else {
    CUDA(cudaSetDevice(devices[process]));
    UniqueId id = meet(process, file);
    NCCL(CommInitRank(&comms[process], ranks, id, process));
    own.push_back(Rank{process, devices[process], comms[process]});
  }
  make_expected();
  CUDA(cudaSetDevice(own[0].device));
  CUDA(cudaHostAlloc(reinterpret_cast<void **>(&staging), kChunk * 4, cudaHostAllocPortable));
  if (registered && (MemAlloc == nullptr || CommWindowRegister == nullptr)) {
    throw Failure("this NCCL has no windows");
  }
  for (Rank &rank : own) {
    CUDA(cudaSetDevice(rank.device));
    CUDA(cudaStreamCreateWithFlags(&rank.stream, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&rank.start));
    CUDA(cudaEventCreate(&rank.end));
    void *memory[2];
    for (int i = 0; i < 2; i++) {
      if (registered) {
        NCCL(MemAlloc(&memory[i], capacity));
      } else {
        CUDA(cudaMalloc(&memory[i], capacity));
      }
    }
    rank.in = static_cast<char *>(memory[0]);
    rank.out = static_cast<char *>(memory[1]);
    for (size_t at = 0; at < capacity; at += kChunk * 4) {
      CUDA(cudaMemcpyAsync(rank.in + at, expected[rank.number].data(), std::min(capacity - at, static_cast<size_t>(kChunk) * 4), cudaMemcpyDefault,
                           rank.stream));
    }
    settle(rank);
  }
  for (int i = 0; registered && i < 2; i++) {
    std::vector<Window> windows(own.size());
    NCCL(GroupStart());
    for (size_t r = 0; r < own.size(); r++) {
      NCCL(CommWindowRegister(own[r].comm, i == 0 ? own[r].in : own[r].out, capacity, &windows[r], kSymmetric));
    }
    NCCL(GroupEnd());
  }
}

static int connect_to(const char *path) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
    throw Failure(std::string("cannot connect to ") + path);
  }
  return fd;
}

static void serve(FILE *in, FILE *out, int process, int processes, bool registered) {
  int version = 0;
  NCCL(GetVersion(&version));
  fprintf(out, "hello %d %d %ld NCCL %d.%d.%d, %s, alltoall by %s\n", process, processes, syscall(SYS_gettid), version / 10000,
          version / 100 % 100, version % 100, registered ? "buffers in symmetric windows" : "no windows",
          AlltoAll != nullptr ? "ncclAlltoAll" : "sends and receives");
  fflush(out);
  char line[300];
  while (fgets(line, sizeof line, in) != nullptr) {
    std::string text(line);
    text.erase(text.find_last_not_of("\r\n") + 1);
    bool failed = false;
    std::string answer;
    try {
      answer = obey(text);
    } catch (const Failure &failure) {
      answer = std::string("failed ") + failure.what();
      fprintf(stderr, "nccl_peer %d: %s: %s\n", process, text.c_str(), answer.c_str());
      failed = true;
    }
    std::replace(answer.begin(), answer.end(), '\n', ' ');
    fprintf(out, "%s\n", answer.c_str());
    fflush(out);
    if (failed) {
      _exit(1);  // what CUDA and NCCL still hold may wait for other ranks
    }
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--runs")) {
    return 0;  // for a script that asks whether this program runs here
  }
  if (argc == 3 && !strcmp(argv[1], "--version")) {
    try {
      int version = 0;
      open_nccl(argv[2]);
      NCCL(GetVersion(&version));
      printf("%d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
      return 0;
    } catch (const Failure &failure) {
      fprintf(stderr, "nccl_peer: %s\n", failure.what());
      return 1;
    }
  }
  if (argc != 9) {
    fprintf(stderr, "usage: nccl_peer SOCKET LIBRARY PROCESS PROCESSES DEVICES CAPACITY IDFILE REGISTER\n");
    fprintf(stderr, "       nccl_peer --version LIBRARY\n");
    return 2;
  }
  try {
    open_nccl(argv[2]);
    int process = atoi(argv[3]), processes = atoi(argv[4]);
    std::vector<int> devices;
    for (char *at = argv[5]; *at != 0;) {
      devices.push_back(static_cast<int>(strtol(at, &at, 10)));
      at += *at == ',';
    }
    if (devices.empty() || (processes != 1 && processes != static_cast<int>(devices.size()))) {
      throw Failure("one process, or as many as ranks");
    }
    capacity = strtoull(argv[6], nullptr, 10);
    bool registered = !strcmp(argv[8], "1");
    make_ranks(process, processes, devices, argv[7], registered);
    if (!strcmp(argv[1], "-")) {
      serve(stdin, stdout, process, processes, registered);
    } else {
      int fd = connect_to(argv[1]);
      serve(fdopen(fd, "r"), fdopen(dup(fd), "w"), process, processes, registered);
    }
    drop_graphs();
  } catch (const Failure &failure) {
    fprintf(stderr, "nccl_peer: %s\n", failure.what());
    return 1;
  }
  _exit(0);  // the driver frees what is left; a peer may have ended before
}
