// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.ChannelShare;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.Fold;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.Planner;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The progress engine of one communicator: takes operations from any thread, in one order, and
 * brings them to completion. A thread in {@link #await} drives; a background thread drives while no
 * thread waits, and rests otherwise. A collective allocates and locks nothing, except when it is
 * done with a choice for the first time.
 *
 * <p>Operations are done one after the other. Inside one everything goes on side by side: the
 * schedules of a collective, and the sends and receives of a batch with each peer, in whatever
 * pattern.
 */
public final class Engine {
  private final Connectors links;
  private final long stallNanos;
  private final int rank;
  private final int size;
  private final int channels;
  private final OperationRing ring = new OperationRing();
  private final ActiveConnectors connectors;
  private final Executor[] executors;
  private final ProgressAgent agent;
  private final CommFailures failures;
  private final CallCheck calls;
  private final LeaverCheck leavers;
  private final IdleStrategy idle;
  private final AgentInvoker invoker;
  private final AgentRunner background;
  private final KernelThread[] kernels;
  private final EngineShutdown ending;
  private final EngineView view;

  /** Owns what the executors calculate in. */
  private final Arena arena = Arena.ofShared();

  private volatile @Nullable LocalRanks local;

  /** The profiler that hears what happens, or null. */
  private @Nullable ProfilerSession profiler;

  /** What keeps the last operations, or null. */
  private @Nullable FlightRecorder flight;

  /** The number of the communicator whose other ranks may use this one's buffers; 0 for none. */
  private long group;

  /** The thread of the last submission, or 0. Only compared, so a late view does no harm. */
  private long lastSubmitter;

  /**
   * Creates an engine, which does nothing before {@link #start}.
   *
   * @param name what threads are named after
   * @param links gives connections; the engine closes it
   * @param planner tells what this rank does in a collective
   * @param rank this rank
   * @param size how many ranks there are
   * @param channels how many channels the communicator has, the same on all ranks; no choice may
   *     have more
   * @param failures where failures are kept
   * @param idle what idle threads do
   * @param kernelThreads how many threads run the steps, channel {@code c} belonging to thread
   *     {@code c} modulo their number; 0 lets the driving thread do it
   * @param stallNanos how long an operation may wait without anything moving; 0 for ever
   */
  public Engine(
      String name,
      Connectors links,
      Planner planner,
      int rank,
      int size,
      int channels,
      CommFailures failures,
      IdleStrategy idle,
      int kernelThreads,
      long stallNanos) {
    this.links = links;
    this.stallNanos = stallNanos;
    this.rank = rank;
    this.size = size;
    this.channels = channels;
    this.connectors = new ActiveConnectors(links);
    this.failures = failures;
    this.idle = idle;
    int threads = Math.min(kernelThreads, channels);
    this.executors = new Executor[Math.max(1, threads)];
    for (int i = 0; i < executors.length; i++) {
      MemorySegment scratch = arena.allocate(Fold.BLOCK_BYTES, 4096);
      ChannelShare share = new ChannelShare(rank, size, channels, i, executors.length);
      executors[i] = new Executor(share, ring, connectors, planner, scratch);
    }
    this.calls = new CallCheck(rank, size, executors[0], failures);
    this.leavers = new LeaverCheck(rank, threads == 0 ? executors[0] : null);
    this.agent = new ProgressAgent(connectors, executors, threads == 0, failures, calls, leavers);
    failures.answerWith(agent::waiting);
    this.invoker = new AgentInvoker(name, ring, agent, failures, idle, stallNanos);
    this.background = invoker.background();
    this.kernels = new KernelThread[threads];
    for (int i = 0; i < threads; i++) {
      kernels[i] = new KernelThread(name + "-kernel-" + i, executors[i], this);
    }
    this.view =
        new EngineView(name, rank, size, ring, connectors, executors, agent, invoker, failures);
    this.ending = new EngineShutdown(this, invoker, kernels, agent, connectors, arena, failures);
  }

  /**
   * Makes known that other ranks of this process read and write the buffers of this rank's
   * operations, and this rank theirs. Before {@link #start}.
   *
   * @param number the same for all ranks of this communicator, and no other's; not 0
   */
  public void shareBuffers(long number) {
    group = number;
    Neighbours.add(number, this);
  }

  /**
   * Has threads of the process take a part of large steps. Before {@link #start}.
   *
   * @param most how many for a step; 0 for none
   */
  public void helpBy(StepHelpers pool, int most) {
    for (Executor executor : executors) {
      executor.helpBy(pool, most);
    }
  }

  /** Has a thread of the process send what takes long to send. Before {@link #start}. */
  public void sendBy(StepHelpers pool) {
    agent.helpBy(new SendHelp(pool, connectors, failures));
  }

  /** Reports what happens to a profiler. Before {@link #start}; the session stays the caller's. */
  public void tell(ProfilerSession session) {
    profiler = session;
    background.tell(session);
  }

  /** Tells a recorder what goes from rank to rank; before {@link #start}. */
  public void record(TransferRecorder recorder) {
    for (Executor executor : executors) {
      executor.record(recorder);
    }
  }

  /** Keeps the last operations in {@code recorder}; before {@link #start}. */
  public void record(FlightRecorder recorder) {
    flight = recorder;
    view.record(recorder);
    for (int i = 0; i < executors.length; i++) {
      executors[i].record(recorder, i == 0);
    }
  }

  /** Returns where the engine stands, at any time and for any thread. */
  @AnyThread
  public EngineView view() {
    return view;
  }

  /** Ends the events of what was given up; no thread may be at work on it. */
  void endEvents() {
    if (profiler != null) {
      for (Executor executor : executors) {
        executor.endEvents();
      }
      for (int i = 0; i < OperationRing.CAPACITY; i++) {
        ring.slot(i).giveUpEvents();
      }
    }
  }

  /**
   * Sets how to tell the next rank what this one has called, for its {@link #heard}, when nothing
   * moves; without it the ranks only find out when their time is over.
   *
   * @param next gives a few bytes to rank + 1 modulo the ranks; any thread may call it, it must not
   *     wait, and it may lose them
   */
  public void compareCalls(Consumer<byte[]> next) {
    calls.tellBy(next);
  }

  /**
   * Sets how to learn that a rank has closed its communicator; without it a rank that waits for one
   * in shared memory only finds out when its time is over.
   *
   * @param hasLeft returns whether a rank has closed, and all that it has said has come; any thread
   *     may call it, and it must not wait
   */
  public void noticeLeavers(IntPredicate hasLeft) {
    leavers.ask(hasLeft);
  }

  /** Takes what {@code peer} has called, as its {@link #compareCalls} sent it. */
  @AnyThread
  public void heard(int peer, byte[] word) {
    calls.hear(peer, word);
  }

  /** Starts the threads. Whatever it throws, {@link #close} ends those that were started. */
  public void start() {
    background.start();
    for (KernelThread kernel : kernels) {
      kernel.start();
    }
  }

  /**
   * Submits a collective. Waits while {@value OperationRing#CAPACITY} operations are under way.
   *
   * @param choice how it is done, the same on all ranks
   * @param completion called once when all is done and before anybody can know, by the thread that
   *     happens to finish it: must be short, must not wait, and fails the communicator if it throws
   * @return its number, for {@link #isDone} and {@link #await}
   * @throws CommException when the communicator has failed or is closed, or waits for room that the
   *     calling thread would have to make
   */
  public long submit(CollectiveCall call, Choice choice, @Nullable Runnable completion) {
    long sequence = claim();
    Operation slot = ring.slot(sequence);
    slot.collective(call, choice);
    publish(slot, sequence, completion);
    return sequence;
  }

  /** Submits a batch of sends and receives, as the other {@code submit} without a completion. */
  public long submit(PairTransfers transfers) {
    return submit(transfers, null);
  }

  /**
   * Submits a batch of sends and receives, all of which go on side by side.
   *
   * @param transfers not to be changed any more
   * @param completion as for a collective
   * @return its number
   * @throws CommException as for a collective; also, with nothing submitted, where what this rank
   *     sends to itself is not what it receives from itself
   */
  public long submit(PairTransfers transfers, @Nullable Runnable completion) {
    transfers.check(rank, size);
    long sequence = claim();
    Operation slot = ring.slot(sequence);
    slot.batch(transfers);
    publish(slot, sequence, completion);
    return sequence;
  }

  /** Takes the next number, whose descriptor is free then. */
  private long claim() {
    check();
    while (true) {
      long last = ring.last();
      long oldest = last + 1 - OperationRing.CAPACITY;
      if (!agent.isDone(oldest)) {
        awaitRoom(oldest);
      }
      long self = Thread.currentThread().threadId();
      if (lastSubmitter != self) {
        lastSubmitter = self;
      }
      // Only with room, since a number that is taken cannot be given back.
      if (ring.claim(last)) {
        return last + 1;
      }
    }
  }

  /** Returns whether a thread runs operations now: the one that drives, or a kernel thread. */
  @AnyThread
  public boolean isRunBy(Thread thread) {
    for (KernelThread kernel : kernels) {
      if (kernel.is(thread)) {
        return true;
      }
    }
    return agent.isHeldBy(thread);
  }

  private void publish(Operation slot, long sequence, @Nullable Runnable completion) {
    ProfilerSession session = profiler;
    if (session != null) {
      slot.tell(session);
    }
    FlightRecorder kept = flight;
    if (kept != null) {
      kept.submitted(sequence, slot);
    }
    slot.publish(sequence, completion, executors.length, size);
    // Between the claim and the look at which threads sleep; these do it the other way round. The
    // claim, which is volatile, orders that already: one of the two is enough (see rest.litmus).
    VarHandle.fullFence();
    background.submitted();
    for (KernelThread kernel : kernels) {
      kernel.submitted();
    }
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

  /**
   * Throws if nothing is done any more.
   *
   * @throws CommException when the communicator has failed or is closed
   */
  public void check() {
    invoker.check();
  }

  /** Returns whether an operation is done; false also after a failure. */
  public boolean isDone(long sequence) {
    return agent.isDone(sequence);
  }

  /** Returns a thread that uses buffers, other than those that wait. */
  public Thread thread() {
    return background.thread();
  }

  /**
   * Returns the connections, for a class that moves messages of its own over connections that this
   * engine does not use; {@link #close} closes those too.
   */
  public Connectors links() {
    return links;
  }

  /** Returns how many channels there are, the same on all ranks. */
  public int channels() {
    return channels;
  }

  /** Returns how long something may wait without anything moving, in nanoseconds; 0 for ever. */
  public long stallNanos() {
    return stallNanos;
  }

  /** Returns the record of failures. */
  public CommFailures failures() {
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
    return invoker.await(sequence, nanos, false);
  }

  /** As {@link #await}, which an interrupt ends too; it is left for the caller to see. */
  public boolean awaitInterruptibly(long sequence, long nanos) {
    return invoker.await(sequence, nanos, true);
  }

  /** Returns whether there is something to move. */
  boolean isPending() {
    return invoker.isPending();
  }

  /** Returns what the threads of this communicator do while nothing moves. */
  public IdleStrategy idle() {
    return idle;
  }

  /**
   * Waits until all operations submitted so far are done and have left, or the communicator fails.
   *
   * @return whether nothing is pending
   */
  public boolean drain(long nanos) {
    return invoker.drain(nanos);
  }

  /** Returns what to say of a communicator that is closed and has not drained in {@code nanos}. */
  public CommException unfinished(long nanos) {
    return agent.unfinished(agent.isDone(ring.last()), TimeUnit.NANOSECONDS.toSeconds(nanos));
  }

  /**
   * Ends the threads and closes the connections. What is pending is given up; where other ranks of
   * this process may be in the middle of it, waits for them too. Connections that a thread may
   * still be using are left open. Closing again closes nothing twice.
   *
   * @return what could not be ended or closed
   */
  public Unclosed close() {
    boolean interrupted = Thread.interrupted(); // closing is a call of the plugin too
    try {
      return ending.close(group);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link EngineShutdown#threadsInSteps}. */
  List<String> threadsInSteps() {
    return ending.threadsInSteps();
  }
}
