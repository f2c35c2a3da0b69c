// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/**
 * One segment on its way from the reduction to the children, by way of the parent where there is
 * one. Reused.
 */
final class SegmentResult {
  /** The operation that it belongs to. */
  final Descriptor op = new Descriptor();

  /** Which segment of the operation it is. */
  long segment;

  /** How many operations the group has had before. */
  long operation;

  /**
   * Where the descriptor's copy for the parent lies in the group's memory; the sum is behind it.
   */
  final long head;

  /** Where the children's sum lies, or what they have gathered. */
  final long sum;

  /** Where the parent's answer comes to; without a parent nowhere. */
  final long answer;

  /** Where parts are put together that do not lie side by side; where all do, nowhere. */
  final long spare;

  /** The first byte for each child, in the group's memory. */
  final long[] starts;

  /** How many bytes each child gets; -1: no message. */
  final int[] lengths;

  /** The first byte for the parent, in the group's memory. */
  long upStart;

  /** How many bytes the parent gets of the segment. */
  int upLength;

  /** How many bytes the parent answers; -1: no message. */
  int answerLength;

  // The messages to and from the parent, while they are under way.
  @Nullable Request headSend;
  @Nullable Request sumSend;
  @Nullable Request answerReceive;

  /** The receive of the last answer here, where the network wants to be told that it was used. */
  @Nullable Request answerUsed;

  SegmentResult(long head, long sum, long answer, long spare, int children) {
    this.head = head;
    this.sum = sum;
    this.answer = answer;
    this.spare = spare;
    this.starts = new long[children];
    this.lengths = new int[children];
  }
}
