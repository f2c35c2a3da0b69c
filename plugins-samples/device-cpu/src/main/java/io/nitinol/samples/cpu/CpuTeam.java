// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.Collective;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.team.TeamMeeting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One rank's end of a team: checks a launch and puts its operation into the stream. */
final class CpuTeam implements DeviceTeam {
  private final CpuDevice device;
  private final CpuKernels kernels;
  private final TeamMeeting meeting;
  private final DeviceMemory slots;
  private final CpuTeamMemory peers;
  private final Arena arena;
  private final TeamLinks links;
  private final List<CpuWindow> windows = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private CpuTeam(
      CpuDevice device,
      CpuKernels kernels,
      TeamMeeting meeting,
      DeviceMemory slots,
      CpuTeamMemory peers) {
    this.device = device;
    this.kernels = kernels;
    this.meeting = meeting;
    this.slots = slots;
    this.peers = peers;
    this.arena = Arena.ofShared();
    this.links = new TeamLinks(meeting.rank(), meeting.ranks(), peers, arena);
  }

  static CpuTeam join(CpuDevice device, CpuKernels kernels, DeviceTeamConfig config) {
    TeamMeeting meeting = new TeamMeeting(config, "cpu");
    DeviceMemory slots = null;
    DeviceException failure = null;
    try {
      slots = device.allocate(config.ranks() * PairChannel.SIZE);
    } catch (DeviceException e) {
      failure = e;
    }
    boolean complete = false;
    try {
      MemorySegment own = slots == null ? null : slots.segment();
      CpuTeamMemory peers = CpuTeamMemory.open(device, meeting, own, failure);
      complete = true;
      return new CpuTeam(device, kernels, meeting, Objects.requireNonNull(slots), peers);
    } finally {
      if (!complete && slots != null) {
        slots.close();
      }
    }
  }

  @Override
  public int rank() {
    return links.rank();
  }

  @Override
  public int ranks() {
    return links.ranks();
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public int blocks() {
    return 1; // one worker at a time goes on with an operation
  }

  @Override
  public boolean supports(Collective collective, @Nullable DeviceReduction reduction) {
    return switch (CpuFailures.notNull(collective, "collective")) {
      case ALL_REDUCE, REDUCE_SCATTER, REDUCE -> reduction != null && kernels.supports(reduction);
      case ALL_GATHER, BROADCAST, ALL_TO_ALL -> true;
      case SEND, RECV, SEND_RECV, GATHER, SCATTER -> true;
    };
  }

  @Override
  public TeamWindow openWindow(long address, long size) {
    requireUsable();
    MemorySegment own = null;
    DeviceException failure = null;
    try {
      own = device.reach(address, size);
    } catch (DeviceException e) {
      failure = e;
    }
    CpuTeamMemory pieces = CpuTeamMemory.open(device, meeting, own, failure);
    CpuWindow window = new CpuWindow(Objects.requireNonNull(own), pieces, this::leave);
    windows.add(window);
    return window;
  }

  private void leave(CpuWindow window) {
    windows.remove(window);
    if (links.aborted() == null && !closed.get()) {
      meeting.agree(null);
    }
  }

  /** Returns the window that a range lies in, or null. */
  private @Nullable CpuWindow window(long address, long size) {
    for (CpuWindow window : windows) {
      if (window.contains(address, size)) {
        return window;
      }
    }
    return null;
  }

  @Override
  public void allReduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    CpuStream own = usable(stream);
    ReduceFunction function = kernels.function(reduction);
    int width = reduction.type().size();
    long size = size(count, width, 1);
    MemorySegment from = device.reach(src, size);
    MemorySegment to = device.reach(dst, size);
    CpuWindow srcWindow = window(src, size);
    CpuWindow dstWindow = window(dst, size);
    // The others' scalars are not known here, so a sum of products goes through slots.
    if (srcWindow != null && dstWindow != null && !reduction.preMultiplied() && ranks() > 1) {
      MemorySegment[] sources = all(srcWindow, src, size);
      MemorySegment[] results = all(dstWindow, dst, size);
      put(own, count, directReduction(function, width, sources, results, count));
    } else {
      put(
          own,
          count,
          reduction(
              function,
              width,
              count,
              true,
              to,
              (slot, peer, at, n) -> function.copy(from, at * width, slot, 0, n),
              from));
    }
  }

  private MemorySegment[] all(CpuWindow window, long address, long size) {
    MemorySegment[] pieces = new MemorySegment[ranks()];
    for (int r = 0; r < pieces.length; r++) {
      pieces[r] = window.of(r, address, size);
    }
    return pieces;
  }

