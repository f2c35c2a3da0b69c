// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.Nvtx;
import io.nitinol.samples.cuda.ffi.params_h;
import io.nitinol.spi.Collective;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.toolkit.team.TeamMeeting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One rank's end of a team: checks a launch, chooses a family and puts its kernels in. */
final class CudaTeam implements DeviceTeam {
  /** Processors that a team leaves to copies and to kernels that wait for nobody. */
  private static final int SPARE_PROCESSORS = 4;

  /** Blocks that a collective runs at the most unless the config says so: more bring nothing. */
  private static final int MOST_BLOCKS = 128;

  private static final int UUID_SIZE = 40;
  private static final int BUS_SIZE = 16;
  private static final long WORDS_SIZE = 256;
  private static final long STATUS_OFFSET = 128;
  private static final long ZEROING_SECONDS = 30;

  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

  private static final MemorySegment ALL_REDUCE_RANGE = Nvtx.name("nitinol all_reduce");
  private static final MemorySegment REDUCE_SCATTER_RANGE = Nvtx.name("nitinol reduce_scatter");
  private static final MemorySegment REDUCE_RANGE = Nvtx.name("nitinol reduce");
  private static final MemorySegment ALL_GATHER_RANGE = Nvtx.name("nitinol all_gather");
  private static final MemorySegment BROADCAST_RANGE = Nvtx.name("nitinol broadcast");
  private static final MemorySegment ALL_TO_ALL_RANGE = Nvtx.name("nitinol alltoall");
  private static final MemorySegment TRANSFER_RANGE = Nvtx.name("nitinol sendrecv");

  private final CudaDevice device;
  private final CudaContext context;
  private final TeamMeeting meeting;

  /** By rank; null for those of other processes. */
  private final List<@Nullable Device> devices;

  private final DeviceMemory memory;
  private final DeviceMemory words;
  private final CudaTeamMemory peers;
  private final Arena arena;
  private final int rank;
  private final int ranks;
  private final int blocks;
  private final CollectiveChoice choice;
  private final TeamReductions reductions;
  private final TeamMoves moves;
  private final PeerReach reach;
  private final CudaPairTransfers transfers;

  /** In the order in which they were opened, the same on all ranks; replaced, never changed. */
  private volatile CudaWindow[] windows = {};

  private volatile @Nullable DeviceException aborted;
  private volatile boolean closed;

  private CudaTeam(
      CudaDevice device,
      TeamMeeting meeting,
      Joined joined,
      CudaTeamLayout layout,
      DeviceMemory memory,
      DeviceMemory words,
      CudaTeamMemory peers,
      PairStreams streams,
      boolean carriesLines) {
    this.device = device;
    this.context = device.context();
    this.meeting = meeting;
    this.devices = joined.devices;
    this.memory = memory;
    this.words = words;
    this.peers = peers;
    this.rank = meeting.rank();
    this.ranks = meeting.ranks();
    this.blocks = joined.blocks;
    this.arena = Arena.ofShared();
    long[] bases = new long[ranks];
    for (int r = 0; r < ranks; r++) {
      bases[r] = peers.address(r);
    }
    TeamPlace place =
        new TeamPlace(rank, ranks, layout, bases, words.address(), words.address() + STATUS_OFFSET);
    TeamSizes sizes = layout.sizes();
    this.choice =
        new CollectiveChoice(
            ranks, joined.sharing > 1, sizes.slot() / 2, carriesLines ? layout.longest() : 0);
    boolean overlaps = device.overlapsLaunches();
    this.reductions = new TeamReductions(context, device.modules(), place, blocks, overlaps, arena);
    this.moves = new TeamMoves(context, device.modules(), place, blocks, overlaps, arena);
    this.reach = new PeerReach(device.index(), devices, () -> windows, arena);
    this.transfers =
        new CudaPairTransfers(
            context, device.modules(), place, blocks, reach, streams, overlaps, arena);
  }

