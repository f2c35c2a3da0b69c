// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.device.bridge.BridgedTeam;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.setup.CommResources;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.SingleClose;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One rank's end on device memory: what {@code io.nitinol.core.DeviceCommunicator} is the front of,
 * which documents the methods of the same names.
 */
@AnyThread
public final class DeviceRank {
  /** How long work under way gets to end, and how long an abort may take to free the streams. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AssembledComm comm;
  private final DebugLogger logger;
  private final DeviceProvider provider;
  private final Device device;
  private final TeamJoin.Joined joined;
  private final DeviceTeam team;
  private final DeviceFailures failures;
  private final StreamMarks marks;
  private final DeviceLauncher launcher;
  private final DeviceArguments arguments;
  private final DeviceCalls calls;
  private final DeviceTransfers transfers;
  private final StreamWait wait;
  private final SingleClose single = new SingleClose();

  private DeviceRank(
      AssembledComm comm,
      Settings settings,
      DebugLogger logger,
      DeviceProvider provider,
      Device device,
      TeamJoin.Joined joined) {
    this.comm = comm;
    this.logger = logger;
    this.provider = provider;
    this.device = device;
    this.joined = joined;
    this.team = joined.team();
    this.failures = new DeviceFailures(comm.engine().failures(), team);
    this.marks = new StreamMarks(device);
    this.launcher = new DeviceLauncher(comm.calls(), team, failures, marks);
    this.arguments =
        new DeviceArguments(provider, device, settings.get(CoreVariables.CHECK_POINTERS));
    this.calls = new DeviceCalls(launcher, arguments);
    this.transfers = new DeviceTransfers(launcher, arguments);
    this.wait =
        new StreamWait(
            launcher,
            failures,
            marks,
            TimeUnit.SECONDS.toNanos(settings.get(CoreVariables.TIMEOUT)),
            team instanceof BridgedTeam bridged ? bridged::moves : () -> 0,
            System::nanoTime);
  }

  /** Puts a device's memory under a communicator; every rank of it calls this. */
  public static DeviceRank join(
      AssembledComm comm,
      Settings settings,
      DebugLogger logger,
      DeviceProvider provider,
      Device device) {
    comm.calls().checkOpen("join");
    TeamJoin.Joined joined = new TeamJoin(comm, settings, logger, provider, device).join();
    DeviceRank made;
    try {
      made = new DeviceRank(comm, settings, logger, provider, device, joined);
    } catch (RuntimeException | Error e) {
      // The other ranks have joined: they hear of it, or wait for launches that never come.
      comm.engine().failures().failHere(e, "making the events of its device");
      throw e;
    }
    made.wait.watch();
    made.failures.watch();
    logger.info(
        LogSubsystem.INIT,
        "DeviceCommunicator",
        ErrorText.of("rank %d: %s", comm.rank(), made.description()));
    return made;
  }

  /** Returns one line about how the ranks reach each other. */
  public String description() {
    int processes = (int) comm.peers().stream().mapToLong(PeerInfo::pid).distinct().count();
    TeamPartition partition = joined.partition();
    return ErrorText.of(
        "%d ranks in %d process(es), %s, device %d (%s) of %s, up to %d blocks",
        comm.size(),
        processes,
        partition.teams() == 1
            ? "one team of devices"
            : partition.teams() + " teams of devices, with host memory between them",
        device.index(),
        device.name(),
        provider.name(),
        team.blocks());
  }

  /** Returns the calls that are collectives. */
  public DeviceCalls calls() {
    return calls;
  }

  /** Returns the calls that are made of sends and receives. */
  public DeviceTransfers transfers() {
    return transfers;
  }

  /** Opens a window; all ranks call it and wait for each other. */
  public TeamWindow register(MemoryPiece piece) {
    launcher.checkOpen("register");
    failures.check();
    if (piece.size() < 1) {
      throw BufferCheck.invalid(
          "register", "buffer", ErrorText.of("%d bytes", piece.size()), "at least 1 byte");
    }
    if (!piece.device().equals(device)) {
      throw BufferCheck.invalid(
          "register",
          "buffer",
          ErrorText.of("memory of device %d", piece.device().index()),
          ErrorText.of("memory of device %d, this rank's", device.index()));
    }
    try {
      return team.openWindow(piece.address(), piece.size());
    } catch (DeviceException e) {
      // On all ranks, and the team goes on working: an IPC_REFUSED is no failure of it.
      throw switch (e.failure()) {
        case INVALID_ARGUMENT, INVALID_STATE, UNSUPPORTED, IPC_REFUSED ->
            new CommException(e.result(), -1, "register: " + e.getMessage(), e);
        case OUT_OF_MEMORY, DEVICE_LOST, TEAM_ABORTED, DRIVER_ERROR -> failures.of("register", e);
      };
    } catch (NetException e) {
      throw failures.of("register", e);
    }
  }

