// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;

/** A schedule that is written out by hand: each step is told how many elements there are. */
final class Script implements Schedule {
  private final ObjLongConsumer<Step>[] steps;
  private final int[] sendPeers;
  private final int[] recvPeers;

  /** By step, the rank that it receives from, or -1. */
  private final int[] sources;

  private final long rounds;
  private long count = 1;

  @SafeVarargs
  Script(ObjLongConsumer<Step>... steps) {
    this.steps = steps;
    Step cursor = new Step();
    int[] sinks = new int[steps.length];
    sources = new int[steps.length];
    long last = -1;
    for (int i = 0; i < steps.length; i++) {
      steps[i].accept(cursor, 1);
      sinks[i] = cursor.sendPeer();
      sources[i] = cursor.recvPeer();
      if (cursor.signals() != Signal.NONE) {
        last = Math.max(last, cursor.round());
      }
    }
    rounds = last + 1;
    sendPeers = IntStream.of(sinks).filter(p -> p >= 0).distinct().toArray();
    recvPeers = IntStream.of(sources).filter(p -> p >= 0).distinct().toArray();
  }

  @Override
  public int[] sendPeers() {
    return sendPeers;
  }

  @Override
  public int[] recvPeers() {
    return recvPeers;
  }

  @Override
  public void plan(long newCount, int elementBytes, int root, int channels) {
    count = newCount;
  }

  @Override
  public long steps() {
    return steps.length;
  }

  @Override
  public void step(long index, Step into) {
    steps[(int) index].accept(into, count);
  }

  @Override
  public long receives(int peer) {
    long sum = 0;
    for (int source : sources) {
      sum += source == peer ? 1 : 0;
    }
    return sum;
  }

  @Override
  public long rounds() {
    return rounds;
  }
}
