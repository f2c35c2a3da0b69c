// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.core.call.Calls;
import io.nitinol.core.device.bridge.BridgedTeam;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.spi.Collective;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Puts operations whose arguments are right into their streams. */
@OneThread
final class DeviceLauncher {
  private final Calls calls;
  private final DeviceTeam team;
  private final DeviceFailures failures;
  private final StreamMarks marks;
  private final LaunchRecord record = new LaunchRecord();

  private final BusyStreams busy = new BusyStreams();

  /**
   * Twice how many launches there were, and one more while one is under way, whose work may not be
   * in its stream yet: one thread counts, and threads that wait compare.
   */
  private final AtomicLong launches = new AtomicLong();

  private volatile boolean closed;

  DeviceLauncher(Calls calls, DeviceTeam team, DeviceFailures failures, StreamMarks marks) {
    this.calls = calls;
    this.team = team;
    this.failures = failures;
    this.marks = marks;
  }

  /** Returns the calls of the communicator below. */
  Calls calls() {
    return calls;
  }

  /** Returns this rank. */
  int rank() {
    return team.rank();
  }

  /** Returns how many ranks there are. */
  int size() {
    return team.ranks();
  }

  /** Returns what was launched last. */
  LaunchRecord lastLaunch() {
    return record;
  }

  /** Refuses all calls from now on. */
  void end() {
    closed = true;
  }

  /** Throws INVALID_USAGE where this communicator or the one below is closed. */
  void checkOpen(String call) {
    if (closed) {
      throw new CommException(
          ResultCode.INVALID_USAGE, call + ": the device communicator is closed");
    }
    calls.checkOpen(call);
  }

  /** Throws where nothing can be launched any more. */
  void check() {
    checkOpen("group");
    failures.check();
  }

  /**
   * Checks what a launch would refuse that the arguments do not show.
   *
   * @throws CommException where the stream is closed or captures what cannot be captured, or the
   *     team does not run the operation; nothing has failed then
   */
  void checkLaunch(
      Collective collective, DeviceStream stream, @Nullable DeviceReduction reduction) {
    boolean capturing;
    boolean supported;
    try {
      capturing = stream.isCapturing(); // throws where it is closed
      supported = team.supports(collective, reduction);
    } catch (DeviceException e) {
      throw failures.of("group", e);
    }
    if (!supported) {
      throw new CommException(
          DeviceFailure.UNSUPPORTED.result(),
          ErrorText.of(
              "group: the devices cannot do %s%s, as rank %d asks for",
              collective.label(), reduction == null ? "" : " with " + reduction, rank()));
    }
    if (capturing && team instanceof BridgedTeam) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "group: %s of rank %d on a stream that is capturing; expected one that is not, since"
                  + " the ranks do not all reach each other's memory",
              collective.label(), rank()));
    }
  }

  /**
   * Fails the communicator for a group of which only a part was launched: streams of other ranks
   * may wait for the rest.
   */
  void brokenOff(CommException error) {
    // The words are the same for all ranks of this thread, whichever of them is heard first.
    ResultCode result =
        switch (error.result()) {
          case TIMEOUT, REMOTE_ERROR -> ResultCode.INTERNAL_ERROR; // those speak of connections
          default -> error.result();
        };
    failures
        .ofCommunicator()
        .report(new FailureReport(rank(), result, -1, String.valueOf(error.getMessage())));
  }

  /**
   * Launches a collective.
   *
   * @param reduction what is computed; null where bytes are moved
   * @param amount elements where something is computed, else bytes
   */
  void launch(
      Collective collective,
      DeviceStream stream,
      @Nullable DeviceReduction reduction,
      long src,
      long dst,
      long amount,
      int root) {
    failures.check();
    if (amount == 0) {
      return;
    }
    try {
      note(stream, bytes(collective, reduction, amount));
      switch (collective) {
        case ALL_REDUCE -> team.allReduce(stream, given(reduction), src, dst, amount);
        case REDUCE -> team.reduce(stream, given(reduction), src, dst, amount, root);
        case REDUCE_SCATTER -> team.reduceScatter(stream, given(reduction), src, dst, amount);
        case ALL_GATHER -> team.allGather(stream, src, dst, amount);
        case BROADCAST -> team.broadcast(stream, src, dst, amount, root);
        case ALL_TO_ALL -> team.allToAll(stream, src, dst, amount);
        case SEND, RECV, SEND_RECV, GATHER, SCATTER ->
            throw new IllegalArgumentException(collective + " is made of transfers");
      }
    } catch (DeviceException e) {
      throw failures.of(collective.label(), e);
    } finally {
      launches.setRelease(launches.getPlain() + 1);
    }
    record.note(collective, reduction, amount, root);
  }

  /** Launches sends and receives that belong together. */
  void launch(String call, DeviceStream stream, List<TeamTransfer> transfers) {
    failures.check();
    if (transfers.isEmpty()) {
      return;
    }
    try {
      long bytes = 0;
      for (int i = 0; i < transfers.size(); i++) {
        bytes += transfers.get(i).size();
      }
      note(stream, bytes);
      team.transfer(stream, transfers);
    } catch (DeviceException e) {
      throw failures.of(call, e);
    } finally {
      launches.setRelease(launches.getPlain() + 1);
    }
  }

  /** Returns how many bytes the largest buffer of a collective has. */
  private long bytes(Collective collective, @Nullable DeviceReduction reduction, long amount) {
    long one = reduction == null ? amount : amount * reduction.type().size();
    return switch (collective) {
      case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> one * size();
      case ALL_REDUCE, REDUCE, BROADCAST, SEND, RECV, SEND_RECV, GATHER, SCATTER -> one;
    };
  }

  private void note(DeviceStream stream, long bytes) {
    launches.lazySet(launches.getPlain() + 1);
    busy.add(stream);
    marks.launching(stream, bytes);
  }

  /** Returns a number that every launch changes, for {@link #awaited}. */
  long launches() {
    return launches.get();
  }

  /**
   * Takes note that all work of a stream is done.
   *
   * @param before {@link #launches} from before the wait; with later ones, or one that was under
   *     way, it is not known
   */
  void awaited(DeviceStream stream, long before) {
    busy.remove(stream, () -> launches.get() != before || (before & 1) != 0, marks::awaited);
  }

  /** Returns the streams that have not been waited for since they got work. */
  List<DeviceStream> busyStreams() {
    return busy.list();
  }

  private static DeviceReduction given(@Nullable DeviceReduction reduction) {
    return Objects.requireNonNull(reduction, "reduction");
  }
}
