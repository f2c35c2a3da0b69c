// SPDX-License-Identifier: Apache-2.0
//
// Checks the kernels against reference.h, every element bit by bit, and measures them.
//
//   check PTX_DIRECTORY [--ranks N] [--seed S] [--quick] [--pairs] [--no-times]
//
// With --pairs only what two ranks send each other.
//
// Ranks are GPUs where there are enough, otherwise several of them share one: each has its own
// buffers, control page and stream there, and grids so small that all are on the device at once.
// What is loaded are the committed PTX files. The exit status is 1 if any element is wrong.
#include "../../main/cuda/params.h"
#include "reference.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

typedef nitinol_u32 u32;
typedef nitinol_u64 u64;
using reference::Op;
using reference::Type;

// Where kernels look that wait.
static volatile u32* abort_word = nullptr;

static void die(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\ncheck: FAILED\n");
  fflush(stdout);
  // Kernels that still wait would outlive the process.
  if (abort_word != nullptr) *abort_word = 1;
  std::this_thread::sleep_for(std::chrono::seconds(1));
  _Exit(2);
}

static double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// ---------------------------------------------------------------------------------------------
// The machine: memory of ranks, and launches in each rank's order.

#ifdef NITINOL_EMULATE

#include "emulated_machine.h"

#else

#include <cuda.h>
#include <dirent.h>

