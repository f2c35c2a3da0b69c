// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A team of ranks whose devices do not all reach each other's memory, because they are on several
 * hosts or the user has forbidden it: teams that do, joined over the network. The package's page
 * shows the way of a chunk.
 *
 * <p>Everything is as {@link DeviceTeam} has it, but for this:
 *
 * <ul>
 *   <li>A call waits while the driver's queue of its stream is full: CUDA's takes about 1,000
 *       pieces of work, and a chunk of {@value BridgeMemory#SLOT_BYTES} bytes for each rank of a
 *       team is 4 to 6 of them, one more for each rank in reduce-scatter and all-gather. One thread
 *       that calls for several ranks keeps below that: about 128 MiB for each rank before it calls
 *       for the next. Above it the operation fails after {@code NITINOL_TIMEOUT}, since the other
 *       ranks do not come, and the call returns by that; with a limit of 0 it never does. Many
 *       small operations wait for nothing else.
 *   <li>Sends, receives and all-to-all between teams take pinned memory of one to four times the
 *       size of the largest operation, which is kept until {@link #close}. Between two ranks that
 *       exchange slots directly they keep their order with the collectives: who calls them in
 *       another order than the peer hears what the peer has called.
 *   <li>A stream that is capturing is refused: a graph would repeat numbers that do not come again.
 *   <li>A window is one of the rank's own team.
 *   <li>An abort spreads: the other ranks fail too.
 *   <li>An operation whose data do not come fails the ranks after {@code NITINOL_TIMEOUT}, once one
 *       rank has given its part to the network.
 * </ul>
 */
public final class BridgedTeam implements DeviceTeam {
  /** How long the bridge thread gets to end; it is not longer in one call of the network. */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final TeamPlaces places;
  private final Device device;
  private final DeviceTeam local;
  private final BridgeMemory memory;
  private final StageRelease release;
  private final HostSide host;
  private final @Nullable RailExchange exchange;
  private final BridgeFailure failure;
  private final BridgeThread thread;
  private final BridgeParts parts;
  private final ShareReduction shareReduction;
  private final ShareBroadcast shareBroadcast;
  private final BlockReduction blockReduction;
  private final BlockGather blockGather;
  private final RemoteTransfers transfers;
  private final AtomicBoolean closed = new AtomicBoolean();

  BridgedTeam(
      String label,
      TeamPlaces places,
      Grid grid,
      Device device,
      DeviceTeam local,
      BridgeMemory memory,
      StageRelease release,
      HostSide host,
      @Nullable RailExchange exchange) {
    this.places = places;
    this.device = device;
    this.local = local;
    this.memory = memory;
    this.release = release;
    this.host = host;
    this.exchange = exchange;
    this.failure = new BridgeFailure(local, memory.flags());
    OperationQueue queue = new OperationQueue();
    this.thread =
        new BridgeThread(
            label, queue, memory, host, exchange == null ? null : exchange.rails(), failure);
    Crossing crossing = new Crossing(queue, memory.flags(), thread, failure);
    this.parts = new BridgeParts(grid, local, device.kernels(), memory, crossing, exchange);
    this.shareReduction = new ShareReduction(parts, places.rank());
    this.shareBroadcast = new ShareBroadcast(parts);
    this.blockReduction = new BlockReduction(parts);
    this.blockGather = new BlockGather(parts);
    this.transfers = new RemoteTransfers(parts, places);
  }

  /**
   * Joins the teams of a communicator. Every rank calls this, and they wait for each other.
   *
   * @param parent connects all ranks; used for nothing but this joining, and to hear of its
   *     failure; closed after the team
   * @param label what the thread is named after
   * @param logger where it says to which processors the thread is bound
   * @param device this rank's device
   * @param local this rank's end of its own team, of one rank perhaps; from then on closed by the
   *     new team, unless this throws
   * @param places which rank is in which team
   * @return this rank's end
   * @throws DeviceException where a rank lacks something: there UNSUPPORTED where its device has no
   *     {@link DeviceFeature#STREAM_VALUES}, or what allocating memory throws; on all other ranks
   *     UNSUPPORTED with its words
   * @throws CommException where a rank fails; nothing is left then
   */
  public static BridgedTeam join(
      AssembledComm parent,
      String label,
      DebugLogger logger,
      Device device,
      DeviceTeam local,
      TeamPlaces places) {
    return new BridgeJoin(parent, label, logger, device, local, places).join();
  }

  /** Begins to serve the streams. */
  void start() {
    thread.start();
  }

  /** Ends a team of which nothing was called, and leaves what it was made of. */
  void discard() {
    thread.end(END_NANOS);
    failure.forgetFlags();
  }

  /**
   * Returns one line for reports, for example {@code 2 teams of 1, 4 slots of 1 MiB, exchanged
   * directly over 2 connections}.
   */
  public String description() {
    return ErrorText.of(
        "%s, %d slots of %s%s",
        places.inWords(),
        Crossing.DEPTH,
        SizeText.of(BridgeMemory.SLOT_BYTES),
        exchange == null ? "" : exchange.rails().description());
  }

  /**
   * Returns how many chunks the network has done for this rank so far, those of all operations
   * together. The number only grows, and stays once the team is closed; a batch of sends and
   * receives is one chunk, however large. Any thread may ask, and may take a change for a sign that
   * the ranks live.
   */
  public long moves() {
    return thread.moves();
  }

  @Override
  public int rank() {
    return places.rank();
  }

  @Override
  public int ranks() {
    return places.size();
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public int blocks() {
    return local.blocks();
  }

  @Override
  public boolean supports(Collective collective, @Nullable DeviceReduction reduction) {
    boolean gathers = isAlone() || local.supports(Collective.ALL_GATHER, null);
    return switch (collective) {
      case ALL_REDUCE, REDUCE -> reduction != null && gathers && reduces(reduction);
      case REDUCE_SCATTER -> reduction != null && reduces(reduction);
      case ALL_GATHER -> gathers;
      case BROADCAST -> gathers && (isAlone() || local.supports(Collective.BROADCAST, null));
      case ALL_TO_ALL, SEND, RECV, SEND_RECV, GATHER, SCATTER ->
          local.supports(Collective.SEND_RECV, null);
    };
  }

  /** Returns whether each rank takes its own data to the network. */
  private boolean isAlone() {
    return parts.grid().columns() == 1;
  }

  /** Returns whether team and device do their parts; the host has all types and operators. */
  private boolean reduces(DeviceReduction reduction) {
    boolean here =
        isAlone()
            ? !ReductionParts.multiplies(reduction) || parts.kernels().supports(reduction)
            : local.supports(Collective.REDUCE_SCATTER, ReductionParts.inTeam(reduction));
    return here && (!ReductionParts.divides(reduction) || parts.kernels().supports(reduction));
  }

  @Override
  public TeamWindow openWindow(long address, long size) {
    requireUsable();
    return local.openWindow(address, size);
  }

  @Override
  public void allReduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    if (begin(stream, Collective.ALL_REDUCE, reduction, count, reduction.type().size(), 1)) {
      shareReduction.run(stream, reduction, src, dst, count, ShareReduction.NO_ROOT);
    }
  }

  @Override
  public void reduceScatter(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
    int width = reduction.type().size();
    if (begin(stream, Collective.REDUCE_SCATTER, reduction, count, width, ranks())) {
      blockReduction.run(stream, reduction, src, dst, count);
    }
  }

  @Override
  public void reduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count, int root) {
    requireRank(Collective.REDUCE, root);
    if (begin(stream, Collective.REDUCE, reduction, count, reduction.type().size(), 1)) {
      shareReduction.run(stream, reduction, src, dst, count, root);
    }
  }

  @Override
  public void allGather(DeviceStream stream, long src, long dst, long size) {
    if (begin(stream, Collective.ALL_GATHER, null, size, 1, ranks())) {
      blockGather.run(stream, src, dst, size);
    }
  }

  @Override
  public void broadcast(DeviceStream stream, long src, long dst, long size, int root) {
    requireRank(Collective.BROADCAST, root);
    if (begin(stream, Collective.BROADCAST, null, size, 1, 1)) {
      shareBroadcast.run(stream, src, dst, size, root);
    }
  }

  @Override
  public void allToAll(DeviceStream stream, long src, long dst, long size) {
    if (begin(stream, Collective.ALL_TO_ALL, null, size, 1, ranks())) {
      transfers.allToAll(stream, src, dst, size);
    }
  }

  @Override
  public void transfer(DeviceStream stream, List<TeamTransfer> list) {
    if (list.size() > MAX_TRANSFERS) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "transfer: %d transfers at once; expected at most %d", list.size(), MAX_TRANSFERS));
    }
    if (begin(stream, Collective.SEND_RECV, null, list.size(), 1, 1)) {
      transfers.run(stream, list);
    }
  }

  /** Checks a call; returns whether there is something to do. */
  private boolean begin(
      DeviceStream stream,
      Collective collective,
      @Nullable DeviceReduction reduction,
      long count,
      int width,
      int parts) {
    requireUsable();
    String call = collective.label();
    if (!stream.device().equals(device)) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: a stream of %s, device %d; expected one of this rank's device %d",
              call, stream.device().name(), stream.device().index(), device.index()));
    }
    if (count < 0 || count > Long.MAX_VALUE / width / parts) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: a count of %d; expected 0 or more, and less than 2^63 bytes in all",
              call, count));
    }
    if (!supports(collective, reduction)) {
      throw new DeviceException(
          DeviceFailure.UNSUPPORTED,
          ErrorText.of("%s: the devices of these ranks cannot do it with %s", call, reduction));
    }
    if (stream.isCapturing()) {
      throw new DeviceException(
          DeviceFailure.INVALID_STATE,
          ErrorText.of(
              "%s: a collective among ranks that do not reach each other's memory cannot be"
                  + " captured, since a graph would repeat numbers that do not come again; these"
                  + " are %s, and rank %d is in team %d of %s; call it outside of the capture",
              call, places.inWords(), rank(), places.team(), places.teams()));
    }
    return count > 0;
  }

  private void requireRank(Collective collective, int root) {
    if (root < 0 || root >= ranks()) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: root is %d; expected a rank from 0 to %d",
              collective.label(), root, ranks() - 1));
    }
  }

  private void requireUsable() {
    if (closed.get()) {
      throw new DeviceException(
          DeviceFailure.INVALID_STATE, ErrorText.of("the team of rank %d is closed", rank()));
    }
    failure.check();
  }

  @Override
  public void abort(String reason) {
    failure.fail(
        new DeviceException(
            DeviceFailure.TEAM_ABORTED,
            ErrorText.of("rank %d has aborted the team: %s", rank(), reason)));
    thread.wake(); // spreads the word
  }

  /**
   * As {@link DeviceTeam#failure}. Also looks at the communicators and the rank's own team, which
   * may have failed while nothing was under way.
   */
  @Override
  public @Nullable DeviceException failure() {
    DeviceException known = failure.get();
    if (known != null || closed.get()) {
      return known;
    }
    Throwable cause = host.failure();
    if (cause == null) {
      cause = local.failure();
    }
    if (cause != null) {
      failure.fail(cause, "the network");
      thread.wake();
    }
    return failure.get();
  }

  /** Leaves the network; the bridge thread has ended, or does not call it. */
  private void leave() {
    try {
      if (exchange != null) {
        exchange.rails().close();
      }
    } finally {
      host.close();
    }
  }

  /**
   * Frees everything, as {@link DeviceTeam#close}; the rank's own team and the host communicators,
   * too. The stage, which the other ranks of the team have open, is freed when all of them have
   * closed theirs: ranks of this process do not wait for that, but the last of them waits for those
   * of other processes, as long as the bootstrap does. What the network may still write to stays
   * for the life of the process, and a stage that another process may have open after a failure.
   *
   * @throws CommException where a thread is stuck in the network
   * @throws DeviceException DRIVER_ERROR where memory stays, when all else is freed
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    boolean ended = thread.end(END_NANOS);
    boolean sound = ended && failure.get() == null && host.failure() == null;
    boolean left = false;
    boolean released = true;
    try {
      if (ended || exchange == null) {
        leave();
        left = true;
      } else { // the thread may be inside the network, which is not to be closed under it
        host.fail(ErrorText.of("the bridge thread of rank %d is stuck", rank()));
      }
    } finally {
      failure.forgetFlags();
      try {
        local.close();
        released = release.closed(sound);
      } finally {
        if (ended && left) {
          memory.closePinned();
        }
      }
    }
    if (!ended) {
      throw new DeviceException(
          DeviceFailure.DRIVER_ERROR,
          ErrorText.of(
              "rank %d could not stop the threads of its bridge within %d s; the memory that it uses is"
                  + " never freed",
              rank(), TimeUnit.NANOSECONDS.toSeconds(END_NANOS)));
    }
    if (!released) {
      throw new DeviceException(
          DeviceFailure.DRIVER_ERROR,
          ErrorText.of(
              "rank %d does not know of all other processes that they have closed the team, so %s"
                  + " of device memory for each rank here are never freed",
              rank(), SizeText.of(BridgeMemory.stageBytes(parts.grid().columns()))));
    }
  }
}
