// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.topology.near.NearThreads;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How one rank joins a bridged team, in steps. Behind each step the ranks tell each other how it
 * went, so that either all of them go on or all throw, and none waits for one that has given up.
 */
@OneThread
final class BridgeJoin {
  /** How much of another rank's words goes into a message. */
  private static final int MOST_WORDS = 300;

  private static final byte[] YES = {1};
  private static final byte[] NO = {0};

  private final AssembledComm parent;
  private final String label;
  private final DebugLogger logger;
  private final Device device;
  private final DeviceTeam local;
  private final TeamPlaces places;
  private final Grid grid;
  private @Nullable BridgeMemory memory;
  private @Nullable HostSide host;
  private byte[] offered = new byte[0];
  private @Nullable RailExchange exchange;
  private @Nullable StageRelease release;
  private @Nullable TeamWindow window;
  private @Nullable BridgedTeam team;

  BridgeJoin(
      AssembledComm parent,
      String label,
      DebugLogger logger,
      Device device,
      DeviceTeam local,
      TeamPlaces places) {
    this.parent = parent;
    this.label = label;
    this.logger = logger;
    this.device = device;
    this.local = local;
    this.places = places;
    this.grid = new Grid(places);
  }

  /** Joins, as {@link BridgedTeam#join} has it. */
  BridgedTeam join() {
    boolean complete = false;
    try {
      together(this::prepare);
      together(() -> host = HostSide.split(parent, grid));
      joinRail(Objects.requireNonNull(host, "host"), Objects.requireNonNull(memory, "memory"));
      release = release(Objects.requireNonNull(memory, "memory"));
      together(this::begin);
      complete = true;
      return Objects.requireNonNull(team, "team");
    } finally {
      if (!complete) {
        undo();
      }
    }
  }

  private void prepare() {
    requirePlaces();
    requireValues();
    memory = new BridgeMemory(device, grid.columns());
  }

  private int processorsPerRank() {
    long here = parent.peers().get(parent.rank()).host();
    long ranks = parent.peers().stream().filter(peer -> peer.host() == here).count();
    return (int) (Runtime.getRuntime().availableProcessors() / ranks);
  }

  /** Connects the two ranks of a rail directly, where both can do with it. */
  private void joinRail(HostSide host, BridgeMemory memory) {
    if (grid.rows() == 2) {
      together(() -> offered = RailExchange.offer(device.kernels(), host, processorsPerRank()));
      byte[] mine = offered;
      byte[][] all = exchange(mine);
      int other = grid.rankAt(grid.column() * 2 + 1 - grid.row());
      byte[] theirs = all[other];
      together(() -> exchange = RailExchange.connect(host, memory, mine, theirs));
      agree(other);
    }
  }

  /** Keeps the direct way only where the other rank of the rail has it too. */
  private void agree(int other) {
    RailExchange here = exchange;
    byte[] answer = exchange(here == null ? NO : YES)[other];
    together(() -> {
      if (here != null && !Arrays.equals(answer, YES)) {
        exchange = null;
        here.rails().close();
      }
    });
  }

  /** Does what may fail in one team alone. */
  private void begin() {
    BridgeMemory here = Objects.requireNonNull(memory, "memory");
    if (grid.columns() > 1) {
      window = local.openWindow(here.narrow(), BridgeMemory.stageBytes(grid.columns()));
    }
    BridgedTeam made =
        new BridgedTeam(
            label,
            places,
            grid,
            device,
            local,
            here,
            Objects.requireNonNull(release, "release"),
            Objects.requireNonNull(host, "host"),
            exchange);
    team = made; // before a thread of it can be there
    NearThreads.start(device.pciId(), parent.settings(), logger, made::start);
  }

  /** Does a step, and returns when all ranks have; throws where it has failed for one of them. */
  private void together(Runnable step) {
    try {
      step.run();
    } catch (NetException | CommException | OutOfMemoryError e) {
      tell(e);
      throw e;
    }
    tell(null);
  }

