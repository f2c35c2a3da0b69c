// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The children that have come to a group, and the checks that they fit together. */
@OnlyThread("switch worker")
final class Roster {
  /** The children, from when all are there on in the order of their lowest ranks. */
  final List<SwitchChild> members = new ArrayList<>();

  /** All their ranks. */
  final BitSet here = new BitSet();

  private final SwitchOptions options;
  private final String net;
  private final int nranks;

  Roster(SwitchOptions options, String net, int nranks) {
    this.options = options;
    this.net = net;
    this.nranks = nranks;
  }

  /** Returns why a child cannot join, or null: it can. */
  @Nullable String objection(SwitchChild member) {
    ControlFrame.Join join = member.join;
    if (join.nranks() != nranks) {
      return member + " joins a group of " + join.nranks() + " ranks, others one of " + nranks;
    }
    if (!join.net().equalsIgnoreCase(net)) {
      return ErrorText.of(
          "%s sends its data with the network plugin %s, this switch with %s"
              + " (NITINOL_COLLNET_NET)",
          member, join.net(), net);
    }
    if (join.segmentBytes() < Segments.LEAST_BYTES) {
      return member + " takes segments of " + join.segmentBytes() + " bytes only";
    }
    if (Math.max(join.sameSwitch(), members.size() + 1) > options.radix()) {
      return "more children than the radix, " + options.radix() + ", with " + member;
    }
    return objection(member, member.ranks);
  }

  /** Returns why a child cannot bring further ranks, or null: it can. */
  @Nullable String objection(SwitchChild member, BitSet ranks) {
    if (ranks.isEmpty() || ranks.length() > nranks) {
      return member + " brings ranks that a group of " + nranks + " does not have";
    }
    return ranks.intersects(here) ? member + " brings ranks of which some have come before" : null;
  }

  /** Adds a child. */
  void add(SwitchChild member) {
    members.add(member);
    here.or(member.ranks);
  }

  /** Notes further ranks of a child. */
  void add(SwitchChild member, BitSet ranks) {
    member.ranks.or(ranks);
    here.or(ranks);
  }

  boolean isComplete() {
    return here.cardinality() == nranks;
  }

  /** Returns the ranks that are still to come. */
  BitSet missing() {
    BitSet missing = (BitSet) here.clone();
    missing.flip(0, nranks);
    return missing;
  }

  /** Puts the children in the order in which they are reduced. */
  void sort() {
    members.sort(Comparator.comparingInt(m -> m.ranks.nextSetBit(0)));
  }

  /**
   * Returns whether all ranks have come that name this switch. A switch below does not count: it
   * does not know the other ranks here, and reports further ranks of its own as they come.
   */
  boolean allOfThisSwitchAreHere() {
    int expected = 0;
    int local = 0;
    for (SwitchChild member : members) {
      expected = Math.max(expected, member.join.sameSwitch());
      local += member.isSwitch() ? 0 : 1;
    }
    return local >= expected;
  }

  /** Returns the largest segments that all can take. */
  int rootSegment() {
    int least = options.segmentBytes();
    for (SwitchChild member : members) {
      least = Math.min(least, Integer.highestOneBit(member.join.segmentBytes()));
    }
    return least;
  }

  /** Returns the largest segments with which the members that are here so far fit into memory. */
  int acceptableSegment() {
    GroupLayout fits = fit(rootSegment(), Segments.LEAST_BYTES, true);
    return fits == null ? Segments.LEAST_BYTES : fits.segmentBytes();
  }

  /**
   * Fits the children that are here into the memory of a group.
   *
   * @param answers whether there is a parent
   * @return null: nothing fits
   */
  @Nullable GroupLayout fit(int segment, int least, boolean answers) {
    boolean spares = !isRun(here);
    for (SwitchChild member : members) {
      spares |= !isRun(member.ranks);
    }
    return GroupLayout.fit(
        members.size(), segment, least, answers, spares, options.groupMemoryBytes());
  }

  private static boolean isRun(BitSet ranks) {
    return ranks.length() - ranks.nextSetBit(0) == ranks.cardinality();
  }
}
