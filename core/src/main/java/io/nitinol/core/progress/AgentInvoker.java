// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a thread drive an engine: one of those that wait for its operations, or the background
 * thread while none waits.
 */
final class AgentInvoker {
  /** Looks at the clock only after this many idle rounds, which are microseconds. */
  private static final int CLOCK_AFTER = 64;

  /** How long a caller goes on to push out its last messages before it leaves them to others. */
  private static final int FLUSH_ROUNDS = 64;

  /** The same where a helper pushes out what is left: a round is a look at what it has done. */
  private static final int HELPED_ROUNDS = 1024;

  private final OperationRing ring;
  private final ProgressAgent agent;
  private final CommFailures failures;
  private final IdleStrategy idle;
  private final long stallNanos;
  private final AtomicInteger callers = new AtomicInteger();
  private final AgentRunner background;
  private volatile boolean closed;

  AgentInvoker(
      String name,
      OperationRing ring,
      ProgressAgent agent,
      CommFailures failures,
      IdleStrategy idle,
      long stallNanos) {
    this.ring = ring;
    this.agent = agent;
    this.failures = failures;
    this.idle = idle;
    this.stallNanos = stallNanos;
    this.background = new AgentRunner(name + "-progress", this, failures);
  }

  AgentRunner background() {
    return background;
  }

  /**
   * Notes that nothing is done any more, which {@link #check} reports to threads that submit or
   * wait.
   */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Throws if nothing is done any more.
   *
   * @throws CommException when the communicator has failed or is closed
   */
  void check() {
    if (failures.get() != null) {
      failures.check();
    }
    if (closed) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          "the communicator of rank " + failures.rank() + " was closed before that was done");
    }
  }

  /**
   * Waits for an operation, driving. An interrupt is left for the caller to see.
   *
   * @param nanos how long to wait at most; 0 for as long as the engine allows
   * @param interruptible whether an interrupt ends the wait
   * @return whether it is done
   * @throws CommException when the communicator fails
   */
  boolean await(long sequence, long nanos, boolean interruptible) {
    if (agent.isDone(sequence)) {
      return true;
    }
    callers.getAndIncrement();
    long deadline = nanos > 0 ? System.nanoTime() + nanos : 0;
    boolean driving = false;
    boolean interrupted = false;
    int idleRounds = 0;
    int quiet = 0;
    try {
      while (!agent.isDone(sequence)) {
        check();
        // An interrupt must not reach the plugin (NET-THREAD-06), nor keep this thread from
        // parking.
        interrupted |= Thread.interrupted();
        if (interrupted && interruptible) {
          return agent.isDone(sequence);
        }
        if (!driving) {
          driving = agent.tryTake();
        }
        if (driving && agent.doWork() > 0) {
          idleRounds = 0;
          quiet = 0;
          if (nanos > 0 && System.nanoTime() - deadline >= 0) {
            return agent.isDone(sequence);
          }
          continue;
        }
        idleRounds = idle.idle(idleRounds);
        if (++quiet >= CLOCK_AFTER || nanos > 0) {
          quiet = CLOCK_AFTER;
          long now = System.nanoTime();
          if (nanos > 0 && now - deadline >= 0) {
            return agent.isDone(sequence);
          }
          if (driving) {
            agent.quiet(now, stallNanos);
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
    for (int i = 0; mayFlush(i) && !agent.isDrained() && failures.get() == null; i++) {
      agent.doWork();
    }
    agent.release();
    background.callerDrove();
  }

  /** Returns whether a caller stays for another round, although its operation is done. */
  private boolean mayFlush(int round) {
    return round < FLUSH_ROUNDS
        || (round < HELPED_ROUNDS && agent.isHelped() && agent.isDone(ring.last()));
  }

  /** Returns whether there is something to move. */
  boolean isPending() {
    return !closed && failures.get() == null && (!agent.isDone(ring.last()) || !agent.isDrained());
  }

  /** Returns whether there is something to move and no caller that does it. */
  boolean isLeftAlone() {
    return callers.get() == 0 && isPending();
  }

  /**
   * Drives until nothing is pending or a caller wants to.
   *
   * @return whether it did anything
   */
  @OnlyThread("progress thread")
  boolean driveInBackground() {
    if (callers.get() > 0 || !agent.tryTake()) {
      return false;
    }
    boolean worked = false;
    try {
      int idleRounds = 0;
      int quiet = 0;
      while (isLeftAlone()) {
        if (agent.doWork() > 0) {
          worked = true;
          idleRounds = 0;
          quiet = 0;
        } else {
          idleRounds = idle.idle(idleRounds);
          if (++quiet >= CLOCK_AFTER) {
            quiet = CLOCK_AFTER;
            agent.quiet(System.nanoTime(), stallNanos);
          }
        }
      }
    } finally {
      agent.release();
    }
    return worked;
  }

  /**
   * Waits until all operations submitted so far are done and have left, or the communicator fails.
   *
   * @return whether nothing is pending
   */
  boolean drain(long nanos) {
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
        if (agent.tryTake()) {
          try {
            work = agent.doWork();
          } finally {
            agent.release();
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
}
