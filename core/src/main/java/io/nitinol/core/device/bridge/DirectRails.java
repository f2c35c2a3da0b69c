// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * All connections of a rail; equally many on both ranks. The bridge thread drives the first one,
 * and each of the others has a thread of its own. Each chunk of a collective is a piece of {@link
 * RailWay} in each direction in which it goes.
 */
final class DirectRails implements AutoCloseable {
  /** Chunks under way, and more. */
  private static final int PLACES = 2 * Crossing.DEPTH;

  private final List<DirectRail> rails;
  private final DirectRail first;
  private final BridgeMemory memory;
  private final RailWay out;
  private final RailWay in;
  private final RailTransferQueue transfers;
  private final List<RailThread> threads = new ArrayList<>();
  private long begun;

  // By chunk: how many pieces had begun with it.
  private final long[] sent = new long[PLACES];
  private final long[] received = new long[PLACES];

  /**
   * Takes connections, which it closes.
   *
   * @param rails at least one
   */
  DirectRails(List<DirectRail> rails, BridgeMemory memory) {
    this.rails = List.copyOf(rails);
    this.first = rails.getFirst();
    this.memory = memory;
    this.out = new RailWay(this.rails, true, this::wake);
    this.in = new RailWay(this.rails, false, this::wake);
    this.transfers = new RailTransferQueue(out, in, memory.flags());
  }

  private void wake(int connection) {
    threads.get(connection - 1).wake();
  }

  /**
   * Starts the threads.
   *
   * @param label begins their names
   * @param stopped whether the team has failed, so that slots may be filled anew and no thread is
   *     to send from them
   * @param failed is told by a thread what it has ended for
   */
  void start(String label, IdleStrategy idle, BooleanSupplier stopped, Consumer<Throwable> failed) {
    for (int i = 1; i < rails.size(); i++) {
      RailThread thread = new RailThread(label + "-rail-" + i, rails.get(i), idle, stopped, failed);
      threads.add(thread);
      thread.start();
    }
  }

  /** Returns the end of the team's line for reports. */
  String description() {
    int count = rails.size();
    return ErrorText.of(", exchanged directly over %d connection%s", count, count == 1 ? "" : "s");
  }

  /** Lets threads look that sleep, if an operation is coming whose chunks they have a part of. */
  @OnlyThread("bridge")
  void expect(HostOperation operation) {
    RailTransfers own = operation.railTransfers;
    if (own == null ? in.isDivided(operation.bytes(0)) : own.isLarge()) {
      threads.forEach(RailThread::expect);
    }
  }

  /** Returns what gives sends and receives to the connections. */
  @OnlyThread("bridge")
  RailTransferQueue transfers() {
    return transfers;
  }

  /** Returns whether something is to be moved, or may be soon, by the first connection. */
  @OnlyThread("bridge")
  boolean isUnderWay() {
    return !transfers.isEmpty() || first.isUnderWay();
  }

  /** Returns whether a chunk can be begun, behind all sends and receives before it. */
  @OnlyThread("bridge")
  boolean hasRoom() {
    return transfers.isEmpty() && out.hasRoom() && in.hasRoom();
  }

  /**
   * Begins with a chunk, whose slot is full and whose other half is free, and for which there is
   * room.
   *
   * @param chunk its number within the operation
   * @param number its number on this rank, which chooses the slot
   * @return what {@link #isDone} takes
   */
  @OnlyThread("bridge")
  long begin(HostOperation operation, long chunk, long number) {
    boolean reduces =
        switch (operation.collective) {
          case ALL_GATHER, BROADCAST -> false;
          default -> true;
        };
    long word =
        MessageHeader.word(
            0,
            operation.collective.code(),
            operation.type.code(),
            reduces ? operation.op.code() : CollectiveCall.NO_OPERATOR,
            operation.root,
            0,
            0);
    long count = MessageHeader.countWord(operation.total(), 0); // a call, not a chunk
    long size = operation.bytes(chunk);
    boolean rooted = isRooted(operation);
    boolean leaves = (operation.root == first.rank()) == operation.isFromRoot();
    if (!rooted || !leaves) {
      long at = memory.inOffset(number);
      in.begin(memory.slots(), at, at, size, word, count);
    }
    if (!rooted || leaves) {
      long at = memory.outOffset(number);
      out.begin(memory.slots(), at, at, size, word, count);
    }
    begun++;
    sent[(int) (begun % PLACES)] = out.begun();
    received[(int) (begun % PLACES)] = in.begun();
    return begun;
  }

  private static boolean isRooted(HostOperation operation) {
    return switch (operation.collective) {
      case BROADCAST, REDUCE -> true;
      default -> false;
    };
  }

  /** Returns whether a chunk has left and come, with all its parts. */
  @OnlyThread("bridge")
  boolean isDone(long chunk) {
    int place = (int) (chunk % PLACES);
    return in.complete() >= received[place] && out.complete() >= sent[place];
  }

  /** Moves what the first connection can move; returns whether there was something. */
  @OnlyThread("bridge")
  boolean progress() {
    boolean moved = first.progress();
    return transfers.advance() || moved;
  }

  /** Looks whether a chunk of the first connection stands still for too long. */
  @OnlyThread("bridge")
  void watch() {
    first.watch();
  }

  /** Lets the threads end. */
  @AnyThread
  void end() {
    threads.forEach(RailThread::end);
  }

  /** Waits for the end of the threads; returns whether they are gone. */
  @AnyThread
  boolean awaitEnd(long deadline) {
    boolean gone = true;
    for (RailThread thread : threads) {
      gone &= thread.awaitEnd(deadline);
    }
    return gone;
  }

  /** Takes the memory back from the network, of all connections. No thread drives any more. */
  @Override
  public void close() {
    close(rails);
  }

  /** Closes connections, perhaps none. */
  static void close(List<DirectRail> rails) {
    NetException problem = null;
    for (DirectRail rail : rails) {
      try {
        rail.close();
      } catch (NetException e) {
        if (problem == null) {
          problem = e;
        } else {
          problem.addSuppressed(e);
        }
      }
    }
    if (problem != null) {
      throw problem;
    }
  }
}
