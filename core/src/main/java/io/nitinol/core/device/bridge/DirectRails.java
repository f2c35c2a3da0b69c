// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * All connections of a rail; equally many on both ranks. The bridge thread drives the first one,
 * and each of the others has a thread of its own.
 *
 * <p>The header of each chunk goes over the first connection, in order, so that ranks that have
 * called different operations find out there. The bytes of a large chunk are divided among the
 * others, all of which carry each chunk together: so none waits for the bytes of a later one. With
 * two connections the first one carries half. A small chunk goes over the first as a whole, which
 * wakes no other thread.
 */
final class DirectRails implements AutoCloseable {
  /** A chunk of fewer bytes is sent sooner than divided. */
  static final int LEAST_DIVIDED = 32 << 10;

  private static final int ALIGNMENT = 256;

  /** Chunks under way, and more. */
  private static final int PLACES = 2 * Crossing.DEPTH;

  private final List<DirectRail> rails;
  private final DirectRail first;

  /** How many connections carry bytes of a large chunk, and the first of them. */
  private final int carriers;

  private final int firstCarrier;

  /**
   * By the chunk's number on the first connection: what each connection has of it, as the last
   * number there, 0 for nothing.
   */
  private final long[][] numbers;

  private final List<RailThread> threads = new ArrayList<>();

  /**
   * Takes connections, which it closes.
   *
   * @param rails at least one
   */
  DirectRails(List<DirectRail> rails) {
    this.rails = List.copyOf(rails);
    this.first = rails.getFirst();
    this.firstCarrier = rails.size() > 2 ? 1 : 0;
    this.carriers = rails.size() - firstCarrier;
    this.numbers = new long[PLACES][rails.size()];
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
    if (isDivided(operation.bytes(0))) {
      threads.forEach(RailThread::expect);
    }
  }

  private boolean isDivided(long size) {
    return carriers > 1 && size >= LEAST_DIVIDED;
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
    long size = operation.bytes(chunk);
    if (!isDivided(size)) {
      long begun = first.begin(operation, number, size);
      Arrays.fill(numbers[(int) (begun % PLACES)], 0);
      return begun;
    }
    long each =
        (size + (long) carriers * ALIGNMENT - 1) / ((long) carriers * ALIGNMENT) * ALIGNMENT;
    long begun = first.begin(operation, number, firstCarrier == 0 ? each : 0);
    long[] parts = numbers[(int) (begun % PLACES)];
    for (int i = 1; i < rails.size(); i++) {
      long from = (i - firstCarrier) * each;
      long length = Math.min(each, size - from);
      parts[i] = length > 0 ? rails.get(i).beginPart(operation, number, from, length) : 0;
      threads.get(i - 1).wake();
    }
    return begun;
  }

  /** Returns whether a chunk has left and come, with all its parts. */
  @OnlyThread("bridge")
  boolean isDone(long begun) {
    if (!first.isDone(begun)) {
      return false;
    }
    long[] parts = numbers[(int) (begun % PLACES)];
    for (int i = 1; i < parts.length; i++) {
      if (!rails.get(i).isDone(parts[i])) {
        rails.get(i).reportWrongPart();
        return false;
      }
    }
    return true;
  }

  /** Moves what the first connection can move; returns whether there was something. */
  @OnlyThread("bridge")
  boolean progress() {
    return first.progress();
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
