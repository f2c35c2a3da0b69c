// SPDX-License-Identifier: Apache-2.0
//
// The part of check.cu on nitinol_pair_move: ranks 0 and 1 send each other parts of any size and
// alignment, of which each is read where it lies, written where it goes, or goes through a stage that
// is too small for it.

struct PairTeam {
  Team& team;
  u64 control[2], stage[2], stage_bytes;

  PairTeam(Team& team_, u64 stage_bytes_) : team(team_), stage_bytes(stage_bytes_) {
    for (int r = 0; r < 2; r++) {
      control[r] = team.m.alloc(r, NITINOL_CONTROL_BYTES);
      stage[r] = team.m.alloc(r, stage_bytes);
    }
  }
  u32 most_blocks() const {
    u64 most = stage_bytes / (NITINOL_PAIR_SLOTS * NITINOL_PAIR_SLOT);
    return (u32)std::min<u64>(most, NITINOL_BLOCKS);
  }
  nitinol_pair_params params(int rank) const {
    nitinol_pair_params a = {};
    a.team.size = 2;
    a.team.rank = rank;
    for (int r = 0; r < 2; r++) a.team.control[r] = control[r];
    a.team.abort = team.words_device;
    a.team.status = team.words_device + 4 * (1 + rank);
    a.stage = stage[rank];
    a.peer_stage = stage[1 - rank];
    a.stage_bytes = stage_bytes;
    a.push = 150;
    return a;
  }
  void reset() {
    for (int r = 0; r < 2; r++) team.m.fill(r, control[r], 0, NITINOL_CONTROL_BYTES);
    team.reset();
  }
};

struct PairCase {
  struct Part {
    bool reached, open;
    Data data;
    Placed from, to;
  };
  PairTeam& pair;
  u32 blocks;
  std::vector<Part> parts[2];  // by sender
  size_t used[2];

  PairCase(PairTeam& pair_, u32 blocks_) : pair(pair_), blocks(std::min(blocks_, pair_.most_blocks())) {}

  // Adds a part from `sender`, at `at` bytes of the buffers of both, which it moves on.
  void add(int sender, size_t bytes, bool reached, bool aligned, size_t at[2]) {
    Machine& m = pair.team.m;
    Part p;
    p.reached = reached;
    p.open = draw(2);
    p.data.resize(bytes);
    for (auto& b : p.data) b = (unsigned char)generator();
    p.from = place(pair.team.input[sender], sender, at[sender] + (aligned ? 0 : draw(16)), bytes);
    p.to = place(pair.team.output[1 - sender], 1 - sender, at[sender] + (aligned ? 0 : draw(16)), bytes);
    put_guarded(m, p.from, &p.data);
    put_guarded(m, p.to, nullptr);
    at[sender] += (bytes + 2 * GUARD + 64 + 255) / 256 * 256;
    parts[sender].push_back(std::move(p));
  }

  nitinol_pair_params params(int r) const {
    nitinol_pair_params a = pair.params(r);
    for (const Part& p : parts[r]) {
      a.send[a.sends] = p.from.address;
      a.there[a.sends] = p.reached ? p.from.address : 0;
      a.send_bytes[a.sends++] = p.from.bytes;
    }
    for (const Part& p : parts[1 - r]) {
      a.receive[a.receives] = p.to.address;
      a.room[a.receives] = p.open ? p.to.address : 0;
      a.receive_bytes[a.receives++] = p.to.bytes;
    }
    return a;
  }

  void launch(int r) const {
    nitinol_pairs_params a = {};
    a.pair[0] = params(r);
    pair.team.m.launch(r, "nitinol_pair_move", a, blocks);
  }

  void verify() {
    checked_cases++;
    for (int sender = 0; sender < 2; sender++) {
      for (size_t i = 0; i < parts[sender].size(); i++) {
        const Part& p = parts[sender][i];
        std::string name =
            text("pair: part %zu of %zu from rank %d, %zu the other way, %zu bytes, reached %d, open %d, %u blocks, "
                 "stage %llu, from & 15 = %d, to & 15 = %d",
                 i, parts[sender].size(), sender, parts[1 - sender].size(), p.data.size(), p.reached, p.open,
                 blocks, pair.stage_bytes, (int)(p.from.address & 15), (int)(p.to.address & 15));
        if (compare(name, get_guarded(pair.team.m, p.to), p.data, 1)) {
          compare(name + " (what was sent)", get_guarded(pair.team.m, p.from), p.data, 1);
        }
      }
    }
  }
};