  /** Reduces this rank's share of the elements in place, and writes it to all ranks. */
  private StreamOperation directReduction(
      ReduceFunction function,
      int width,
      MemorySegment[] sources,
      MemorySegment[] results,
      long count) {
    long share = count / ranks();
    long first = share * rank();
    long mine = rank() == ranks() - 1 ? count - first : share;
    MemorySegment sum = links.scratch();
    // A scratch of one slot holds the sum; a piece of ElementWork may be larger.
    long most = sum.byteSize() / width;
    ElementWork.Piece piece =
        (at, n) -> {
          for (long done = 0; done < n; ) {
            long some = Math.min(most, n - done);
            long begin = (first + at + done) * width;
            function.copy(sources[0], begin, sum, 0, some);
            for (int r = 1; r < sources.length - 1; r++) {
              function.reduce(sum, 0, sources[r], begin, sum, 0, some);
            }
            function.reduceFinal(sum, 0, sources[sources.length - 1], begin, sum, 0, some);
            for (MemorySegment result : results) {
              MemorySegment.copy(sum, 0, result, begin, some * width);
            }
            done += some;
          }
        };
    return DirectWork.of(links, ElementWork.of(mine, width, piece));
  }

  /** Writes what a rank gets of this rank's contribution. */
  @FunctionalInterface
  private interface Contribution {
    void write(MemorySegment slot, int peer, long from, long count);
  }

  /**
   * Returns a reduction through slots.
   *
   * @param receives whether this rank gets a result
   * @param alone this rank's contribution where it is the only one
   */
  private StreamOperation reduction(
      ReduceFunction function,
      int width,
      long count,
      boolean receives,
      MemorySegment dst,
      Contribution contribution,
      MemorySegment alone) {
    if (ranks() == 1) {
      return ElementWork.of(
          count, width, (at, n) -> function.copyFinal(alone, at * width, dst, at * width, n));
    }
    ExchangeWork.Shape shape =
        new ExchangeWork.Shape() {
          @Override
          public void send(MemorySegment slot, int peer, long from, long n) {
            contribution.write(slot, peer, from, n);
          }

          @Override
          public void finish(MemorySegment[] pieces, long from, long n) {
            if (receives) {
              fold(function, pieces, dst, from * width, n);
            }
          }
        };
    return ExchangeWork.of(links, shape, count, width);
  }

  /** Combines the contributions in the order of the ranks, so that all ranks get the same bits. */
  private static void fold(
      ReduceFunction function, MemorySegment[] pieces, MemorySegment dst, long at, long count) {
    MemorySegment partial = pieces[0];
    long partialAt = 0;
    for (int r = 1; r < pieces.length - 1; r++) {
      function.combine(partial, partialAt, pieces[r], 0, dst, at, count);
      partial = dst;
      partialAt = at;
    }
    function.combineFinal(partial, partialAt, pieces[pieces.length - 1], 0, dst, at, count);
  }

  @Override
  public void reduceScatter(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    CpuStream own = usable(stream);
    ReduceFunction function = kernels.function(reduction);
    int width = reduction.type().size();
    MemorySegment from = device.reach(src, size(count, width, ranks()));
    MemorySegment to = device.reach(dst, size(count, width, 1));
    put(
        own,
        count,
        reduction(
            function,
            width,
            count,
            true,
            to,
            (slot, peer, at, n) -> function.copy(from, (peer * count + at) * width, slot, 0, n),
            from));
  }

