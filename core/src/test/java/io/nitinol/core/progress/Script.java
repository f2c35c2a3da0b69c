// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;

/** A schedule that is written out by hand: each step is told how many elements there are. */
final class Script implements Schedule {
  private final List<ObjLongConsumer<Step>> steps;
  private final Step cursor = new Step();
  private long count = 1;

  @SafeVarargs
  Script(ObjLongConsumer<Step>... steps) {
    this.steps = List.of(steps);
  }

  private IntStream peers(boolean sending) {
    return IntStream.range(0, steps.size())
        .map(i -> {
          steps.get(i).accept(cursor, 1);
          return sending ? cursor.sendPeer() : cursor.recvPeer();
        });
  }

  @Override
  public int[] sendPeers() {
    return peers(true).filter(p -> p >= 0).distinct().toArray();
  }

  @Override
  public int[] recvPeers() {
    return peers(false).filter(p -> p >= 0).distinct().toArray();
  }

  @Override
  public void plan(long newCount, int elementBytes, int root, int channels) {
    count = newCount;
  }

  @Override
  public long steps() {
    return steps.size();
  }

  @Override
  public void step(long index, Step into) {
    steps.get((int) index).accept(into, count);
  }

  @Override
  public long receives(int peer) {
    IntPredicate his = p -> p == peer;
    return peers(false).filter(his).count();
  }

  @Override
  public long rounds() {
    long rounds = 0;
    for (ObjLongConsumer<Step> each : steps) {
      each.accept(cursor, count);
      if (cursor.signals() != Signal.NONE) {
        rounds = Math.max(rounds, cursor.round() + 1);
      }
    }
    return rounds;
  }
}