  /** Closes a window; all ranks call it and wait for each other, unless there is a failure. */
  public void close(TeamWindow window) {
    if (single.isBegun()) {
      return; // it went with the team, or will
    }
    try {
      window.close();
    } catch (NetException e) {
      if (failures.isStopped()) {
        return; // it waits for nobody, and goes with the team
      }
      throw failures.of("window", e);
    }
  }

  /**
   * Waits for a stream.
   *
   * @param nanos how long at most; negative for as long as the communicator lives
   */
  public boolean await(@Nullable DeviceStream stream, long nanos) {
    launcher.checkOpen("await");
    arguments.stream("await", stream);
    return stream != null && wait.await(stream, nanos);
  }

  /** Throws the failure, if there is one. */
  public void check() {
    failures.check();
  }

  /** Frees what it holds, or leaves that to the last rank of this process. */
  public void close() {
    CommResources.passOn(single.close(this::closeNow, true), comm.rank());
  }

  private void closeNow() {
    launcher.end();
    boolean free = drain(DRAIN_NANOS);
    if (!free && !failures.isStopped()) {
      comm.engine()
          .failures()
          .fail(
              new CommException(
                  ResultCode.INVALID_USAGE,
                  comm.rank(),
                  ErrorText.of(
                      "rank %d closed its device communicator while work was under way, which did"
                          + " not end within %d s",
                      comm.rank(), TimeUnit.NANOSECONDS.toSeconds(DRAIN_NANOS)),
                  null));
    }
    free = free || drain(DRAIN_NANOS); // by now it is aborted
    wait.unwatch();
    List<Integer> others = teamInOtherProcesses();
    DoneWords words = new DoneWords(DoneWords.Post.of(comm.bootstrap()), joined.number());
    BootstrapException late = words.tell(others);
    boolean usable = free;
    List<Runnable> ends =
        LocalMembers.close(
            joined.number() + joined.partition().teamOf(comm.rank()),
            membersHere(),
            () -> free(usable));
    if (!ends.isEmpty()) {
      BootstrapException missed = words.await(others, failures::isStopped);
      late = late == null ? missed : late;
      ends.forEach(Runnable::run);
    }
    if (late != null && !failures.isStopped()) {
      throw new CommException(
          late.result(), late.failedRank(), "close: " + late.getMessage(), late);
    }
  }

  /** Waits for the streams that have work of this communicator; returns whether all are done. */
  private boolean drain(long nanos) {
    long begin = System.nanoTime();
    boolean interrupted = false;
    try {
      for (DeviceStream stream : launcher.busyStreams()) {
        long launches = launcher.launches();
        while (!isDone(stream)) {
          interrupted |= Thread.interrupted();
          if (System.nanoTime() - begin > nanos) {
            return false;
          }
        }
        launcher.awaited(stream, launches);
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean isDone(DeviceStream stream) {
    try {
      return stream.synchronize(TimeUnit.MILLISECONDS.toNanos(1));
    } catch (DeviceException e) {
      return true; // closed by the application, or capturing, or its device is gone
    }
  }

  /** Returns the ranks whose devices read this one's memory, and which do not live here. */
  private List<Integer> teamInOtherProcesses() {
    TeamPartition partition = joined.partition();
    long here = comm.peers().get(comm.rank()).pid();
    return partition.members().get(partition.teamOf(comm.rank())).stream()
        .filter(member -> comm.peers().get(member).pid() != here)
        .toList();
  }

  private int membersHere() {
    TeamPartition partition = joined.partition();
    return partition.members().get(partition.teamOf(comm.rank())).size()
        - teamInOtherProcesses().size();
  }

  /**
   * Frees the memory.
   *
   * @param usable whether the streams have come free; else the memory stays
   */
  private void free(boolean usable) {
    failures.unwatch();
    if (!usable) {
      logger.warn(
          "DeviceCommunicator",
          ErrorText.of(
              "rank %d: work of %s does not end after an abort, so its memory is never freed",
              comm.rank(), device.name()));
      return;
    }
    try {
      marks.close();
      try {
        team.close();
      } finally {
        AssembledComm below = joined.below();
        if (below != null) {
          below.close();
        }
      }
    } catch (NetException | CommException e) {
      logger.warn(
          "DeviceCommunicator",
          ErrorText.of("rank %d cannot close its team: %s", comm.rank(), e.getMessage()));
    }
  }
}
