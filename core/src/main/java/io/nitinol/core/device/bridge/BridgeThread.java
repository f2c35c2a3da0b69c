// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.Collective;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread between stream and network, {@code <label>-bridge}: submits each chunk that its stream
 * has put into a slot, in the order of their numbers, and tells the stream which are done. While
 * all it waits for is the network it drives that itself, and rests as the communicator's {@code
 * IdleStrategy} has it; while it waits for the stream it looks, yields and rests for short times;
 * while nothing is under way it sleeps.
 */
final class BridgeThread implements Runnable {
  /** How long the network may take for what streams have given to it, when the team is closed. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** More than slots, so that their number is what bounds the chunks under way. */
  private static final int UNDER_WAY = 2 * Crossing.DEPTH;

  private static final int SPINS = 200;
  private static final int YIELDS = 400;
  private static final long PARK_NANOS = 50_000;

  /** How long it drives the network while no more chunks are to come from the stream. */
  private static final long DRIVE_NANOS = 500_000;

  /** The same while some are: as long as a chunk can wait in its slot unseen. */
  private static final long SHARED_DRIVE_NANOS = 20_000;

  private final OperationQueue queue;
  private final BridgeFlags flags;
  private final BridgeMemory memory;
  private final HostSide host;
  private final @Nullable DirectRails direct;
  private final BridgeFailure failure;
  private final String name;
  private final Thread thread;
  private final Doorbell bell;
  private final BooleanSupplier nothing;

  /**
   * The engines that do the chunks under way, null for the direct rail, and the chunks' numbers
   * there; by the chunk's number on this rank.
   */
  private final @Nullable Engine[] engines = new @Nullable Engine[UNDER_WAY];

  private final long[] numbers = new long[UNDER_WAY];

  /** By chunk, its sends and receives over the rail's own connections, or null. */
  private final @Nullable RailTransfers[] transfers = new @Nullable RailTransfers[UNDER_WAY];

  /** The first chunk of the last operation that the direct rail was told to expect. */
  private long expected;

  private long submitted;
  private long done;

  /** As {@link #done}, for other threads. */
  private volatile long moves;

  /** How many chunks of the oldest operation in the queue are submitted. */
  private long chunk;

  private volatile boolean ended;

  /** When the thread ends although chunks are under way; read behind {@link #ended}. */
  private long drained;

  BridgeThread(
      String name,
      OperationQueue queue,
      BridgeMemory memory,
      HostSide host,
      @Nullable DirectRails direct,
      BridgeFailure failure) {
    this.queue = queue;
    this.flags = memory.flags();
    this.memory = memory;
    this.host = host;
    this.direct = direct;
    this.failure = failure;
    this.name = name;
    this.thread = Thread.ofPlatform().daemon().name(name + "-bridge").unstarted(this);
    this.bell = new Doorbell(thread);
    this.nothing = () -> queue.isEmpty() && !ended && failure.get() == null;
  }

  /** Starts this thread and those of the direct rail. */
  void start() {
    if (direct != null) {
      direct.start(
          name,
          host.rail().engine().idle(),
          () -> failure.get() != null,
          e -> failure.fail(e, "a thread of the rail of " + name));
    }
    thread.start();
  }

  /** Makes the thread look, after something was put into the queue or the team has failed. */
  void wake() {
    bell.ring();
  }

  /** Returns how many chunks the network is done with so far; any thread may ask. */
  long moves() {
    return moves;
  }

  /**
   * Ends the thread and those of the direct rail, once the network is done with what the streams
   * have given to it, or after {@link #DRAIN_NANOS}. Returns whether all are gone {@code nanos}
   * later at the latest.
   */
  boolean end(long nanos) {
    drained = System.nanoTime() + DRAIN_NANOS;
    long deadline = drained + nanos;
    ended = true;
    boolean own = bell.awaitEnd(deadline);
    if (direct != null) {
      direct.end();
    }
    boolean others = direct == null || direct.awaitEnd(deadline);
    return own && others;
  }

  @Override
  public void run() {
    try {
      work();
    } catch (Throwable e) {
      // The end of this thread would only be noticed by streams that wait without end.
      failure.fail(e, "the bridge thread " + thread.getName());
    }
    DeviceException known = failure.get();
    if (known != null) {
      host.fail(String.valueOf(known.getMessage()));
    }
  }

