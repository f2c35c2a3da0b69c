// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * All connections of a rail, which take the chunks of an operation in turns; equally many on both
 * ranks. The bridge thread drives the first one, and each of the others has a thread of its own. An
 * operation begins on the first, so one of few bytes wakes no other thread.
 */
final class DirectRails implements AutoCloseable {
  private final List<DirectRail> rails;
  private final List<RailThread> threads = new ArrayList<>();

  /**
   * Takes connections, which it closes.
   *
   * @param rails at least one
   */
  DirectRails(List<DirectRail> rails) {
    this.rails = List.copyOf(rails);
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

  /**
   * Begins with a chunk, as {@link DirectRail#begin}.
   *
   * @param chunk its number within the operation
   * @param number its number on this rank
   * @return what {@link #isDone} takes
   */
  @OnlyThread("bridge")
  long begin(HostOperation operation, long chunk, long number) {
    int turn = (int) (chunk % rails.size());
    long there = rails.get(turn).begin(operation, number, operation.count(chunk));
    if (turn > 0) {
      threads.get(turn - 1).wake();
    }
    return there * rails.size() + turn;
  }

  /** Returns whether a chunk has left and come. */
  @OnlyThread("bridge")
  boolean isDone(long begun) {
    int count = rails.size();
    return rails.get((int) (begun % count)).isDone(begun / count);
  }

  /** Moves what the first connection can move; returns whether there was something. */
  @OnlyThread("bridge")
  boolean progress() {
    return rails.getFirst().progress();
  }

  /** Looks whether a chunk of the first connection stands still for too long. */
  @OnlyThread("bridge")
  void watch() {
    rails.getFirst().watch();
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