  /** What ranks tell each other first: their devices, and so how many blocks run at once. */
  private record Joined(
      List<@Nullable Device> devices, List<String> buses, int blocks, int sharing) {

    static Joined meet(
        CudaDevice device,
        DeviceTeamConfig config,
        TeamMeeting meeting,
        @Nullable DeviceException failure) {
      ByteBuffer mine = ByteBuffer.allocate(UUID_SIZE + Integer.BYTES + BUS_SIZE);
      mine.put(device.uuid().getBytes(StandardCharsets.US_ASCII));
      mine.putInt(UUID_SIZE, device.processors());
      String bus = Objects.requireNonNullElse(device.pciId(), "");
      mine.put(UUID_SIZE + Integer.BYTES, bus.getBytes(StandardCharsets.US_ASCII));
      byte[][] all = meeting.meet(mine.array(), failure);
      List<String> uuids = new ArrayList<>();
      List<String> buses = new ArrayList<>();
      int processors = Integer.MAX_VALUE;
      for (byte[] one : all) {
        uuids.add(new String(one, 0, UUID_SIZE, StandardCharsets.US_ASCII));
        buses.add(
            new String(one, UUID_SIZE + Integer.BYTES, BUS_SIZE, StandardCharsets.US_ASCII)
                .strip());
        processors = Math.min(processors, ByteBuffer.wrap(one).getInt(UUID_SIZE));
      }
      int sharing = uuids.stream().mapToInt(u -> Collections.frequency(uuids, u)).max().orElse(1);
      int most =
          Math.min(
              Math.max(1, (processors - SPARE_PROCESSORS) / sharing), params_h.NITINOL_BLOCKS());
      int blocks =
          config.blocks() == DeviceTeamConfig.DEFAULT_BLOCKS
              ? Math.min(most, MOST_BLOCKS)
              : Math.min(most, config.blocks());
      List<@Nullable Device> devices = new ArrayList<>();
      for (int r = 0; r < uuids.size(); r++) {
        devices.add(config.sameProcess(r) ? CudaDriver.found().byUuid(uuids.get(r)) : null);
      }
      return new Joined(devices, buses, blocks, sharing);
    }
  }

  static CudaTeam join(CudaDevice device, DeviceTeamConfig config, TeamSizes sizes) {
    TeamMeeting meeting = new TeamMeeting(config, "cuda");
    DeviceException failure = null;
    try {
      if (config.ranks() > params_h.NITINOL_MEMBERS() || !device.hasKernels()) {
        throw CudaFailures.of(
            DeviceFailure.UNSUPPORTED,
            "%s: a team has at most %d ranks, on devices of compute capability 8.0 or newer",
            device,
            params_h.NITINOL_MEMBERS());
      }
      if (config.ranks() > 1) {
        // To load while a kernel waits for this rank could wait for that kernel.
        device.modules().load(EnumSet.allOf(KernelFamily.class));
      }
    } catch (DeviceException e) {
      failure = e;
    }
    Joined joined = Joined.meet(device, config, meeting, failure);
    CudaTeamLayout layout = new CudaTeamLayout(config.ranks(), sizes);
    DeviceMemory memory = null;
    DeviceMemory words = null;
    PairStreams streams = null;
    CudaTeamMemory peers = null;
    CudaTeam team = null;
    try {
      try {
        words = device.allocateHost(WORDS_SIZE);
        Objects.requireNonNull(words.segment()).fill((byte) 0);
        memory =
            meeting.spansProcesses()
                ? device.kept().take(layout.size(), device::allocate)
                : device.allocate(layout.size());
        zero(device, memory.address(), layout.zeroed());
        streams =
            PairStreams.open(
                device,
                device.context(),
                device.pairStreams(),
                meeting.rank(),
                meeting.ranks(),
                joined.blocks,
                joined.sharing);
      } catch (DeviceException e) {
        failure = e;
      }
      peers =
          CudaTeamMemory.open(
              device,
              meeting,
              joined.devices,
              memory == null ? 0 : memory.address(),
              layout.size(),
              failure);
      team =
          new CudaTeam(
              device,
              meeting,
              joined,
              layout,
              Objects.requireNonNull(memory),
              Objects.requireNonNull(words),
              peers,
              Objects.requireNonNull(streams),
              carriesLines(device, joined, meeting));
      return team;
    } finally {
      if (team == null) {
        giveUp(device, meeting, peers, streams, memory, words);
      }
    }
  }

