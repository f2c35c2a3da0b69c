// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.team;

import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.stream.IntStream;

/**
 * The steps of a reduction among the ranks of one host. Each round is cut into shares, one for each
 * leader. A member puts its contributions to the shares of others into its slot. A leader folds its
 * share from the slots of all and leaves the result in its own slot, from where the others get it.
 * A share lies at the same place in the slot as in the round.
 *
 * <p>A member that is alone puts and gets nothing. Planned anew for each operation, without
 * allocation.
 */
@OneThread
public final class ReductionShares {
  private final int members;
  private final int index;
  private final int leaders;

  /** By the share that a member leads, its place in the team. */
  private final int[] places;

  /** The share that this member leads; -1 for none. */
  private final int led;

  private final Rounds rounds;
  private long align;

  /**
   * Creates shares without elements.
   *
   * @param team the ranks of this host
   * @param leaders how many of them lead a share, 1 to all, the same on all hosts: the first ones
   * @param rounds what is cut into shares
   */
  public ReductionShares(TeamShape team, int leaders, Rounds rounds) {
    this(team, IntStream.range(0, leaders).toArray(), rounds);
  }

  /**
   * Creates shares without elements.
   *
   * @param team the ranks of this host
   * @param leaders the places of those who lead a share, 1 to all, by share; as many on all hosts
   * @param rounds what is cut into shares
   */
  public ReductionShares(TeamShape team, int[] leaders, Rounds rounds) {
    if (leaders.length < 1 || leaders.length > team.members()) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%s leaders; expected 1 to %s, the members of the team",
              leaders.length, team.members()));
    }
    this.members = team.members();
    this.index = team.index();
    this.leaders = leaders.length;
    this.places = leaders.clone();
    this.rounds = rounds;
    int own = -1;
    for (int share = 0; share < places.length; share++) {
      own = places[share] == index ? share : own;
    }
    this.led = own;
  }

  /**
   * Cuts the rounds so that all shares of one fit a slot.
   *
   * @param slot elements of a slot
   * @param most the most elements of a share, a multiple of {@code align}
   * @param toAlign elements of a cache line; shares are multiples of it
   */
  public void cut(long slot, long most, long toAlign) {
    align = toAlign;
    long inSlot = slot / leaders / align * align;
    rounds.cut(Math.min(inSlot, most) * leaders, align * leaders);
  }

  /** Returns whether this member is the only one of its host. */
  public boolean isAlone() {
    return members == 1;
  }

  /** Returns whether this member leads a share. */
  public boolean leads() {
    return led >= 0;
  }

  /** Returns how many elements the largest share has. */
  public long most() {
    return shareOf(rounds.size());
  }

  /** Returns the first element of the share that this member leads. */
  public long begin(long round) {
    return rounds.begin(round) + place(round);
  }

  /** Returns where that share begins in its round, and in slots; 0 where it leads none. */
  public long place(long round) {
    return leads() ? place(round, led) : 0;
  }

  /** Returns how many elements that share has; 0 where it leads none. */
  public long count(long round) {
    return leads() ? count(round, led) : 0;
  }

  private long place(long round, int leader) {
    long all = rounds.count(round);
    return Math.min(all, leader * shareOf(all));
  }

  private long count(long round, int leader) {
    long all = rounds.count(round);
    return Math.min(shareOf(all), all - place(round, leader));
  }

  private long shareOf(long round) {
    return Rounds.alignUp(Math.ceilDiv(round, leaders), align);
  }

  /** Returns how many steps {@link #put} has in each round. */
  public int putSteps() {
    return isAlone() ? 0 : 2;
  }

  /** Puts what lies in front of the share that this member leads, then what lies behind it. */
  public void put(long round, int part, Step into) {
    long mine = place(round);
    long from = part == 0 ? 0 : mine + count(round);
    long to = part == 0 ? mine : rounds.count(round);
    into.begin(StepKind.PUT, to - from)
        .at(rounds.begin(round) + from)
        .slot(round, from)
        .signals(part == 0 ? Signal.NONE : Signal.POSTED);
  }

  /** Folds the elements {@code from} to {@code to} of this member's share, without awaiting. */
  public Step fold(long round, long from, long to, Step into) {
    return into.begin(StepKind.FOLD, to - from)
        .at(begin(round) + from)
        .slot(round, place(round) + from);
  }

  /** Shows this member's share, whose result is in its output, to the others. */
  public void show(long round, Step into) {
    long count = count(round);
    into.begin(StepKind.PUT_RESULT, count)
        .at(begin(round))
        .slot(round, place(round))
        .signals(count == 0 ? Signal.NONE : Signal.SHARED);
  }

  /** Returns how many steps {@link #get} has in each round. */
  public int getSteps() {
    return isAlone() ? 0 : Math.max(1, others());
  }

  /**
   * Gets the share of another leader, the next one first, so that not all read from one at once;
   * with the last one, or where there is no other, the slots are free.
   */
  public void get(long round, int part, Step into) {
    if (part < others()) {
      int share = (leads() ? led + part + 1 : index + part) % leaders;
      long count = count(round, share);
      long place = place(round, share);
      into.begin(StepKind.GET, count)
          .at(rounds.begin(round) + place)
          .slot(round, place)
          .awaits(count == 0 ? Signal.NONE : Signal.SHARED, places[share]);
    } else {
      into.begin(StepKind.NOTHING, 0).slot(round, 0);
    }
    into.signals(part >= others() - 1 ? Signal.FREED : Signal.NONE);
  }

  /** Returns how many other members lead a share. */
  private int others() {
    return leads() ? leaders - 1 : leaders;
  }
}