  /** Tells the others; throws for the first of them that has failed, if this rank has not. */
  private void tell(@Nullable Throwable problem) {
    String own = problem == null ? "" : printable(words(problem));
    byte[][] all;
    try {
      all = exchange(own.getBytes(StandardCharsets.US_ASCII));
    } catch (CommException e) {
      if (problem != null) {
        problem.addSuppressed(e);
        return;
      }
      throw e;
    }
    for (int r = 0; r < all.length; r++) {
      if (all[r].length > 0 && problem == null) {
        throw new DeviceException(
            DeviceFailure.UNSUPPORTED,
            ErrorText.of(
                "rank %d cannot join the teams of devices: %s",
                r, printable(new String(all[r], StandardCharsets.US_ASCII))));
      }
    }
  }

  /** Exchanges as the splits do, so that no call of the application gets between. */
  private byte[][] exchange(byte[] mine) {
    try {
      int[] everybody = IntStream.range(0, parent.size()).toArray();
      return parent.bootstrap().allGather(everybody, Tags.SPLIT, mine);
    } catch (BootstrapException e) {
      throw new CommException(
          e.result(), e.failedRank(), "joining teams of devices: " + e.getMessage(), e);
    }
  }

  /** Returns what frees the stage; all ranks call this. */
  private StageRelease release(BridgeMemory memory) {
    byte[] drawn = new byte[Long.BYTES];
    new SecureRandom().nextBytes(drawn);
    byte[][] all = exchange(drawn);
    long number = 0; // that of the row's first rank
    List<Integer> others = new ArrayList<>();
    int here = 0;
    long process = parent.peers().get(parent.rank()).pid();
    for (int r = parent.size() - 1; r >= 0; r--) {
      if (grid.rowOf(r) == grid.row() && all[r].length == Long.BYTES) {
        number = ByteBuffer.wrap(all[r]).getLong();
        if (parent.peers().get(r).pid() == process) {
          here++;
        } else {
          others.add(r);
        }
      }
    }
    return new StageRelease(parent.bootstrap(), number, here, others, memory::closeStages);
  }

  /** Returns the message; an empty one would look as if there were no problem. */
  private static String words(Throwable problem) {
    String message = problem.getMessage();
    return message == null || message.isEmpty() ? problem.getClass().getSimpleName() : message;
  }

  /** Returns what of a text goes into a message: printable ASCII, and not too much of it. */
  static String printable(String text) {
    return PeerText.printable(text, MOST_WORDS) + (text.length() > MOST_WORDS ? "..." : "");
  }

  /** Leaves nothing, but for memory that other ranks may still have open. */
  private void undo() {
    boolean taken = false; // the memory, back from the network
    try {
      if (team != null) {
        team.discard();
      }
      try {
        if (exchange != null) {
          exchange.rails().close();
        }
        taken = true;
      } finally {
        if (host != null) {
          host.close();
        }
      }
    } finally {
      if (taken && isWindowClosed() && memory != null) {
        memory.close();
      }
    }
  }

  private boolean isWindowClosed() {
    if (window == null) {
      return true;
    }
    try {
      window.close(); // all ranks of the team have it, and do this
      return true;
    } catch (NetException e) {
      return false; // what it failed for is less than what the caller is about to hear
    }
  }

  private void requirePlaces() {
    if (parent.size() != places.size()
        || parent.rank() != places.rank()
        || local.ranks() != places.teamSize(places.team())
        || local.rank() != places.index()) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "rank %d of %d, rank %d of %d in its team; the places say rank %d of %d, %d of %d",
              parent.rank(),
              parent.size(),
              local.rank(),
              local.ranks(),
              places.rank(),
              places.size(),
              places.index(),
              places.teamSize(places.team())));
    }
  }

  private void requireValues() {
    if (!device.supports(DeviceFeature.STREAM_VALUES)) {
      throw new DeviceException(
          DeviceFailure.UNSUPPORTED,
          ErrorText.of(
              "%s cannot wait for numbers in its streams (STREAM_VALUES), as the %s need that do"
                  + " not reach each other's memory; use devices that reach each other, or a newer"
                  + " driver",
              device.name(), places.inWords()));
    }
  }
}