  @OnlyThread("bridge")
  private void work() {
    int idle = 0;
    while (failure.get() == null && !isOver()) {
      boolean moved = submitReady();
      // What a failure frees may write to memory that has not left.
      moved |= failure.get() == null && direct != null && direct.progress();
      moved |= tellDone();
      idle = moved ? 0 : rest(idle);
    }
    if (failure.get() == null && (done < submitted || !queue.isEmpty())) {
      throw new DeviceException(
          DeviceFailure.INVALID_STATE,
          ErrorText.of(
              "%s: the team was closed while its operations were under way, which did not end within"
                  + " %d s",
              name, TimeUnit.NANOSECONDS.toSeconds(DRAIN_NANOS)));
    }
  }

  /** Returns whether to end. Streams need not wait for what they only send. */
  private boolean isOver() {
    return ended && ((done == submitted && queue.isEmpty()) || System.nanoTime() - drained >= 0);
  }

  /** Submits the chunks that are in their slots; returns whether there was one. */
  private boolean submitReady() {
    boolean moved = false;
    while (submitted - done < UNDER_WAY) {
      HostOperation operation = queue.oldest();
      if (operation == null
          || !isReady(operation)
          || !failure.isTeamSound()) { // asked behind the flag, which a failure lets pass
        break;
      }
      long number = operation.first + chunk;
      int place = (int) (number % UNDER_WAY);
      RailTransfers own = operation.railTransfers;
      if (direct != null && operation.direct) {
        if (!direct.hasRoom()) {
          break;
        }
        numbers[place] = direct.begin(operation, chunk, number);
        engines[place] = null;
      } else if (operation.collective != Collective.SEND_RECV || operation.transfers != null) {
        numbers[place] = host.submit(operation, chunk, memory.out(number), memory.in(number));
        engines[place] = host.engine(operation);
      } else {
        engines[place] = null;
      }
      transfers[place] = own;
      if (own != null && direct != null) {
        direct.transfers().add(own);
      }
      submitted = number;
      moved = true;
      if (++chunk == operation.chunks) {
        chunk = 0;
        operation.transfers = null;
        operation.railTransfers = null;
        queue.taken();
      }
    }
    return moved;
  }

  private boolean isReady(HostOperation operation) {
    if (flags.isReady(operation.first + chunk)) {
      return true;
    }
    boolean own = operation.direct || operation.railTransfers != null;
    if (direct != null && own && expected < operation.first) {
      expected = operation.first;
      direct.expect(operation);
    }
    return false;
  }

  /** Tells the stream of the chunks that are done; returns whether there was one. */
  private boolean tellDone() {
    boolean moved = false;
    while (done < submitted) {
      int place = (int) ((done + 1) % UNDER_WAY);
      if (!isDone(place)) {
        break;
      }
      transfers[place] = null;
      done++;
      flags.done(done);
      moves = done;
      moved = true;
    }
    return moved;
  }

  private boolean isDone(int place) {
    Engine engine = engines[place];
    RailTransfers own = transfers[place];
    if (engine != null && !engine.isDone(numbers[place])) {
      return false;
    }
    if (direct == null || (own == null && engine != null)) {
      return true;
    }
    return own == null ? direct.isDone(numbers[place]) : direct.transfers().isDone(own);
  }

  private int rest(int idle) {
    boolean waits = done < submitted;
    int place = (int) ((done + 1) % UNDER_WAY);
    Engine engine = waits ? engines[place] : null;
    if (engine != null && !engine.isDone(numbers[place])) {
      boolean last =
          (direct == null || !direct.isUnderWay())
              && (queue.isEmpty() || submitted - done >= Crossing.DEPTH);
      long number = numbers[place];
      engine.await(number, last ? DRIVE_NANOS : SHARED_DRIVE_NANOS);
      watch();
      return 0;
    }
    if (waits && direct != null) {
      if (idle >= SPINS) {
        watch();
      }
      // As a thread waits that drives an engine: a park would be longer than a small chunk takes.
      return host.rail().engine().idle().idle(idle);
    }
    if (idle < SPINS) {
      Thread.onSpinWait();
    } else if (idle < SPINS + YIELDS) {
      Thread.yield();
    } else {
      watch();
      if (!waits && queue.isEmpty()) {
        bell.sleep(nothing);
        return 0;
      }
      LockSupport.parkNanos(this, PARK_NANOS);
      return idle;
    }
    return idle + 1;
  }

  /** Looks whether the communicators have failed, which no chunk would tell that is not there. */
  private void watch() {
    CommException known = host.failure();
    if (known != null) {
      failure.fail(known, "the network");
    }
    if (direct != null) {
      direct.watch();
    }
  }
}