  /**
   * Returns whether lines of 128 bytes arrive whole: NVLink joins all devices, on the word of all
   * ranks. Nobody promises that of a PCI bus, and ranks that share a device have no link.
   */
  private static boolean carriesLines(CudaDevice device, Joined joined, TeamMeeting meeting) {
    boolean all = joined.sharing == 1;
    for (int r = 0; r < meeting.ranks() && all; r++) {
      if (r != meeting.rank()) {
        String bus = joined.buses.get(r);
        all = Nvml.kind(device.pciId(), bus, true) == DeviceLink.Kind.FABRIC;
      }
    }
    for (byte[] other : meeting.meet(new byte[] {(byte) (all ? 1 : 0)}, null)) {
      all &= other[0] != 0;
    }
    return all;
  }

  /** Closes what was made for a team that did not come about; the failure of that is thrown. */
  private static void giveUp(
      CudaDevice device,
      TeamMeeting meeting,
      @Nullable CudaTeamMemory peers,
      @Nullable PairStreams streams,
      @Nullable DeviceMemory memory,
      @Nullable DeviceMemory words) {
    ClosingSteps steps = new ClosingSteps();
    if (peers != null) {
      steps.run(peers::close);
    }
    if (streams != null) {
      steps.run(streams::close);
    }
    if (memory != null) {
      steps.run(() -> free(device, meeting, memory));
    }
    if (words != null) {
      steps.run(words::close);
    }
  }

  /** Frees memory of a team, or keeps it where another process may have it open. */
  private static void free(CudaDevice device, TeamMeeting meeting, DeviceMemory memory) {
    if (meeting.spansProcesses()) {
      device.kept().giveBack(memory);
    } else {
      memory.close();
    }
  }

  private static void zero(CudaDevice device, long address, long size) {
    try (DeviceStream stream = device.createStream(false)) {
      stream.fill(address, (byte) 0, size);
      if (!stream.synchronize(TimeUnit.SECONDS.toNanos(ZEROING_SECONDS))) {
        throw CudaFailures.of(
            DeviceFailure.DRIVER_ERROR, "%s: the memory of a team is not zeroed in time", device);
      }
    }
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return ranks;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public int blocks() {
    return blocks;
  }

  /** {@return how this team chooses families, for tests} */
  CollectiveChoice choice() {
    return choice;
  }

  /** {@return where other ranks find memory of this one, for tests} */
  PeerReach reach() {
    return reach;
  }

  @Override
  public boolean supports(Collective collective, @Nullable DeviceReduction reduction) {
    return switch (CudaFailures.notNull(collective, "collective")) {
      case ALL_REDUCE, REDUCE_SCATTER, REDUCE -> reduction != null;
      case ALL_GATHER, BROADCAST, ALL_TO_ALL -> true;
      case SEND, RECV, SEND_RECV, GATHER, SCATTER -> true;
    };
  }

  @Override
  public TeamWindow openWindow(long address, long size) {
    requireUsable();
    DeviceException failure = null;
    try {
      device.requireOwn(address, size);
    } catch (DeviceException e) {
      failure = e;
    }
    CudaTeamMemory pieces = CudaTeamMemory.open(device, meeting, devices, address, size, failure);
    CudaWindow window = new CudaWindow(pieces, rank, size, this::leave);
    synchronized (this) {
      CudaWindow[] more = Arrays.copyOf(windows, windows.length + 1);
      more[windows.length] = window;
      windows = more;
    }
    return window;
  }

  private void leave(CudaWindow window) {
    synchronized (this) {
      windows = Arrays.stream(windows).filter(other -> other != window).toArray(CudaWindow[]::new);
    }
    if (aborted == null && !closed) {
      meeting.agree(null);
    }
  }

  /** Returns the first window that bytes lie in, or null; on all ranks alike. */
  private @Nullable CudaWindow window(long address, long size) {
    for (CudaWindow window : windows) {
      if (window.contains(address, size)) {
        return window;
      }
    }
    return null;
  }

  @Override
  public void allReduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    CudaStream own = usable(stream);
    int width = width(reduction);
    long size = size(count, width, 1);
    requireAligned(src, dst, width);
    if (count == 0) {
      return;
    }
    boolean pushed = begin(ALL_REDUCE_RANGE);
    try {
      if (ranks == 1) {
        alone(own, reduction, src, dst, count);
        return;
      }
      CudaWindow in = window(src, size);
      CudaWindow out = window(dst, size);
      KernelFamily family = choice.of(Collective.ALL_REDUCE, size);
      switch (family) {
        case LL, LL128 -> reductions.llAllReduce(family, own, reduction, src, dst, count);
        case RING -> reductions.ringAllReduce(own, reduction, src, dst, out, count);
        case DIRECT, LOCAL -> reductions.directAllReduce(own, reduction, src, in, dst, out, count);
      }
    } finally {
      end(pushed);
    }
  }

