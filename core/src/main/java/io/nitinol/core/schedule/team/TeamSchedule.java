// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;

/** What the schedules of a team have in common: no connections, and a share cut into rounds. */
abstract class TeamSchedule implements Schedule {
  private static final int[] NOBODY = {};

  final int members;
  final int index;
  final Rounds rounds = new Rounds();

  /** Elements of the operation, as it was called. */
  long operationCount;

  int root;

  /** Elements of a cache line and of a slot. */
  long align;

  long slotCount;

  private final int slotBytes;
  private final int channel;

  /**
   * Sets what does not change.
   *
   * @param members how many ranks the team has, 2 or more
   * @param index this rank's place
   * @param slotBytes how many bytes of data a slot holds
   * @param channel which channel this is, from 0
   */
  TeamSchedule(int members, int index, int slotBytes, int channel) {
    if (members < 2) {
      throw new IllegalArgumentException("a team of " + members + "; expected 2 or more");
    }
    this.members = members;
    this.index = index;
    this.slotBytes = slotBytes;
    this.channel = channel;
  }

  @Override
  public final int[] sendPeers() {
    return NOBODY;
  }

  @Override
  public final int[] recvPeers() {
    return NOBODY;
  }

  @Override
  public final long receives(int peer) {
    return 0;
  }

  @Override
  public final void plan(long count, int elementBytes, int toRoot, int channels) {
    operationCount = count;
    root = toRoot;
    align = ChunkShape.ALIGNMENT / elementBytes;
    slotCount = slotBytes / elementBytes;
    rounds.share(count, align, align, channel, channels);
    planRounds();
  }

  /** Cuts {@link #rounds} and counts the steps. */
  abstract void planRounds();

  @Override
  public long rounds() {
    return rounds.rounds();
  }

  /** Returns the most elements per member that a slot holds for all of them, in cache lines. */
  final long mostPerMember() {
    return slotCount / members / align * align;
  }

  /** Returns the member {@code distance} places behind this one. */
  final int behind(int distance) {
    int place = index + distance;
    return place < members ? place : place - members;
  }
}
