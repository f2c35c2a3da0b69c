// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The progress engine of one communicator: takes operations from any thread, in one order, and
 * brings them to completion. A thread in {@link #await} drives; a background thread does while
 * nobody waits, and rests otherwise. Nothing on the way of an operation allocates or locks.
 */
public final class Engine {
  /** Looks at the clock only after this many idle rounds, which are microseconds. */
  private static final int CLOCK_AFTER = 64;

  /** How long a caller goes on to push out its last messages before it leaves them to others. */
  private static final int FLUSH_ROUNDS = 64;

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final OperationRing ring = new OperationRing();
  private final Channel[] channels;
  private final Driver driver;
  private final Failures failures;
  private final IdleStrategy idle;
  private final long stallNanos;
  private final AtomicInteger callers = new AtomicInteger();
  private final ProgressThread background;
  private final List<KernelThread> kernels = new ArrayList<>();
  private volatile boolean closed;
  private volatile @Nullable LocalRanks local;

  /** The thread of the last submission, or 0. Only compared, so a late view does no harm. */
  private long lastSubmitter;

  /**
   * Creates an engine, which does nothing before {@link #start}.
   *
   * @param name what threads are named after
   * @param channels the connected channels; the engine closes them
   * @param failures where failures are kept
   * @param idle what idle threads do
   * @param kernelThreads how many threads run the executors; 0 lets the driving thread do it
   * @param stallNanos how long an operation may wait without anything moving; 0 for ever
   */
  public Engine(
      String name,
      List<Channel> channels,
      Failures failures,
      IdleStrategy idle,
      int kernelThreads,
      long stallNanos) {
    this.channels = channels.toArray(new Channel[0]);
    this.failures = failures;
    this.idle = idle;
    this.stallNanos = stallNanos;
    Executor[] executors = new Executor[this.channels.length];
    for (int i = 0; i < executors.length; i++) {
      executors[i] = this.channels[i].newExecutor(failures.rank(), ring, executors.length);
    }
    this.driver = new Driver(this.channels, executors, kernelThreads == 0, failures);
    failures.answerWith(driver::waiting);
    this.background = new ProgressThread(name + "-progress", this);
    int threads = Math.min(kernelThreads, executors.length);
    for (int i = 0; i < threads; i++) {
      List<Executor> mine = new ArrayList<>();
      for (int c = i; c < executors.length; c += threads) {
        mine.add(executors[c]);
      }
      kernels.add(new KernelThread(name + "-kernel-" + i, mine, this));
    }
  }

  /** Starts the threads. Whatever it throws, {@link #close} ends those that were started. */
  public void start() {
    background.start();
    kernels.forEach(KernelThread::start);
  }

  /**
   * Submits an all-reduce. Waits while {@value OperationRing#CAPACITY} operations are under way.
   *
   * @return its number, for {@link #isDone} and {@link #await}
   * @throws CommException when the communicator has failed or is closed, or waits for room that the
   *     calling thread would have to make
   */
  public long allReduce(
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      ReductionOp op,
      ReduceFunction function) {
    check();
    long oldest = ring.last() + 1 - OperationRing.CAPACITY;
    if (!driver.isDone(oldest)) {
      awaitRoom(oldest);
    }
    lastSubmitter = Thread.currentThread().threadId();
    long sequence = ring.claim();
    if (!driver.isDone(sequence - OperationRing.CAPACITY)) {
      await(sequence - OperationRing.CAPACITY, 0); // another thread was faster
    }
    Operation slot = ring.slot(sequence);
    slot.collective = Collective.ALL_REDUCE;
    slot.input = input;
    slot.output = output;
    slot.count = count;
    slot.type = type;
    slot.op = op;
    slot.function = function;
    slot.publish(sequence);
    // Between the publication and the look at who sleeps; the sleepers do it the other way round.
    VarHandle.fullFence();
    background.submitted();
    for (int i = 0; i < kernels.size(); i++) {
      kernels.get(i).submitted();
    }
    return sequence;
  }

  /** Waits before a number is taken, so that giving up leaves no gap. */
  private void awaitRoom(long oldest) {
    LocalRanks ranks = local;
    if (ranks == null) {
      await(oldest, 0);
    } else {
      ranks.awaitRoom(this, oldest);
    }
  }

  /** Makes known which ranks are served in this process. */
  void join(LocalRanks ranks) {
    local = ranks;
  }

  /** Returns the thread of the last submission, or 0. */
  long lastSubmitter() {
    return lastSubmitter;
  }

  /** Returns how many operations were submitted. */
  long submitted() {
    return ring.last();
  }

  /**
   * Throws if nothing is done any more.
   *
   * @throws CommException when the communicator has failed or is closed
   */
  public void check() {
    if (failures.get() != null) {
      failures.check();
    }
    if (closed) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          "the communicator of rank " + failures.rank() + " was closed before that was done");
    }
  }

  /** Returns whether an operation is done; false also after a failure. */
  public boolean isDone(long sequence) {
    return driver.isDone(sequence);
  }

  /** Returns a thread that uses buffers, other than those that wait. */
  public Thread thread() {
    return background.thread();
  }

  /** Returns the record of failures. */
  public Failures failures() {
    return failures;
  }

  /**
   * Waits for an operation, driving.
   *
   * @param nanos how long to wait at most; 0 for as long as the engine allows
   * @return whether it is done
   * @throws CommException when the communicator fails
   */
  public boolean await(long sequence, long nanos) {
    if (driver.isDone(sequence)) {
      return true;
    }
    callers.getAndIncrement();
    long deadline = nanos > 0 ? System.nanoTime() + nanos : 0;
    boolean driving = false;
    boolean interrupted = false;
    int idleRounds = 0;
    int quiet = 0;
    try {
      while (!driver.isDone(sequence)) {
        check();
        // An interrupt must not reach the plugin (NET-THREAD-06), nor keep this thread from
        // parking.
        interrupted |= Thread.interrupted();
        if (!driving) {
          driving = driver.tryTake();
        }
        if (driving && driver.pass() > 0) {
          idleRounds = 0;
          quiet = 0;
          if (nanos > 0 && System.nanoTime() - deadline >= 0) {
            return driver.isDone(sequence);
          }
          continue;
        }
        idleRounds = idle.idle(idleRounds);
        if (++quiet >= CLOCK_AFTER || nanos > 0) {
          quiet = CLOCK_AFTER;
          long now = System.nanoTime();
          if (nanos > 0 && now - deadline >= 0) {
            return driver.isDone(sequence);
          }
          if (driving) {
            driver.quiet(now, stallNanos);
          }
        }
      }
      return true;
    } finally {
      if (driving) {
        leave();
      }
      // What is left falls to the background thread, which looks at the callers before it rests.
      if (callers.decrementAndGet() == 0 && isPending()) {
        background.wake();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives up driving: pushes out what can be. */
  private void leave() {
    for (int i = 0; i < FLUSH_ROUNDS && !driver.isDrained() && failures.get() == null; i++) {
      driver.pass();
    }
    driver.release();
    background.callerDrove();
  }

  /** Returns whether there is something to move. */
  boolean isPending() {
    return !closed
        && failures.get() == null
        && (!driver.isDone(ring.last()) || !driver.isDrained());
  }

  /** Returns whether there is something to move and no caller who does it. */
  boolean isLeftAlone() {
    return callers.get() == 0 && isPending();
  }

  /**
   * Drives until nothing is pending or a caller wants to. The background thread.
   *
   * @return whether it did anything
   */
  boolean driveInBackground() {
    if (callers.get() > 0 || !driver.tryTake()) {
      return false;
    }
    boolean worked = false;
    try {
      int idleRounds = 0;
      int quiet = 0;
      while (isLeftAlone()) {
        if (driver.pass() > 0) {
          worked = true;
          idleRounds = 0;
          quiet = 0;
        } else {
          idleRounds = idle.idle(idleRounds);
          if (++quiet >= CLOCK_AFTER) {
            quiet = CLOCK_AFTER;
            driver.quiet(System.nanoTime(), stallNanos);
          }
        }
      }
    } finally {
      driver.release();
    }
    return worked;
  }

  IdleStrategy idle() {
    return idle;
  }

  /**
   * Waits until all operations submitted so far are done and have left, or the communicator fails.
   *
   * @return whether nothing is pending
   */
  public boolean drain(long nanos) {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      int idleRounds = 0;
      while (isPending()) {
        if (System.nanoTime() - deadline >= 0) {
          return false;
        }
        interrupted |= Thread.interrupted();
        int work = 0;
        if (driver.tryTake()) {
          try {
            work = driver.pass();
          } finally {
            driver.release();
          }
        }
        idleRounds = work > 0 ? 0 : idle.idle(idleRounds);
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns what to say of a communicator that is closed and has not drained in {@code nanos}. */
  public CommException unfinished(long nanos) {
    return driver.unfinished(driver.isDone(ring.last()), TimeUnit.NANOSECONDS.toSeconds(nanos));
  }

  /**
   * Ends the threads and closes the channels. What is pending is given up. Connections that a
   * thread may still be using are left open.
   *
   * @return what could not be ended or closed
   */
  public Remains close() {
    boolean interrupted = Thread.interrupted(); // closing is a call of the plugin too
    try {
      return closeNow();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Remains closeNow() {
    long deadline = System.nanoTime() + CLOSE_NANOS;
    closed = true; // who submitted too late, or waits still, must hear of it
    List<String> stuck = new ArrayList<>();
    if (!background.end(deadline)) {
      stuck.add(background.thread().getName());
    }
    for (KernelThread kernel : kernels) {
      if (!kernel.end(deadline)) {
        stuck.add(kernel.name());
      }
    }
    while (!driver.tryClose()) {
      if (System.nanoTime() - deadline >= 0) {
        String holder = driver.holder();
        if (!stuck.contains(holder)) {
          stuck.add(holder);
        }
        break;
      }
      Thread.yield();
    }
    List<Throwable> errors = new ArrayList<>();
    if (stuck.isEmpty()) {
      for (Channel channel : channels) {
        channel.close(errors);
      }
    }
    return new Remains(stuck, errors);
  }
}
