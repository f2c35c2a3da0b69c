// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.spi.ResultCode;
import java.util.List;

/**
 * A frame on the control connection of a child and its switch, once both have proven that they have
 * the key. A child is a rank of a group, or a switch that brings all ranks below it to its parent.
 */
public sealed interface ControlFrame {

  /** A rank that is not known, in {@link Fail#rank}. */
  int NOBODY = -1;

  /** A number of operations that is not known, in {@link Fail#operations}. */
  long UNKNOWN = -1;

  /** The most ranks of a group. */
  int MAX_RANKS = 16_384;

  /** The longest text, in bytes of UTF-8; a longer one is cut. */
  int MAX_TEXT = 4_096;

  /** The largest segment, in bytes. */
  int MAX_SEGMENT = Segments.MOST_BYTES;

  /** The most segments that may be on their way. */
  int MAX_WINDOW = 1_024;

  /**
   * Up, the first frame: asks for a place in a group.
   *
   * @param group the group
   * @param nranks how many ranks the whole group has
   * @param ranks the ranks that this child brings, one or more, ascending
   * @param sameSwitch how many ranks of the group, these included, sit on this same switch; 0 from
   *     a switch, which does not know
   * @param segmentBytes the largest segment that the child takes, in bytes
   * @param device the child's tree, from 0
   * @param net the name of the network plugin that carries the data
   * @param handle where the child listens for what comes down
   */
  record Join(
      GroupId group,
      int nranks,
      List<Integer> ranks,
      int sameSwitch,
      int segmentBytes,
      int device,
      String net,
      NetHandle handle)
      implements ControlFrame {
    /** Copies the list. */
    public Join {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * Up, from a switch: further ranks have come to it.
   *
   * @param ranks those ranks, ascending
   */
  record More(List<Integer> ranks) implements ControlFrame {
    /** Copies the list. */
    public More {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * Down: all ranks are there, the data connections can be made.
   *
   * @param segmentBytes the length of a segment of this group in bytes, a power of two
   * @param window how many segments of one child the switch has room for
   * @param handle where the switch listens for what comes up from this child
   */
  record Admit(int segmentBytes, int window, NetHandle handle) implements ControlFrame {}

  /**
   * Down, the last frame: there is no place for this child, or for its group.
   *
   * @param code what kind of refusal; INVALID_USAGE where the group is not served
   * @param text why, for the user
   */
  record Refuse(ResultCode code, String text) implements ControlFrame {}

  /**
   * Up: the data connections of the child, and of all that is below it, are there. Down: those of
   * the whole tree are.
   */
  record Ready() implements ControlFrame {}

  /**
   * Either way: the group has failed.
   *
   * @param code what kind of failure
   * @param rank the rank whose failure it is; {@link #NOBODY} where that is not known
   * @param operations how many operations, counted from the group's first, still get their result,
   *     because no part of them is missing; {@link #UNKNOWN} on the way up
   * @param text what happened, for the user
   */
  record Fail(ResultCode code, int rank, long operations, String text) implements ControlFrame {}

  /** Up, the last frame: the child leaves on purpose. */
  record Leave() implements ControlFrame {}
}