static void run_pairs(PairTeam& pair, std::vector<PairCase>& cases) {
  Machine& m = pair.team.m;
  m.settle();
  for (PairCase& c : cases) {
    for (int r = 0; r < 2; r++) c.launch(r);
  }
  if (!m.finish()) stuck(pair.team, "pairs");
  for (PairCase& c : cases) c.verify();
  cases.clear();
}

// Any number of parts either way, none of them included, several launches after each other.
static PairCase random_pair(PairTeam& pair, size_t most, size_t at[2]) {
  PairCase c(pair, 1 + (u32)draw(9));
  for (int sender = 0; sender < 2; sender++) {
    size_t count = draw(4) == 0 ? draw(NITINOL_MEMBERS + 1) : draw(3);
    int kind = (int)draw(3);
    bool aligned = draw(3) == 0;
    for (size_t i = 0; i < count; i++) {
      size_t bytes = 1 + (draw(3) == 0 ? draw(most) : draw(200));
      c.add(sender, bytes, kind == 0 || (kind == 1 && draw(2)), aligned, at);
    }
  }
  return c;
}

static void check_pairs(PairTeam& pair, int count, size_t most) {
  double start = seconds();
  long before = checked_cases;
  std::vector<PairCase> cases;
  size_t at[2] = {0, 0};
  for (int i = 0; i < count; i++) {
    cases.push_back(random_pair(pair, most, at));
    bool full = std::max(at[0], at[1]) > pair.team.input[0].capacity / 2;
    if (cases.size() == 6 || full || i + 1 == count) {
      run_pairs(pair, cases);
      at[0] = at[1] = 0;
    }
  }
  printf("pair   %6ld cases, %.1f s\n", checked_cases - before, seconds() - start);
  fflush(stdout);
}

// Two pairs in one launch of rank 0, which rank 1 serves by one launch too, or by one after the other:
// no pair waits for the other one of its launch.
static void check_pairs_together(PairTeam& one, PairTeam& two, int count) {
  Machine& m = one.team.m;
  for (int i = 0; i < count; i++) {
    size_t at[2] = {0, 0};
    PairCase a = random_pair(one, 3000, at), b = random_pair(two, 3000, at);
    a.blocks = b.blocks = std::min(a.blocks, b.blocks);
    m.settle();
    nitinol_pairs_params both = {};
    both.pair[0] = a.params(0);
    both.pair[1] = b.params(0);
    m.launch(0, "nitinol_pair_move", both, a.blocks, Machine::THREADS, 2);
    if (draw(2)) {
      both.pair[0] = b.params(1);
      both.pair[1] = a.params(1);
      m.launch(1, "nitinol_pair_move", both, a.blocks, Machine::THREADS, 2);
    } else {
      b.launch(1);
      a.launch(1);
    }
    if (!m.finish()) stuck(one.team, "pairs of one launch");
    a.verify();
    b.verify();
  }
  printf("pairs  %d launches of two\n", count);
}

// What a pair sends in lines with flags, of which its stage is the area: four slots.
static nitinol_ll_move_params pair_lines(const PairCase& c, int rank) {
  nitinol_ll_move_params a = {};
  int other = 1 - rank;
  a.team = c.pair.params(rank).team;
  for (int r = 0; r < 2; r++) a.lines[r] = c.pair.stage[r];
  a.slot_bytes = c.pair.stage_bytes / 4;
  for (const PairCase::Part& p : c.parts[rank]) {
    a.send[other] = p.from.address;
    a.send_bytes[other] = p.from.bytes;
  }
  for (const PairCase::Part& p : c.parts[other]) {
    a.receive[other] = p.to.address;
    a.receive_bytes[other] = p.to.bytes;
  }
  return a;
}

// Two to four pairs in one launch of nitinol_ll_pairs on each rank, in other orders.
static void check_lines_together(Team& team, int count) {
  Machine& m = team.m;
  std::vector<std::unique_ptr<PairTeam>> pairs;
  for (int p = 0; p < NITINOL_PAIRS; p++) pairs.emplace_back(new PairTeam(team, 4096));
  for (int i = 0; i < count; i++) {
    u32 n = 2 + (u32)draw(NITINOL_PAIRS - 1), blocks = 1 + (u32)draw(4);
    size_t at[2] = {0, 0};
    std::vector<PairCase> cases;
    for (u32 p = 0; p < n; p++) {
      cases.emplace_back(*pairs[p], blocks);
      for (int sender = 0; sender < 2; sender++) {
        if (draw(4) != 0) cases.back().add(sender, 1 + draw(500), true, draw(2), at);
      }
    }
    m.settle();
    for (int r = 0; r < 2; r++) {
      nitinol_ll_pairs_params all = {};
      for (u32 p = 0; p < n; p++) all.pair[r == 0 ? p : n - 1 - p] = pair_lines(cases[p], r);
      m.launch(r, "nitinol_ll_pairs", all, blocks, Machine::THREADS, n);
    }
    if (!m.finish()) stuck(team, "lines of several pairs");
    for (PairCase& c : cases) c.verify();
  }
  printf("lines  %d launches of several pairs\n", count);
}