  /** Enters the context, in a range of this name on the time line of a tool. */
  private boolean begin(MemorySegment range) {
    Nvtx.push(range);
    return context.enter();
  }

  private void end(boolean pushed) {
    try {
      Nvtx.pop();
    } finally {
      context.leave(pushed);
    }
  }

  private void alone(CudaStream stream, DeviceReduction reduction, long src, long dst, long count) {
    device.ownKernels().applyHere(stream, reduction, KernelStep.COPY_FINAL, 0, src, dst, count);
  }

  private static void copyAlone(CudaStream stream, long src, long dst, long size) {
    if (src != dst) {
      stream.copyHere(dst, src, size);
    }
  }

  @Override
  public void reduceScatter(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    CudaStream own = usable(stream);
    int width = width(reduction);
    long all = size(count, width, ranks);
    requireAligned(src, dst, width);
    if (count == 0) {
      return;
    }
    boolean pushed = begin(REDUCE_SCATTER_RANGE);
    try {
      if (ranks == 1) {
        alone(own, reduction, src, dst, count);
        return;
      }
      KernelFamily family = choice.of(Collective.REDUCE_SCATTER, count * width);
      switch (family) {
        case LL, LL128 -> reductions.llReduceScatter(family, own, reduction, src, dst, count);
        case RING -> reductions.ringReduceScatter(own, reduction, src, dst, count);
        case DIRECT, LOCAL ->
            reductions.directReduceScatter(own, reduction, src, window(src, all), dst, count);
      }
    } finally {
      end(pushed);
    }
  }

