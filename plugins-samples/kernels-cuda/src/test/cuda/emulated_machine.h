// SPDX-License-Identifier: Apache-2.0
//
// The machine of check.cu in emulation: the host's memory, and coroutines for threads.
#include "../../main/cuda/device.cuh"

#include <ucontext.h>

dim3 threadIdx, blockIdx, blockDim, gridDim;

std::map<std::string, EmulatedKernel>& emulated_kernels() {
  static std::map<std::string, EmulatedKernel> kernels;
  return kernels;
}
static bool emulated_has(const std::string& name) { return emulated_kernels().count(name) > 0; }

struct EmulatedBlock {
  u32 threads, arrived = 0, turn = 0;
  int gathered = 0, result = 0;
  u64 shared[2 * NITINOL_MEMBERS];
};

struct EmulatedThread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  u32 thread, block_index;
  EmulatedBlock* block;
  bool done = false;
  const std::function<void()>* body;
};

static ucontext_t emulated_scheduler;
static EmulatedThread* emulated_current;

void emulated_yield() { swapcontext(&emulated_current->context, &emulated_scheduler); }

int emulated_barrier(int value) {
  EmulatedBlock& b = *emulated_current->block;
  u32 turn = b.turn;
  b.gathered |= value;
  if (++b.arrived == b.threads) {
    b.result = b.gathered;
    b.arrived = 0;
    b.gathered = 0;
    b.turn++;
    return b.result;
  }
  while (b.turn == turn) emulated_yield();
  return b.result;
}

u64* emulated_shared() { return emulated_current->block->shared; }

static void emulated_main() {
  EmulatedThread* me = emulated_current;
  (*me->body)();
  me->done = true;
  swapcontext(&me->context, &emulated_scheduler);
}

struct Launch {
  std::function<void()> body;
  u32 blocks, threads, pairs;
};

struct Machine {
  static const u32 THREADS = 32;
  static const size_t STACK = 64 << 10;
  int ranks, gpus = 1;
  std::vector<std::deque<Launch>> queue;
  struct Running {
    bool active = false;
    Launch launch;
    std::vector<std::unique_ptr<EmulatedBlock>> blocks;
    std::vector<std::unique_ptr<EmulatedThread>> threads;
  };
  std::vector<Running> running;
  std::vector<std::unique_ptr<char[]>> stacks;
  std::mt19937 order{7};

  Machine(int ranks_, const char*) : ranks(ranks_ == 0 ? 3 : ranks_), queue(ranks), running(ranks) {
    printf("%d emulated ranks, %zu kernels\n", ranks, emulated_kernels().size());
  }
  u64 alloc(int, size_t bytes) {
    void* p = nullptr;
    if (posix_memalign(&p, 4096, bytes) != 0) die("no memory");
    memset(p, 0, bytes);
    return (u64)p;
  }
  void put(int, u64 to, const void* from, size_t bytes) { memcpy((void*)to, from, bytes); }
  void get(int, void* to, u64 from, size_t bytes) { memcpy(to, (void*)from, bytes); }
  void fill(int, u64 at, unsigned char value, size_t bytes) { memset((void*)at, value, bytes); }
  u32* alloc_shared(u64* device) {
    *device = alloc(0, 4096);
    return (u32*)*device;
  }
  void settle() {}
  template <class P>
  void launch(int rank, const std::string& name, const P& params, u32 blocks, u32 threads = THREADS,
              u32 pairs = 1) {
    if (!emulated_has(name)) die("no kernel %s in this build", name.c_str());
    EmulatedKernel kernel = emulated_kernels()[name];
    queue[rank].push_back({[kernel, params] { kernel(&params); }, blocks, threads, pairs});
  }

  void start(Running& r) {
    r.active = true;
    r.blocks.clear();
    r.threads.clear();
    for (u32 b = 0; b < r.launch.blocks * r.launch.pairs; b++) {
      r.blocks.emplace_back(new EmulatedBlock());
      r.blocks.back()->threads = r.launch.threads;
      for (u32 i = 0; i < r.launch.threads; i++) {
        std::unique_ptr<EmulatedThread> t(new EmulatedThread());
        if (stacks.empty()) {
          t->stack.reset(new char[STACK]);
        } else {
          t->stack = std::move(stacks.back());
          stacks.pop_back();
        }
        t->thread = i;
        t->block_index = b;
        t->block = r.blocks.back().get();
        t->body = &r.launch.body;
        getcontext(&t->context);
        t->context.uc_stack.ss_sp = t->stack.get();
        t->context.uc_stack.ss_size = STACK;
        t->context.uc_link = nullptr;
        makecontext(&t->context, emulated_main, 0);
        r.threads.push_back(std::move(t));
      }
    }
  }

  // Once round the threads of a rank; true if all are done.
  bool step(Running& r) {
    bool done = true;
    for (auto& t : r.threads) {
      if (t->done) continue;
      emulated_current = t.get();
      threadIdx.x = t->thread;
      blockIdx.x = t->block_index % r.launch.blocks;
      blockIdx.y = t->block_index / r.launch.blocks;
      blockDim.x = r.launch.threads;
      gridDim.x = r.launch.blocks;
      gridDim.y = r.launch.pairs;
      swapcontext(&emulated_scheduler, &t->context);
      done &= t->done;
    }
    return done;
  }

  bool finish(double limit = 60) {
    double end = seconds() + limit;
    while (true) {
      bool idle = true;
      for (int r = 0; r < ranks; r++) {
        Running& now = running[r];
        if (!now.active) {
          if (queue[r].empty()) continue;
          now.launch = std::move(queue[r].front());
          queue[r].pop_front();
          start(now);
        }
        idle = false;
        // Some ranks run far ahead of others.
        for (u32 turns = order() % 4 == 0 ? order() % 40 : order() % 2; turns > 0 && now.active; turns--) {
          if (step(now)) {
            for (auto& t : now.threads) stacks.push_back(std::move(t->stack));
            now.active = false;
          }
        }
      }
      if (idle) return true;
      if (seconds() > end) return false;
    }
  }
};