// Rank 0 stays away: one launch waits for its words, another for room in its own stage.
static void check_pair_abort(PairTeam& pair) {
  for (int way = 0; way < 2; way++) {
    size_t at[2] = {0, 0};
    PairCase c(pair, 2);
    c.add(way, 5 * pair.stage_bytes, false, true, at);
    pair.team.m.settle();
    c.launch(1);
    bool early = pair.team.m.finish(0.2);
    pair.team.words[0] = 1;
    bool freed = pair.team.m.finish(10);
    if (early || !freed || pair.team.words[2] != 1) {
      die("WRONG abort of a pair: ended early %d, freed %d, status %u", early, freed, pair.team.words[2]);
    }
    checked_cases++;
    pair.reset();
  }
  printf("abort  pairs\n");
}

#ifndef NITINOL_EMULATE

static void check_pair_graphs(PairTeam& pair) {
  Machine& m = pair.team.m;
  std::vector<PairCase> cases;
  size_t at[2] = {0, 0};
  for (int i = 0; i < 8; i++) cases.push_back(random_pair(pair, 50000, at));
  m.settle();
  m.begin_capture();
  for (PairCase& c : cases) {
    for (int r = 0; r < 2; r++) c.launch(r);
  }
  m.end_capture();
  for (int round = 0; round < 4; round++) {
    for (PairCase& c : cases) {
      for (auto& side : c.parts) {
        for (auto& p : side) put_guarded(m, p.to, nullptr);
      }
    }
    m.settle();
    for (int i = 0; i <= round; i++) m.replay();
    if (!m.finish()) stuck(pair.team, "graphs of pairs");
    for (PairCase& c : cases) c.verify();
  }
  m.drop_graphs();
  printf("graphs 10 replays of %zu launches of a pair\n", cases.size());
}

// Both ranks send as many bytes at once, in microseconds for each exchange.
static double time_pair(PairTeam& pair, size_t bytes, bool reached, bool open, u32* with) {
  Machine& m = pair.team.m;
  bool real = m.ranks == m.gpus;
  double least = 1e30;
  for (u32 blocks : {1u, 4u, 16u, 32u, 64u, 128u}) {
    if (blocks > pair.most_blocks() || (!real && blocks > 32)) continue;
    if ((blocks > 1 && (size_t)blocks * 2048 > bytes) || bytes / blocks > (16 << 20)) continue;
    PairCase c(pair, blocks);
    for (int sender = 0; sender < 2; sender++) {
      PairCase::Part p;
      p.reached = reached;
      p.open = open;
      p.from = place(pair.team.input[sender], sender, 0, bytes);
      p.to = place(pair.team.output[1 - sender], 1 - sender, 0, bytes);
      c.parts[sender].push_back(p);
    }
    int times = bytes > (1 << 20) ? 20 : 100;
    m.settle();
    m.begin_capture();
    for (int i = 0; i < times; i++) {
      for (int r = 0; r < 2; r++) c.launch(r);
    }
    m.end_capture();
    m.time([&] { m.replay(); });
    double t = best(3, [&] { return m.time([&] { m.replay(); }); }) / times;
    m.drop_graphs();
    if (t < least) least = t, *with = blocks;
  }
  return least;
}

static void time_pairs(PairTeam& pair, bool quick) {
  size_t largest = pair.team.input[0].capacity - 4096;
  printf("  pair: both send; microseconds (and blocks of the fastest grid), GB/s each way\n");
  printf("  %-14s %10s %26s %26s %26s\n", "", "bytes", "written where they go",
         "read where they lie", "through the stages");
  for (size_t bytes : {1024ul, 65536ul, 262144ul, 1048576ul, 4194304ul, 16777216ul - 8192, 268435456ul}) {
    if (bytes > largest || (quick && bytes > 65536)) break;
    printf("  %14s %10zu", "", bytes);
    for (int way = 0; way < 3; way++) {
      u32 with = 0;
      double t = time_pair(pair, bytes, way < 2, way == 0, &with);
      printf("   %9.2f (%3u) %8.1f", t, with, bytes / t / 1e3);
    }
    printf("\n");
    fflush(stdout);
  }
}

#endif