  @Override
  public void reduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count, int root) {
    CpuStream own = usable(stream);
    requireRank("root", root);
    ReduceFunction function = kernels.function(reduction);
    int width = reduction.type().size();
    long size = size(count, width, 1);
    boolean receives = root == rank();
    MemorySegment from = device.reach(src, size);
    MemorySegment to = device.reach(dst, receives ? size : 0);
    put(
        own,
        count,
        reduction(
            function,
            width,
            count,
            receives,
            to,
            (slot, peer, at, n) -> {
              if (peer == root) {
                function.copy(from, at * width, slot, 0, n);
              }
            },
            from));
  }

  @Override
  public void allGather(DeviceStream stream, long src, long dst, long size) {
    CpuStream own = usable(stream);
    long all = size(size, 1, ranks());
    MemorySegment from = device.reach(src, size);
    MemorySegment to = device.reach(dst, all);
    CpuWindow window = window(dst, all);
    if (window != null) {
      MemorySegment[] results = all(window, dst, all);
      long place = rank() * size;
      boolean inPlace = src == dst + place;
      put(
          own,
          size,
          DirectWork.of(
              links,
              ElementWork.of(
                  size,
                  1,
                  (at, n) -> {
                    for (int r = 0; r < results.length; r++) {
                      if (r != rank() || !inPlace) {
                        MemorySegment.copy(from, at, results[r], place + at, n);
                      }
                    }
                  })));
    } else {
      put(
          own,
          size,
          exchange(
              size,
              (slot, peer, at, n) -> MemorySegment.copy(from, at, slot, 0, n),
              (piece, r, at, n) -> MemorySegment.copy(piece, 0, to, r * size + at, n)));
    }
  }

  @Override
  public void broadcast(DeviceStream stream, long src, long dst, long size, int root) {
    CpuStream own = usable(stream);
    requireRank("root", root);
    size(size, 1, 1);
    MemorySegment from = device.reach(src, rank() == root ? size : 0);
    MemorySegment to = device.reach(dst, size);
    put(
        own,
        size,
        exchange(
            size,
            (slot, peer, at, n) -> {
              if (rank() == root) {
                MemorySegment.copy(from, at, slot, 0, n);
              }
            },
            (piece, r, at, n) -> {
              if (r == root) {
                MemorySegment.copy(piece, 0, to, at, n);
              }
            }));
  }

  @Override
  public void allToAll(DeviceStream stream, long src, long dst, long size) {
    CpuStream own = usable(stream);
    long all = size(size, 1, ranks());
    MemorySegment from = device.reach(src, all);
    MemorySegment to = device.reach(dst, all);
    put(
        own,
        size,
        exchange(
            size,
            (slot, peer, at, n) -> MemorySegment.copy(from, peer * size + at, slot, 0, n),
            (piece, r, at, n) -> MemorySegment.copy(piece, 0, to, r * size + at, n)));
  }

  /** Returns a collective that moves bytes through slots. */
  private StreamOperation exchange(long size, Contribution send, Contribution receive) {
    ExchangeWork.Shape shape =
        new ExchangeWork.Shape() {
          @Override
          public void send(MemorySegment slot, int peer, long from, long count) {
            send.write(slot, peer, from, count);
          }

          @Override
          public void finish(MemorySegment[] pieces, long from, long count) {
            for (int r = 0; r < pieces.length; r++) {
              receive.write(pieces[r], r, from, count);
            }
          }
        };
    return ExchangeWork.of(links, shape, size, 1);
  }

  @Override
  public void transfer(DeviceStream stream, List<TeamTransfer> transfers) {
    CpuStream own = usable(stream);
    if (CpuFailures.notNull(transfers, "transfers").size() > MAX_TRANSFERS) {
      throw CpuFailures.invalid("%d transfers at once", transfers.size());
    }
    Map<Integer, List<MemorySegment>> sends = new HashMap<>();
    Map<Integer, List<MemorySegment>> receives = new HashMap<>();
    for (TeamTransfer transfer : transfers) {
      requireRank("peer", CpuFailures.notNull(transfer, "transfer").peer());
      Map<Integer, List<MemorySegment>> side =
          transfer.direction() == TeamTransfer.Direction.SEND ? sends : receives;
      side.computeIfAbsent(transfer.peer(), any -> new ArrayList<>())
          .add(device.reach(transfer.address(), transfer.size()));
    }
    requireSelfMatched(
        sends.getOrDefault(rank(), List.of()), receives.getOrDefault(rank(), List.of()));
    own.put(TransferWork.of(links, sends, receives));
  }

  private void requireSelfMatched(List<MemorySegment> sends, List<MemorySegment> receives) {
    boolean matched = sends.size() == receives.size();
    for (int i = 0; matched && i < sends.size(); i++) {
      matched = sends.get(i).byteSize() == receives.get(i).byteSize();
    }
    if (!matched) {
      throw CpuFailures.invalid("sends of rank %d to itself differ from its receives", rank());
    }
  }

  @Override
  public void abort(String reason) {
    links.abort(reason);
  }

  @Override
  public @Nullable DeviceException failure() {
    return links.aborted();
  }

  private CpuStream usable(DeviceStream stream) {
    requireUsable();
    return device.stream(stream);
  }

  /** Puts an operation in, unless there is nothing to do, on any rank. */
  private static void put(CpuStream stream, long count, StreamOperation operation) {
    if (count > 0) {
      stream.put(operation);
    }
  }

  private void requireUsable() {
    if (closed.get()) {
      throw CpuFailures.state("the team is closed");
    }
    DeviceException aborted = links.aborted();
    if (aborted != null) {
      throw CpuFailures.again(aborted);
    }
  }

  private void requireRank(String name, int number) {
    if (number < 0 || number >= ranks()) {
      throw CpuFailures.invalid("%s %d of a team of %d", name, number, ranks());
    }
  }

  private static long size(long count, int width, int parts) {
    if (count < 0 || count > Long.MAX_VALUE / width / parts) {
      throw CpuFailures.invalid("%d elements for each of %d", count, parts);
    }
    return count * width * parts;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      windows.forEach(CpuWindow::release);
      windows.clear();
      peers.close();
      slots.close();
      arena.close();
    }
  }
}