  @Override
  public void reduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count, int root) {
    CudaStream own = usable(stream);
    requireRoot(root);
    int width = width(reduction);
    long size = size(count, width, 1);
    requireAligned(src, root == rank ? dst : 0, width);
    if (count == 0) {
      return;
    }
    boolean pushed = begin(REDUCE_RANGE);
    try {
      if (ranks == 1) {
        alone(own, reduction, src, dst, count);
        return;
      }
      KernelFamily family = choice.of(Collective.REDUCE, size);
      switch (family) {
        case LL, LL128 -> reductions.llReduceTo(family, own, reduction, src, dst, count, root);
        case RING -> reductions.ringReduceTo(own, reduction, src, dst, count, root);
        case DIRECT, LOCAL ->
            reductions.directReduceTo(
                own, reduction, src, window(src, size), dst, window(dst, size), count, root);
      }
    } finally {
      end(pushed);
    }
  }

  @Override
  public void allGather(DeviceStream stream, long src, long dst, long size) {
    CudaStream own = usable(stream);
    long all = size(size, 1, ranks);
    if (size == 0) {
      return;
    }
    boolean pushed = begin(ALL_GATHER_RANGE);
    try {
      if (ranks == 1) {
        copyAlone(own, src, dst, size);
        return;
      }
      CudaWindow out = window(dst, all);
      KernelFamily family = choice.of(Collective.ALL_GATHER, size);
      switch (family) {
        case LL, LL128 -> moves.llAllGather(family, own, src, dst, size);
        case RING -> moves.ringAllGather(own, src, dst, out, size);
        case DIRECT, LOCAL -> moves.directAllGather(own, src, dst, out, size);
      }
    } finally {
      end(pushed);
    }
  }

  @Override
  public void broadcast(DeviceStream stream, long src, long dst, long size, int root) {
    CudaStream own = usable(stream);
    requireRoot(root);
    size(size, 1, 1);
    if (size == 0) {
      return;
    }
    boolean pushed = begin(BROADCAST_RANGE);
    try {
      if (ranks == 1) {
        copyAlone(own, src, dst, size);
        return;
      }
      CudaWindow out = window(dst, size);
      KernelFamily family = choice.of(Collective.BROADCAST, size);
      switch (family) {
        case LL, LL128 -> moves.llBroadcast(family, own, src, dst, size, root);
        case RING -> moves.ringBroadcast(own, src, dst, out, size, root);
        case DIRECT, LOCAL ->
            moves.directBroadcast(own, src, window(src, size), dst, out, size, root);
      }
    } finally {
      end(pushed);
    }
  }

  @Override
  public void allToAll(DeviceStream stream, long src, long dst, long size) {
    CudaStream own = usable(stream);
    long all = size(size, 1, ranks);
    if (size == 0) {
      return;
    }
    boolean pushed = begin(ALL_TO_ALL_RANGE);
    try {
      if (ranks == 1) {
        copyAlone(own, src, dst, size);
        return;
      }
      KernelFamily family = choice.of(Collective.ALL_TO_ALL, size);
      switch (family) {
        case LL, LL128 -> moves.llAllToAll(family, own, src, dst, size);
        case DIRECT, RING, LOCAL ->
            moves.directAllToAll(own, src, window(src, all), dst, window(dst, all), size);
      }
    } finally {
      end(pushed);
    }
  }

  @Override
  public void transfer(DeviceStream stream, List<TeamTransfer> list) {
    CudaStream own = usable(stream);
    if (CudaFailures.notNull(list, "transfers").size() > MAX_TRANSFERS) {
      throw CudaFailures.invalid("%d transfers at once", list.size());
    }
    transfers.sort(list);
    boolean pushed = begin(TRANSFER_RANGE);
    try {
      transfers.launch(own, list);
    } catch (DeviceException e) {
      if (transfers.isPartial()) {
        // The peers of that part wait for the rest, which does not come.
        abort("a part of a transfer was launched, the rest failed: " + e.getMessage());
      }
      throw e;
    } finally {
      end(pushed);
    }
  }

  @Override
  public synchronized void abort(String reason) {
    if (aborted == null && !closed) {
      aborted =
          CudaFailures.of(DeviceFailure.TEAM_ABORTED, "rank %d of the team: %s", rank, reason);
      MemorySegment own = Objects.requireNonNull(words.segment());
      WORD.setVolatile(own, 0L, 1);
    }
  }

  @Override
  public @Nullable DeviceException failure() {
    return aborted;
  }

  private CudaStream usable(DeviceStream stream) {
    requireUsable();
    return device.stream(stream);
  }

  private void requireUsable() {
    if (closed) {
      throw CudaFailures.state("the team is closed");
    }
    DeviceException reason = aborted;
    if (reason != null) {
      throw CudaFailures.again(reason);
    }
  }

  private void requireRoot(int root) {
    if (root < 0 || root >= ranks) {
      throw CudaFailures.invalid("root %d of a team of %d", root, ranks);
    }
  }

  private static void requireAligned(long src, long dst, int width) {
    CudaKernels.requireAligned(src, width);
    CudaKernels.requireAligned(dst, width);
  }

  private static int width(DeviceReduction reduction) {
    return CudaFailures.notNull(reduction, "reduction").type().size();
  }

  private static long size(long count, int width, int parts) {
    if (count < 0 || count > Long.MAX_VALUE / width / parts) {
      throw CudaFailures.invalid("%d elements for each of %d", count, parts);
    }
    return count * width * parts;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    ClosingSteps steps = new ClosingSteps();
    for (CudaWindow window : windows) {
      steps.run(window::release);
    }
    windows = new CudaWindow[0];
    steps.run(transfers::close);
    steps.run(peers::close);
    steps.run(() -> free(device, meeting, memory));
    steps.run(words::close);
    steps.run(arena::close);
    steps.finish();
  }
}