#define CU(CALL)                                                      \
  do {                                                                \
    CUresult result_ = (CALL);                                        \
    if (result_ != CUDA_SUCCESS) {                                    \
      const char* text_ = "?";                                        \
      cuGetErrorString(result_, &text_);                              \
      die("%s:%d: %s: %s", __FILE__, __LINE__, #CALL, text_);         \
    }                                                                 \
  } while (0)

struct Machine {
  static const u32 THREADS = 512;
  int ranks, gpus;
  std::vector<CUcontext> contexts;
  std::vector<std::map<std::string, CUfunction>> functions;
  std::vector<CUstream> streams;
  std::vector<std::vector<CUgraphExec>> graphs;

  Machine(int ranks_, const char* directory) : ranks(ranks_) {
    // Streams of one device need queues of their own, and no kernel may be loaded while another
    // one waits for it.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    CU(cuInit(0));
    int driver = 0;
    CU(cuDeviceGetCount(&gpus));
    CU(cuDriverGetVersion(&driver));
    if (gpus == 0) die("no GPU");
    if (ranks == 0) ranks = gpus > 1 ? std::min(gpus, 8) : 4;
    gpus = std::min(gpus, ranks);
    functions.resize(gpus);
    for (int g = 0; g < gpus; g++) {
      CUdevice device;
      CUcontext context;
      char name[256];
      CU(cuDeviceGet(&device, g));
      CU(cuDeviceGetName(name, sizeof name, device));
      CU(cuDevicePrimaryCtxRetain(&context, device));
      contexts.push_back(context);
      printf("GPU %d: %s, driver API %d\n", g, name, driver);
    }
    for (int g = 0; g < gpus; g++) {
      CU(cuCtxSetCurrent(contexts[g]));
      for (int p = 0; p < gpus; p++) {
        if (p != g) CU(cuCtxEnablePeerAccess(contexts[p], 0));
      }
    }
    printf("%d ranks on %d GPU%s%s\n", ranks, gpus, gpus > 1 ? "s" : "",
           ranks > gpus ? ": virtual ranks, their times say nothing of links" : "");
    for (int r = 0; r < ranks; r++) {
      use(r);
      CUstream stream;
      CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
      streams.push_back(stream);
    }
    graphs.resize(ranks);
    load(directory);
  }

  void use(int rank) { CU(cuCtxSetCurrent(contexts[rank % gpus])); }

  // Loads what a provider would: of each module the newest target that the device can run.
  void load(const std::string& directory) {
    double start = seconds();
    for (int g = 0; g < gpus; g++) {
      CUdevice device;
      int major, minor;
      CU(cuDeviceGet(&device, g));
      CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
      CU(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
      std::map<std::string, std::pair<int, std::string>> modules;
      DIR* targets = opendir(directory.c_str());
      if (targets == nullptr) die("no directory %s", directory.c_str());
      while (dirent* target = readdir(targets)) {
        int compute = 0;
        if (sscanf(target->d_name, "sm_%d", &compute) != 1 || compute > major * 10 + minor) continue;
        std::string path = directory + "/" + target->d_name;
        DIR* files = opendir(path.c_str());
        while (dirent* file = readdir(files)) {
          std::string name = file->d_name;
          if (name.size() < 7 || name.substr(name.size() - 7) != ".ptx.gz") continue;
          auto& module = modules[name];
          if (module.first < compute) module = {compute, path + "/" + name};
        }
        closedir(files);
      }
      closedir(targets);
      std::vector<std::string> paths;
      for (auto& m : modules) paths.push_back(m.second.second);
      if (paths.empty()) die("no PTX in %s", directory.c_str());
      std::atomic<size_t> next{0};
      std::mutex mutex;
      std::vector<std::thread> threads;
      size_t bytes = 0;
      for (unsigned i = 0; i < std::max(2u, std::min(16u, std::thread::hardware_concurrency())); i++) {
        threads.emplace_back([&] {
          CU(cuCtxSetCurrent(contexts[g]));
          for (size_t at; (at = next++) < paths.size();) {
            std::string text;
            FILE* in = popen(("gzip -dc '" + paths[at] + "'").c_str(), "r");
            char buffer[1 << 16];
            for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) text.append(buffer, n);
            if (pclose(in) != 0) die("cannot read %s", paths[at].c_str());
            CUmodule module;
            CUresult result = cuModuleLoadData(&module, text.c_str());
            if (result != CUDA_SUCCESS) die("%s: cuModuleLoadData: %d", paths[at].c_str(), result);
            unsigned count = 0;
            CU(cuModuleGetFunctionCount(&count, module));
            std::vector<CUfunction> found(count);
            CU(cuModuleEnumerateFunctions(found.data(), count, module));
            std::lock_guard<std::mutex> lock(mutex);
            bytes += text.size();
            for (CUfunction f : found) {
              const char* name;
              CU(cuFuncGetName(&name, f));
              functions[g][name] = f;
            }
          }
        });
      }
      for (auto& t : threads) t.join();
      printf("GPU %d: %zu entries from %zu modules, %.1f MB of PTX, loaded after %.1f s\n", g,
             functions[g].size(), paths.size(), bytes / 1e6, seconds() - start);
    }
    CU(cuCtxSetCurrent(contexts[0]));
  }

  u64 alloc(int rank, size_t bytes) {
    use(rank);
    CUdeviceptr p;
    CU(cuMemAlloc(&p, bytes));
    CU(cuMemsetD8(p, 0, bytes));
    CU(cuCtxSynchronize());
    return p;
  }
  void put(int rank, u64 to, const void* from, size_t bytes) {
    use(rank);
    CU(cuMemcpyHtoDAsync(to, from, bytes, streams[rank]));
  }
  void get(int rank, void* to, u64 from, size_t bytes) {
    use(rank);
    CU(cuMemcpyDtoHAsync(to, from, bytes, streams[rank]));
    CU(cuStreamSynchronize(streams[rank]));
  }
  void fill(int rank, u64 at, unsigned char value, size_t bytes) {
    use(rank);
    CU(cuMemsetD8Async(at, value, bytes, streams[rank]));
  }
  CUfunction function(int rank, const std::string& name) {
    auto it = functions[rank % gpus].find(name);
    if (it == functions[rank % gpus].end()) die("no entry %s in the PTX", name.c_str());
    return it->second;
  }
  template <class P>
  void launch(int rank, const std::string& name, const P& params, u32 blocks, u32 threads = THREADS,
              u32 pairs = 1) {
    use(rank);
    P copy = params;
    void* arguments[] = {&copy};
    CU(cuLaunchKernel(function(rank, name), blocks, pairs, 1, threads, 1, 1, 0, streams[rank], arguments,
                      nullptr));
  }
  // All launches of all ranks done; false after `limit` seconds.
  bool finish(double limit = 60) {
    double end = seconds() + limit;
    for (int r = 0; r < ranks; r++) {
      use(r);
      CUresult result;
      while ((result = cuStreamQuery(streams[r])) == CUDA_ERROR_NOT_READY) {
        if (seconds() > end) return false;
      }
      CU(result);
    }
    return true;
  }
  // Before kernels that wait for each other are launched: nothing of their data is on its way.
  void settle() {
    if (!finish()) die("a copy does not end");
  }
  u32* alloc_shared(u64* device) {
    void* p;
    use(0);
    CU(cuMemHostAlloc(&p, 4096, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
    CUdeviceptr d;
    CU(cuMemHostGetDevicePointer(&d, p, 0));
    memset(p, 0, 4096);
    *device = d;
    return (u32*)p;
  }
  void begin_capture() {
    for (int r = 0; r < ranks; r++) {
      use(r);
      CU(cuStreamBeginCapture(streams[r], CU_STREAM_CAPTURE_MODE_RELAXED));
    }
  }
  void end_capture() {
    for (int r = 0; r < ranks; r++) {
      use(r);
      CUgraph graph;
      CUgraphExec exec;
      CU(cuStreamEndCapture(streams[r], &graph));
      CU(cuGraphInstantiate(&exec, graph, 0));
      CU(cuGraphUpload(exec, streams[r]));
      CU(cuGraphDestroy(graph));
      graphs[r].push_back(exec);
    }
    settle();
  }
  void replay() {
    for (int r = 0; r < ranks; r++) {
      use(r);
      CU(cuGraphLaunch(graphs[r].back(), streams[r]));
    }
  }
  void drop_graphs() {
    for (int r = 0; r < ranks; r++) {
      CU(cuGraphExecDestroy(graphs[r].back()));
      graphs[r].pop_back();
    }
  }
  // Microseconds of what `work` enqueues, on the slowest rank.
  double time(const std::function<void()>& work) {
    std::vector<CUevent> begin(ranks), end(ranks);
    for (int r = 0; r < ranks; r++) {
      use(r);
      CU(cuEventCreate(&begin[r], 0));
      CU(cuEventCreate(&end[r], 0));
    }
    settle();
    for (int r = 0; r < ranks; r++) {
      use(r);
      CU(cuEventRecord(begin[r], streams[r]));
    }
    work();
    float worst = 0;
    for (int r = 0; r < ranks; r++) {
      use(r);
      CU(cuEventRecord(end[r], streams[r]));
    }
    if (!finish()) die("a timed run does not end");
    for (int r = 0; r < ranks; r++) {
      float ms;
      CU(cuEventElapsedTime(&ms, begin[r], end[r]));
      worst = std::max(worst, ms);
      cuEventDestroy(begin[r]);
      cuEventDestroy(end[r]);
    }
    return worst * 1e3;
  }
};

#endif

// ---------------------------------------------------------------------------------------------
// One team and its buffers.

static const size_t GUARD = 256;

struct Buffer {
  u64 base = 0;
  size_t capacity = 0;
};

static std::mt19937_64 generator(1);
static u64 draw(u64 bound) { return bound == 0 ? 0 : generator() % bound; }

static long checked_cases = 0, checked_elements = 0, wrong_cases = 0;

struct Team {
  Machine& m;
  const int n;
  std::vector<u64> control, ll, ll128;
  u64 slot_bytes = 1 << 20;
  u32* words;  // abort, then the status of each rank
  u64 words_device;
  std::vector<Buffer> input, output, scratch, spare;

  Team(Machine& machine, size_t capacity) : m(machine), n(machine.ranks) {
    words = m.alloc_shared(&words_device);
    abort_word = words;
    for (int r = 0; r < n; r++) {
      control.push_back(m.alloc(r, NITINOL_CONTROL_BYTES));
      ll.push_back(m.alloc(r, 2 * n * slot_bytes));
      ll128.push_back(m.alloc(r, 2 * n * slot_bytes));
      for (auto* list : {&input, &output, &scratch, &spare}) {
        Buffer b;
        b.capacity = capacity;
        b.base = m.alloc(r, capacity + 2 * GUARD);
        list->push_back(b);
      }
    }
  }
  void reset() {
    words[0] = 0;
    for (int r = 0; r < n; r++) {
      words[1 + r] = 0;
      m.fill(r, control[r], 0, NITINOL_CONTROL_BYTES);
      m.fill(r, ll[r], 0, 2 * n * slot_bytes);
      m.fill(r, ll128[r], 0, 2 * n * slot_bytes);
    }
    m.settle();
  }
  nitinol_team params(int rank) const {
    nitinol_team t = {};
    t.size = n;
    t.rank = rank;
    for (int r = 0; r < n; r++) t.control[r] = control[r];
    t.abort = words_device;
    t.status = words_device + 4 * (1 + rank);
    return t;
  }
};

typedef std::vector<unsigned char> Data;

static u64 element(const Data& d, const Type& t, size_t i) {
  u64 v = 0;
  memcpy(&v, d.data() + i * t.size, t.size);
  return v;
}
static void set_element(Data& d, const Type& t, size_t i, u64 v) {
  memcpy(d.data() + i * t.size, &v, t.size);
}

// Random bits, special values, and numbers of a middling size.
static Data random_data(const Type& t, size_t count) {
  Data d(count * t.size);
  for (auto& byte : d) byte = (unsigned char)generator();
  if (!t.is_float) return d;
  for (size_t i = 0; i < count; i++) {
    u64 kind = draw(16), v;
    if (kind < 4 || t.size == 1) continue;
    if (kind == 4) {
      u64 magnitudes[] = {0, 1, reference::sign_bit(t) - 1};
      v = magnitudes[draw(3)] | (draw(2) ? reference::sign_bit(t) : 0);
      if (draw(3) == 0) {
        double inf = INFINITY;
        if (t.size == 8) {
          memcpy(&v, &inf, 8);
        } else {
          v = reference::encode(t, draw(2) ? INFINITY : -INFINITY);
        }
      }
    } else {
      double x = ((double)draw(1 << 20) - (1 << 19)) / (1 << 12);
      if (t.size == 8) {
        memcpy(&v, &x, 8);
      } else {
        v = reference::encode(t, (float)x);
      }
    }
    set_element(d, t, i, v);
  }
  return d;
}

struct Scaling {
  std::vector<u64> scalar;  // by rank
  u32 divisor = 1;
  bool scales = false;
};

static Scaling scaling(const Type& t, Op op, int n) {
  Scaling s;
  s.scalar.assign(n, 0);
  s.scales = op == reference::AVG || op == reference::PREMULSUM;
  if (!s.scales) return s;
  for (int r = 0; r < n; r++) {
    float f = op == reference::AVG ? 1.0f / n : (float)((int)draw(64) - 31) / 8;
    double g = op == reference::AVG ? 1.0 / n : f;
    if (!t.is_float) {
      s.scalar[r] = op == reference::AVG ? 1 : generator() & reference::mask(t);
    } else if (t.size == 8) {
      memcpy(&s.scalar[r], &g, 8);
    } else {
      if (op == reference::PREMULSUM) f = reference::decode(t, reference::encode(t, f));
      memcpy(&s.scalar[r], &f, 4);
    }
  }
  if (!t.is_float && op == reference::AVG) s.divisor = n;
  return s;
}

static std::string entry(const char* family, const Type& t, Op op) {
  const char* names[] = {"sum", "prod", "max", "min", "scaled", "scaled"};
  return std::string("nitinol_") + family + "_" + t.name + "_" + names[op];
}

// Compares `got`, which has GUARD bytes before and after, with what is wanted.
static bool compare(
    const std::string& what, const Data& got, const Data& wanted, int size, bool guards = true) {
  checked_elements += wanted.size() / size;
  size_t at = 0;
  bool same = true;
  for (size_t i = 0; i < wanted.size() && same; i++) {
    if (got[GUARD + i] != wanted[i]) same = false, at = i / size;
  }
  if (!same) {
    u64 g = 0, w = 0;
    memcpy(&g, got.data() + GUARD + at * size, size);
    memcpy(&w, wanted.data() + at * size, size);
    printf("WRONG %s: element %zu of %zu is %llx, not %llx\n", what.c_str(), at,
           wanted.size() / size, g, w);
  }
  for (size_t i = 0; guards && same && i < GUARD; i++) {
    if (got[i] != 0xa5 || got[GUARD + wanted.size() + i] != 0xa5) {
      printf("WRONG %s: wrote outside its output, %zu bytes %s it\n", what.c_str(),
             got[i] != 0xa5 ? GUARD - i : i + 1, got[i] != 0xa5 ? "before" : "behind");
      same = false;
    }
  }
  if (!same && ++wrong_cases >= 40) die("too many wrong cases");
  return same;
}

static std::string text(const char* format, ...) {
  char buffer[512];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  return buffer;
}

// A buffer of one rank in a case: where the kernel sees it, and what was put there.
struct Placed {
  int rank;
  u64 address;
  size_t bytes;
};

static Placed place(Buffer& b, int rank, size_t misalignment, size_t bytes) {
  if (misalignment + bytes > b.capacity) die("a case needs %zu bytes", misalignment + bytes);
  Placed p = {rank, b.base + GUARD + misalignment, bytes};
  return p;
}

static void put_guarded(Machine& m, const Placed& p, const Data* data) {
  m.fill(p.rank, p.address - GUARD, 0xa5, p.bytes + 2 * GUARD);
  if (data != nullptr && !data->empty()) m.put(p.rank, p.address, data->data(), data->size());
}

static Data get_guarded(Machine& m, const Placed& p) {
  Data d(p.bytes + 2 * GUARD);
  m.get(p.rank, d.data(), p.address - GUARD, d.size());
  return d;
}

// ---------------------------------------------------------------------------------------------
// Local copies and reductions.

static void check_local(Team& team, const Type& t, Op op, size_t count, int sources, int destinations,
                        bool alike, bool in_place, u32 blocks) {
  Machine& m = team.m;
  int rank = (int)draw(team.n);
  nitinol_local_params a = {};
  std::vector<Data> data;
  size_t size = t.size, bytes = count * size, room = (bytes + 2 * GUARD + 64 + 255) / 256 * 256;
  // All sources are in one buffer, all destinations in another.
  std::vector<Placed> from, to;
  size_t common = draw(16 / size) * size;
  for (int s = 0; s < sources; s++) {
    size_t off = alike ? common : draw(16 / size) * size;
    Placed p = place(team.input[rank], rank, s * room + off, bytes);
    data.push_back(random_data(t, count));
    put_guarded(m, p, &data.back());
    from.push_back(p);
  }
  for (int d = 0; d < destinations; d++) {
    size_t off = alike ? common : draw(16 / size) * size;
    Placed p = place(team.output[rank], rank, d * room + off, bytes);
    if (in_place && d == 0) {
      p = from[sources - 1];
    } else {
      put_guarded(m, p, nullptr);
    }
    to.push_back(p);
  }
  Scaling s = scaling(t, op, sources);
  a.sources = sources;
  a.destinations = destinations;
  a.count = count;
  a.scalar = s.scalar[0];
  a.divisor = s.divisor;
  a.scaled = s.scales ? (u32)draw(1u << sources) : 0;
  for (int i = 0; i < sources; i++) a.source[i] = from[i].address;
  for (int i = 0; i < destinations; i++) a.destination[i] = to[i].address;
  m.launch(rank, entry("local_reduce", t, op), a, blocks);
  if (!m.finish()) die("a local reduction does not end");
  Data wanted(bytes);
  for (size_t i = 0; i < count; i++) {
    u64 v = 0;
    for (int c = 0; c < sources; c++) {
      u64 x = element(data[c], t, i);
      if (a.scaled >> c & 1) x = reference::scale(t, x, a.scalar);
      v = c == 0 ? x : reference::combine(t, op, v, x);
    }
    set_element(wanted, t, i, s.scales ? reference::divide(t, v, s.divisor) : v);
  }
  checked_cases++;
  for (int d = 0; d < destinations; d++) {
    compare(text("local_reduce %s %s count %zu, %d sources, destination %d of %d, alike %d, in place %d",
                 t.name, reference::OP_NAMES[op], count, sources, d, destinations, alike, in_place),
            get_guarded(m, to[d]), wanted, t.size);
  }
}

static void check_copy(Team& team, size_t bytes, int destinations, u32 blocks) {
  Machine& m = team.m;
  int rank = (int)draw(team.n);
  nitinol_local_params a = {};
  size_t room = (bytes + 2 * GUARD + 64 + 255) / 256 * 256;
  Data data(bytes);
  for (auto& b : data) b = (unsigned char)generator();
  Placed from = place(team.input[rank], rank, draw(16), bytes);
  put_guarded(m, from, &data);
  std::vector<Placed> to;
  size_t common = draw(16);
  bool alike = draw(2);
  for (int d = 0; d < destinations; d++) {
    to.push_back(place(team.output[rank], rank, d * room + (alike ? common : draw(16)), bytes));
    put_guarded(m, to[d], nullptr);
    a.destination[d] = to[d].address;
  }
  a.sources = 1;
  a.destinations = destinations;
  a.count = bytes;
  a.source[0] = from.address;
  m.launch(rank, "nitinol_local_copy", a, blocks);
  if (!m.finish()) die("a local copy does not end");
  checked_cases++;
  for (int d = 0; d < destinations; d++) {
    compare(text("local_copy of %zu bytes", bytes), get_guarded(m, to[d]), data, 1);
  }
}

// ---------------------------------------------------------------------------------------------
// Collectives. A case prepares buffers, launches on all ranks, and knows what is wanted; several
// cases may be launched before the first is looked at, each in its own part of the buffers.

enum Collective { ALL_REDUCE, REDUCE_SCATTER, REDUCE, ALL_GATHER, BROADCAST, ALL_TO_ALL, SEND_RECV };
const char* const COLLECTIVES[] = {"all_reduce", "reduce_scatter", "reduce", "all_gather",
                                   "broadcast",  "all_to_all",     "send_recv"};
enum Family { DIRECT, LL, LL128, RING };
const char* const FAMILIES[] = {"direct", "ll", "ll128", "ring"};
const Family ALL_FAMILIES[] = {DIRECT, LL, LL128, RING};
static int only_family = -1;  // where a sanitizer is so slow that it gets one after the other
static bool chosen(Family f) { return only_family < 0 || only_family == f; }

static bool reduces(Collective c) { return c <= REDUCE; }
static bool offered(Family f, Collective c) {
  if (f != RING) return true;
  return reduces(c) || c == ALL_GATHER || c == BROADCAST;
}

struct Case {
  Team& team;
  Family family;
  Collective collective;
  const Type& type;
  Op op;
  size_t count;  // elements of one part, or of the whole where there are no parts
  u32 blocks;
  size_t slice;
  int root;
  bool in_place, aligned, gives;
  std::vector<Data> data;
  std::vector<Placed> in, out;
  std::vector<u64> scratch;
  Scaling s;

  Case(Team& team_, Family f, Collective c, const Type& t, Op o, size_t count_, u32 blocks_)
      : team(team_), family(f), collective(c), type(t), op(o), count(count_), blocks(blocks_) {
    slice = 16 + draw(3) * 1000 + draw(200);
    root = (int)draw(team.n);
    in_place = draw(4) == 0 && c != ALL_TO_ALL && c != SEND_RECV;
    aligned = draw(2);
    gives = draw(2);
  }

  size_t parts_in() const { return collective == REDUCE_SCATTER || collective == ALL_TO_ALL ? team.n : 1; }
  size_t parts_out() const { return collective == ALL_GATHER || collective == ALL_TO_ALL ? team.n : 1; }
  bool receives(int rank) const { return collective != REDUCE || rank == root; }
  std::string name(int rank) const {
    return text("%s %s %s %s, count %zu, rank %d of %d, %u blocks, slice %zu, root %d, in place %d, "
                "input & 15 = %d, output & 15 = %d",
                FAMILIES[family], COLLECTIVES[collective], type.name, reference::OP_NAMES[op], count,
                rank, team.n, blocks, slice, root, in_place, (int)(in[rank].address & 15),
                (int)(out[rank].address & 15));
  }
  size_t room() const {
    return (count * type.size * team.n + 2 * GUARD + 64 + 255) / 256 * 256;
  }

  // Puts data at `at` bytes into the buffers.
  void prepare(size_t at) {
    Machine& m = team.m;
    int n = team.n;
    size_t size = type.size, part = count * size;
    s = scaling(type, op, n);
    for (int r = 0; r < n; r++) {
      size_t off = aligned ? 0 : draw(16 / size) * size, off_out = aligned ? 0 : draw(16 / size) * size;
      in.push_back(place(team.input[r], r, at + off, parts_in() * part));
      out.push_back(place(team.output[r], r, at + off_out, parts_out() * part));
      // Shared by all cases: a member that wrote too early would be noticed.
      scratch.push_back(place(team.scratch[r], r, 0, slots()).address);
      data.push_back(random_data(type, parts_in() * count));
      if (in_place) {
        // The smaller of both lies in the larger one.
        if (collective == REDUCE_SCATTER) {
          put_guarded(m, in[r], &data[r]);
          out[r].address = in[r].address + r * part;
        } else if (collective == ALL_GATHER) {
          put_guarded(m, out[r], nullptr);
          in[r].address = out[r].address + r * part;
          m.put(r, in[r].address, data[r].data(), part);
        } else {
          put_guarded(m, in[r], &data[r]);
          out[r] = in[r];
        }
      } else {
        put_guarded(m, in[r], &data[r]);
        put_guarded(m, out[r], nullptr);
      }
    }
  }

  // Bytes of a scratch buffer, for the ring.
  size_t slots() const { return (size_t)blocks * NITINOL_RING_SLOTS * (team.n - 1) * slice * type.size; }

  // This rank's share of the whole, in multiples of 16 bytes.
  void share(int rank, size_t* first, size_t* length) const {
    size_t unit = 16 / type.size, each = ((count + team.n - 1) / team.n + unit - 1) / unit * unit;
    *first = std::min(count, rank * each);
    *length = std::min(each, count - *first);
  }

  void launch(int r) {
    Machine& m = team.m;
    int n = team.n;
    u64 size = type.size, part = count * size;
    size_t first, length;
    share(r, &first, &length);
    if (family == DIRECT && reduces(collective)) {
      nitinol_direct_reduce_params a = {};
      a.team = team.params(r);
      a.scalar = s.scalar[r];
      a.divisor = s.divisor;
      bool scatters = collective == REDUCE_SCATTER;
      for (int p = 0; p < n; p++) {
        a.source[p] = in[p].address + (scatters ? r * part : first * size);
        a.destination[p] = out[p].address + first * size;
      }
      a.destinations = n;
      a.count = scatters ? count : length;
      if (collective != ALL_REDUCE) a.destinations = 1;
      if (scatters) a.destination[0] = out[r].address;
      if (collective == REDUCE) a.destination[0] = out[root].address + first * size;
      m.launch(r, entry("direct_reduce", type, op), a, blocks);
    } else if (family == DIRECT) {
      nitinol_direct_move_params a = {};
      a.team = team.params(r);
      if (collective == ALL_GATHER || collective == BROADCAST) {
        a.mode = NITINOL_MOVE_FAN;
        bool gathers = collective == ALL_GATHER;
        a.source[0] = gathers ? in[r].address : in[root].address + first * size;
        a.bytes[0] = gathers ? part : length * size;
        for (int p = 0; p < n; p++) {
          u64 to = gathers ? out[p].address + r * part : out[p].address + first * size;
          if (to != a.source[0]) a.destination[a.moves++] = to;
        }
      } else if (collective == ALL_TO_ALL) {
        a.moves = n;
        a.mode = gives ? NITINOL_MOVE_GIVE : NITINOL_MOVE_TAKE;
        for (int p = 0; p < n; p++) {
          int q = (r + 1 + p) % n;
          a.source[p] = gives ? in[r].address + q * part : in[q].address + r * part;
          a.destination[p] = gives ? out[q].address + r * part : out[r].address + q * part;
          a.bytes[p] = part;
        }
      } else {
        int q = (r + n - 1) % n;
        a.moves = 1;
        a.source[0] = in[q].address;
        a.destination[0] = out[r].address;
        a.bytes[0] = part;
      }
      m.launch(r, "nitinol_direct_move", a, blocks);
    } else if (family != RING && reduces(collective)) {
      nitinol_ll_reduce_params a = {};
      a.team = team.params(r);
      a.slot_bytes = team.slot_bytes;
      a.scalar = s.scalar[r];
      a.divisor = s.divisor;
      a.count = count;
      a.send_mask = collective == REDUCE ? 1u << root : (1u << n) - 1;
      a.destination = receives(r) ? out[r].address : 0;
      for (int p = 0; p < n; p++) {
        a.lines[p] = family == LL ? team.ll[p] : team.ll128[p];
        a.send[p] = in[r].address + (collective == REDUCE_SCATTER ? p * part : 0);
      }
      m.launch(r, entry(family == LL ? "ll_reduce" : "ll128_reduce", type, op), a, blocks);
    } else if (family != RING) {
      nitinol_ll_move_params a = {};
      a.team = team.params(r);
      a.slot_bytes = team.slot_bytes;
      for (int p = 0; p < n; p++) {
        a.lines[p] = family == LL ? team.ll[p] : team.ll128[p];
        bool sends = true, takes = true;
        a.send[p] = in[r].address;
        a.receive[p] = out[r].address;
        if (collective == ALL_GATHER) {
          a.receive[p] += p * part;
        } else if (collective == BROADCAST) {
          sends = r == root;
          takes = p == root;
        } else if (collective == ALL_TO_ALL) {
          a.send[p] += p * part;
          a.receive[p] += p * part;
        } else {
          sends = p == (r + 1) % n;
          takes = r == (p + 1) % n;
        }
        if (p == r && a.send[p] == a.receive[p]) sends = takes = false;
        a.send_bytes[p] = sends ? part : 0;
        a.receive_bytes[p] = takes ? part : 0;
      }
      m.launch(r, family == LL ? "nitinol_ll_move" : "nitinol_ll128_move", a, blocks);
    } else if (reduces(collective)) {
      nitinol_ring_reduce_params a = {};
      int next = (r + 1) % n;
      a.team = team.params(r);
      a.input = in[r].address;
      a.output = out[r].address;
      a.scratch = scratch[r];
      a.next_scratch = scratch[next];
      a.next_output = out[next].address;
      a.mode = collective == ALL_REDUCE ? NITINOL_RING_GATHER
               : collective == REDUCE   ? NITINOL_RING_CHAIN
                                        : NITINOL_RING_SCATTER;
      a.root = root;
      a.stride = stride();
      a.count = count * parts_in();
      a.slice = slice;
      a.scalar = s.scalar[r];
      a.divisor = s.divisor;
      m.launch(r, entry("ring_reduce", type, op), a, blocks);
    } else if (collective == ALL_GATHER) {
      nitinol_ring_gather_params a = {};
      a.team = team.params(r);
      a.input = in[r].address;
      a.output = out[r].address;
      a.next_output = out[(r + 1) % n].address;
      a.bytes = part;
      a.slice = slice * size;
      m.launch(r, "nitinol_ring_gather", a, blocks);
    } else {
      nitinol_ring_broadcast_params a = {};
      a.team = team.params(r);
      a.input = in[r].address;
      a.output = out[r].address;
      a.next_output = out[(r + 1) % n].address;
      a.bytes = part;
      a.slice = slice * size;
      a.root = root;
      m.launch(r, "nitinol_ring_broadcast", a, blocks);
    }
  }

  size_t stride() const {
    if (collective != ALL_REDUCE) return count;
    size_t unit = 16 / type.size;
    return ((count + team.n - 1) / team.n + unit - 1) / unit * unit;
  }

  // Element i of the reduction of part `part`, in the order in which the family folds.
  u64 reduced(size_t part, size_t i) const {
    int n = team.n, begin = 0;
    if (family == RING) {
      begin = collective == REDUCE_SCATTER ? part + 1 : collective == REDUCE ? root + 1 : i / stride() + 1;
    }
    u64 v = 0;
    for (int k = 0; k < n; k++) {
      int r = (begin + k) % n;
      u64 x = element(data[r], type, part * count + i);
      if (s.scales) x = reference::scale(type, x, s.scalar[r]);
      v = k == 0 ? x : reference::combine(type, op, v, x);
    }
    return s.scales ? reference::divide(type, v, s.divisor) : v;
  }

  bool verify() {
    int n = team.n;
    size_t part = count * type.size;
    bool right = true;
    Data same;
    checked_cases++;
    for (int r = 0; r < n; r++) {
      if (!receives(r)) {
        if (!in_place) {
          // Nothing may be written here.
          Data got = get_guarded(team.m, out[r]), wanted(out[r].bytes, 0xa5);
          right &= compare(name(r) + " (no result wanted)", got, wanted, type.size);
        }
        continue;
      }
      Data wanted(parts_out() * part);
      if (reduces(collective)) {
        if (collective == REDUCE_SCATTER || same.empty()) {
          for (size_t i = 0; i < count; i++) {
            set_element(wanted, type, i, reduced(collective == REDUCE_SCATTER ? r : 0, i));
          }
          if (collective != REDUCE_SCATTER) same = wanted;
        } else {
          wanted = same;
        }
      } else if (collective == ALL_GATHER) {
        for (int p = 0; p < n; p++) memcpy(&wanted[p * part], data[p].data(), part);
      } else if (collective == BROADCAST) {
        wanted = data[root];
      } else if (collective == ALL_TO_ALL) {
        for (int p = 0; p < n; p++) memcpy(&wanted[p * part], &data[p][r * part], part);
      } else {
        wanted = data[(r + n - 1) % n];
      }
      bool guards = !(in_place && collective == REDUCE_SCATTER);
      Data got = get_guarded(team.m, out[r]);
      right &= compare(name(r), got, wanted, type.size, guards);
      if (in_place && collective == REDUCE_SCATTER) {
        // The other parts of the input are as they were, and so are the guards.
        Data whole = get_guarded(team.m, in[r]);
        Data before = data[r];
        memcpy(&before[r * part], wanted.data(), part);
        right &= compare(name(r) + " (whole input)", whole, before, type.size);
      }
    }
    return right;
  }
};

static void stuck(Team& team, const std::string& what) {
  team.words[0] = 1;
  bool freed = team.m.finish(20);
  for (int r = 0; r < team.n; r++) printf("status of rank %d: %u\n", r, team.words[1 + r]);
  die("STUCK %s; the abort word %s the streams", what.c_str(), freed ? "freed" : "did not free");
}

// Runs cases at once: all launches of a rank follow each other without a look at the results.
static void run(Team& team, std::vector<Case>& cases) {
  size_t at = 0;
  for (Case& c : cases) {
    c.prepare(at);
    at += c.room();
  }
  team.m.settle();
  for (Case& c : cases) {
    for (int r = 0; r < team.n; r++) c.launch(r);
  }
  if (!team.m.finish()) stuck(team, cases[0].name(0));
  for (Case& c : cases) c.verify();
}

static std::vector<size_t> counts(bool quick) {
  std::vector<size_t> c = {1, 2, 3, 7, 15, 16, 17, 31, 33, 63, 127, 129, 255, 1000, 1023, 1025};
  if (quick) c = {1, 5, 33, 257};
  return c;
}

static void check_collectives(Team& team, const std::vector<const Type*>& types, bool quick) {
  const size_t PER_BURST = 6;
  std::vector<Case> burst;
  auto add = [&](Family f, Collective c, const Type& t, Op op, size_t count, u32 blocks) {
    burst.emplace_back(team, f, c, t, op, count, blocks);
    if (burst.size() == PER_BURST) {
      run(team, burst);
      burst.clear();
    }
  };
  for (Family f : ALL_FAMILIES) {
    if (!chosen(f)) continue;
    double start = seconds();
    long cases = checked_cases;
    for (Collective c : {ALL_REDUCE, REDUCE_SCATTER, REDUCE}) {
      if (!offered(f, c)) continue;
      for (const Type* t : types) {
        for (int op = 0; op < reference::OPS; op++) {
          for (size_t count : counts(quick)) add(f, c, *t, (Op)op, count + draw(3), 1 + draw(3));
          if (!quick) add(f, c, *t, (Op)op, 5000 + draw(8000), 1 + draw(4));
        }
      }
    }
    for (Collective c : {ALL_GATHER, BROADCAST, ALL_TO_ALL, SEND_RECV}) {
      if (!offered(f, c)) continue;
      for (size_t count : counts(quick)) {
        for (int size : {0, 6, 2, 4}) {
          add(f, c, reference::TYPES[size], reference::SUM, count + draw(3), 1 + draw(4));
        }
      }
    }
    if (!burst.empty()) run(team, burst);
    burst.clear();
    printf("%-6s %6ld cases, %.1f s\n", FAMILIES[f], checked_cases - cases, seconds() - start);
    fflush(stdout);
  }
  // All families in one stream, in any order.
  double start = seconds();
  long cases = checked_cases;
  for (int i = 0; i < (quick ? 60 : 1200); i++) {
    Family f = (Family)draw(4);
    Collective c = (Collective)draw(7);
    if (!offered(f, c) || !chosen(f)) continue;
    const Type& t = *types[draw(types.size())];
    add(f, c, t, (Op)draw(reference::OPS), 1 + draw(quick ? 100 : 3000), 1 + draw(6));
  }
  if (!burst.empty()) run(team, burst);
  printf("mixed  %6ld cases, %.1f s\n", checked_cases - cases, seconds() - start);
}

static void check_locals(Team& team, const std::vector<const Type*>& types, bool quick) {
  double start = seconds();
  long cases = checked_cases;
  for (const Type* t : types) {
    for (int op = 0; op < reference::OPS; op++) {
      for (size_t count : counts(quick)) {
        for (int alike = 0; alike < 2; alike++) {
          check_local(team, *t, (Op)op, count + draw(3), 1 + draw(quick ? 4 : 16), 1 + draw(3), alike,
                      draw(3) == 0, 1 + draw(3));
        }
      }
      if (!quick) check_local(team, *t, (Op)op, 100000 + draw(9), 2, 1, true, false, 20);
    }
    // Every pair of 8-bit numbers.
    if (t->size == 1 && !quick) {
      for (int op = 0; op < reference::OPS; op++) check_local(team, *t, (Op)op, 1 << 19, 2, 1, true, false, 40);
    }
  }
  for (size_t count : counts(quick)) {
    for (int d = 1; d <= 3; d++) check_copy(team, count * 9 + draw(16), d, 1 + draw(3));
  }
  printf("local  %6ld cases, %.1f s\n", checked_cases - cases, seconds() - start);
  fflush(stdout);
}

// One rank stays away: the abort word must free the others.
static void check_abort(Team& team) {
  for (Family f : ALL_FAMILIES) {
    for (Collective c : {ALL_REDUCE, ALL_GATHER}) {
      std::vector<Case> one;
      one.emplace_back(team, f, c, reference::TYPES[7], reference::SUM, 1000, 2);
      one[0].prepare(0);
      team.m.settle();
      for (int r = 1; r < team.n; r++) one[0].launch(r);
      bool early = team.m.finish(0.2);
      double start = seconds();
      team.words[0] = 1;
      bool freed = team.m.finish(10);
      double took = seconds() - start;
      int blamed = 0;
      for (int r = 1; r < team.n; r++) blamed += team.words[1 + r] != 0;
      if (early || !freed || blamed == 0) {
        die("WRONG abort of %s %s: ended early %d, freed %d, %d ranks report", FAMILIES[f],
            COLLECTIVES[c], early, freed, blamed);
      }
      printf("abort  %s %s: %d of %d waiting ranks report, free after %.1f ms\n", FAMILIES[f],
             COLLECTIVES[c], blamed, team.n - 1, took * 1e3);
      checked_cases++;
      team.reset();
    }
  }
}

#ifndef NITINOL_EMULATE

// Graphs: launches are counted on the device, so a graph can be replayed.
static void check_graphs(Team& team) {
  std::vector<Case> cases;
  for (int i = 0; i < 7; i++) {
    Family f = ALL_FAMILIES[i % 4];
    cases.emplace_back(team, f, i < 4 ? ALL_REDUCE : ALL_GATHER, reference::TYPES[7], reference::SUM,
                       500 + 300 * i, 1 + i % 4);
    cases.back().in_place = false;
  }
  size_t at = 0;
  for (Case& c : cases) {
    c.prepare(at);
    at += c.room();
  }
  team.m.settle();
  team.m.begin_capture();
  for (Case& c : cases) {
    for (int r = 0; r < team.n; r++) c.launch(r);
  }
  team.m.end_capture();
  for (int i = 0; i < 5; i++) team.m.replay();
  if (!team.m.finish()) stuck(team, "graphs");
  for (Case& c : cases) c.verify();
  for (Case& c : cases) {
    for (int r = 0; r < team.n; r++) put_guarded(team.m, c.out[r], nullptr);
  }
  team.m.settle();
  team.m.replay();
  if (!team.m.finish()) stuck(team, "graphs");
  for (Case& c : cases) c.verify();
  team.m.drop_graphs();
  printf("graphs 6 replays of %zu operations\n", cases.size());
}

// ---------------------------------------------------------------------------------------------
// Times.

static double best(int rounds, const std::function<double()>& run) {
  double least = 1e30;
  for (int i = 0; i < rounds; i++) least = std::min(least, run());
  return least;
}

static void time_local(Machine& m, bool quick) {
  const size_t bytes = quick ? 64 << 20 : 256 << 20;
  u64 a = m.alloc(0, bytes + 256), b = m.alloc(0, bytes + 256), c = m.alloc(0, bytes + 256);
  {
    Data random(1 << 20);
    for (auto& x : random) x = (unsigned char)(generator() & 0x3f);
    for (size_t at = 0; at < bytes; at += random.size()) {
      m.put(0, a + at, random.data(), random.size());
      m.put(0, b + at, random.data(), random.size());
    }
    m.settle();
  }
  auto measure = [&](const std::string& name, nitinol_local_params p, u32 blocks) {
    auto go = [&] { return m.time([&] { for (int i = 0; i < 4; i++) m.launch(0, name, p, blocks); }) / 4; };
    go();
    return best(4, go);
  };
  double driver = best(4, [&] {
    return m.time([&] {
      m.use(0);
      for (int i = 0; i < 4; i++) CU(cuMemcpyDtoDAsync(c, a, bytes, m.streams[0]));
    }) / 4;
  });
  printf("\nlocal, %zu MiB, GB/s of bytes read and written; ratio to the copy of this run\n", bytes >> 20);
  printf("  cuMemcpyDtoD            %7.1f\n", 2 * bytes / driver / 1e3);
  nitinol_local_params p = {};
  p.sources = 1;
  p.destinations = 1;
  p.source[0] = a;
  p.destination[0] = c;
  p.count = bytes;
  p.divisor = 1;
  double copy = 1e30;
  for (u32 blocks : {132u, 264u, 528u, 1056u, 4224u}) {
    double t = measure("nitinol_local_copy", p, blocks);
    printf("  local_copy, %4u blocks  %7.1f (%.2f of cuMemcpyDtoD)\n", blocks, 2 * bytes / t / 1e3, driver / t);
    copy = std::min(copy, t);
  }
  p.source[0] = a + 5;
  double shifted = measure("nitinol_local_copy", p, 1056);
  printf("  local_copy, shifted by 5 %6.1f (%.2f)\n", 2 * bytes / shifted / 1e3, copy / shifted);
  copy = std::min(copy, driver);
  int below = 0;
  printf("  %-7s", "");
  for (const char* op : {"sum", "prod", "max", "min", "avg", "premul", "shifted sum", "4 sources"}) printf(" %13s", op);
  printf("\n");
  for (const Type& t : reference::TYPES) {
    printf("  %-7s", t.name);
    for (int column = 0; column < 8; column++) {
      Op op = column < 6 ? (Op)column : reference::SUM;
      int sources = column == 7 ? 4 : 2;
      size_t n = (column == 7 ? bytes / 2 : bytes) - 256;
      n = n / t.size;
      Scaling s = scaling(t, op, 2);
      nitinol_local_params q = {};
      q.sources = sources;
      q.destinations = 1;
      q.source[0] = a;
      q.source[1] = column == 6 ? b + t.size : b;
      q.source[2] = a + bytes / 2;
      q.source[3] = b + bytes / 2;
      q.destination[0] = c;
      q.count = n;
      q.scalar = s.scalar[0];
      q.divisor = s.divisor;
      q.scaled = s.scales ? 3 : 0;
      double least = 1e30;
      for (u32 blocks : {264u, 528u, 1056u}) least = std::min(least, measure(entry("local_reduce", t, op), q, blocks));
      double rate = (double)(sources + 1) * n * t.size / least, ratio = rate / (2 * bytes / copy);
      if (ratio < 0.9) below++;
      printf("   %6.0f (%.2f)", rate / 1e3, ratio);
    }
    printf("\n");
    fflush(stdout);
  }
  printf("  %d of %zu below 0.90\n", below, 8 * sizeof(reference::TYPES) / sizeof(reference::TYPES[0]));
  for (u64 x : {a, b, c}) CU(cuMemFree(x));
}

// The fastest of a family over several grids, in microseconds, or none where it cannot.
static double time_family(
    Team& team, Family f, Collective c, size_t bytes, u32* with) {
  Machine& m = team.m;
  const Type& type = reference::TYPES[7];
  int n = team.n;
  bool real = m.ranks == m.gpus;
  double least = 1e30;
  // Virtual ranks must all fit on their device at once.
  u32 most = real ? 128 : std::max(1, 120 / ((n + m.gpus - 1) / m.gpus));
  for (u32 blocks : {1u, 4u, 16u, 30u, 64u, 108u, 128u}) {
    if (blocks > most || (blocks > 1 && (size_t)blocks * 512 > bytes)) continue;
    if (f == RING && (bytes < 65536 || bytes / blocks > (64 << 20))) continue;
    if (f == DIRECT && bytes / blocks > (16 << 20)) continue;
    if ((f == LL || f == LL128) && bytes > (1 << 20)) continue;
    Case one(team, f, c, type, reference::SUM, 0, blocks);
    one.count = bytes / type.size / std::max(one.parts_in(), one.parts_out());
    if (one.count == 0 || (f != RING && f != DIRECT && one.count * type.size > team.slot_bytes / 2)) continue;
    one.in_place = false;
    one.root = 0;
    one.slice = std::min<size_t>(16384, team.scratch[0].capacity / (blocks * NITINOL_RING_SLOTS * (n - 1) * type.size));
    size_t part = one.count * type.size;
    for (int r = 0; r < n; r++) {
      one.in.push_back(place(team.input[r], r, 0, one.parts_in() * part));
      one.out.push_back(place(team.output[r], r, 0, one.parts_out() * part));
      one.scratch.push_back(place(team.scratch[r], r, 0, one.slots()).address);
    }
    one.s = scaling(type, reference::SUM, n);
    int times = bytes > (1 << 20) ? 20 : 100;
    m.settle();
    m.begin_capture();
    for (int i = 0; i < times; i++) {
      for (int r = 0; r < n; r++) one.launch(r);
    }
    m.end_capture();
    m.time([&] { m.replay(); });
    double t = best(3, [&] { return m.time([&] { m.replay(); }); }) / times;
    m.drop_graphs();
    if (t < least) least = t, *with = blocks;
  }
  return least;
}

static void time_collectives(Team& team, bool quick) {
  bool real = team.m.ranks == team.m.gpus;
  size_t largest = team.input[0].capacity - 4096;
  printf("\nfloat sum, %d %s ranks; microseconds (and blocks of the fastest grid), 100 in a graph, 20 above 1 MiB\n",
         team.n, real ? "real" : "virtual");
  for (Collective c : {ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BROADCAST, REDUCE, ALL_TO_ALL, SEND_RECV}) {
    printf("  %-14s %10s %15s %15s %15s %15s%s\n", COLLECTIVES[c], "bytes", "ll", "ll128", "direct", "ring",
           real ? "   busbw of the best, GB/s" : "");
    double factor = c == ALL_REDUCE ? 2.0 : 1.0;
    if (c != BROADCAST && c != REDUCE && c != SEND_RECV) factor *= (double)(team.n - 1) / team.n;
    for (size_t bytes : {64ul, 1024ul, 16384ul, 65536ul, 262144ul, 1048576ul, 4194304ul, 16777216ul, 268435456ul}) {
      if (bytes > largest || (quick && bytes > 65536)) break;
      bool in_short = bytes == 1024 || bytes == 65536 || bytes == 1048576 || bytes >= 16777216;
      if (c != ALL_REDUCE && !in_short) continue;
      printf("  %14s %10zu", "", bytes);
      double overall = 1e30;
      for (Family f : {LL, LL128, DIRECT, RING}) {
        u32 with = 0;
        double t = offered(f, c) ? time_family(team, f, c, bytes, &with) : 1e30;
        if (t < 1e30) {
          printf("   %8.2f (%3u)", t, with);
          overall = std::min(overall, t);
        } else {
          printf(" %15s", "-");
        }
      }
      if (real) printf("   %7.1f", bytes / overall / 1e3 * factor);
      printf("\n");
      fflush(stdout);
    }
  }
}

#endif

#include "check_pairs.h"

int main(int argc, char** argv) {
  const char* directory = nullptr;
  int ranks = 0;
  u64 seed = 1;
  [[maybe_unused]] bool quick = false, times = true, only_pairs = false;
  for (int i = 1; i < argc; i++) {
    std::string option = argv[i];
    if (option == "--ranks" && i + 1 < argc) {
      ranks = atoi(argv[++i]);
    } else if (option == "--seed" && i + 1 < argc) {
      seed = strtoull(argv[++i], nullptr, 0);
    } else if (option == "--quick") {
      quick = true;
    } else if (option == "--pairs") {
      only_pairs = true;
    } else if (option == "--family" && i + 1 < argc) {
      std::string name = argv[++i];
      for (Family f : ALL_FAMILIES) {
        if (name == FAMILIES[f]) only_family = f;
      }
      if (only_family < 0) die("--family %s: expected direct, ll, ll128 or ring", name.c_str());
    } else if (option == "--no-times") {
      times = false;
    } else if (option[0] != '-' && directory == nullptr) {
      directory = argv[i];
    } else {
      die("usage: check PTX_DIRECTORY [--ranks N] [--seed S] [--quick] [--pairs | --family NAME] [--no-times]");
    }
  }
  if (directory == nullptr) die("usage: check PTX_DIRECTORY [--ranks N] [--seed S] [--quick] [--pairs | --family NAME] [--no-times]");
  if (ranks < 0 || ranks == 1 || ranks > NITINOL_MEMBERS) die("2 to %d ranks", NITINOL_MEMBERS);
  generator.seed(seed);
  double start = seconds();
  Machine machine(ranks, directory);
  size_t capacity = 16 << 20;
#ifndef NITINOL_EMULATE
  if (machine.ranks == machine.gpus && times && !quick) capacity = (256 << 20) + 8192;
  if (machine.ranks != machine.gpus && times && !quick) capacity = (16 << 20) + 8192;
#endif
  Team team(machine, capacity);
  std::vector<const Type*> types, all;
  for (const Type& t : reference::TYPES) {
    all.push_back(&t);
#ifdef NITINOL_EMULATE
    if (!emulated_has(std::string("nitinol_ring_reduce_") + t.name + "_sum")) continue;
#endif
    types.push_back(&t);
  }
  if (!only_pairs) {
    if (only_family < 0) check_locals(team, all, quick);
    check_collectives(team, types, quick);
  }
  if (only_family >= 0) {
    printf("%ld cases, %ld elements, %ld wrong, %.1f s\n", checked_cases, checked_elements, wrong_cases,
           seconds() - start);
    return wrong_cases == 0 ? 0 : 1;
  }
  PairTeam small_stages(team, 8192), large_stages(team, 8 << 20);
  check_pairs(small_stages, quick ? 90 : 900, quick ? 3000 : 60000);
  check_pairs(large_stages, quick ? 6 : 300, quick ? 3000 : 300000);
  check_pairs_together(small_stages, large_stages, quick ? 20 : 200);
  check_lines_together(team, quick ? 20 : 200);
#ifndef NITINOL_EMULATE
  if (!only_pairs) check_graphs(team);
  check_pair_graphs(small_stages);
#endif
  if (!only_pairs) check_abort(team);
  check_pair_abort(small_stages);
  printf("%ld cases, %ld elements, %ld wrong, %.1f s\n", checked_cases, checked_elements, wrong_cases,
         seconds() - start);
  fflush(stdout);
#ifndef NITINOL_EMULATE
  if (times && wrong_cases == 0) {
    if (!only_pairs) {
      time_local(machine, quick);
      time_collectives(team, quick);
    }
    time_pairs(large_stages, quick);
  }
#endif
  printf("check: %s, %.1f s\n", wrong_cases == 0 ? "all right" : "WRONG", seconds() - start);
  return wrong_cases == 0 ? 0 : 1;
}
