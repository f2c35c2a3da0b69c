// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does all-gather, barrier and broadcast among some of the ranks, by messages between two. Every
 * rank of the group calls the same operation with the same list of ranks and the same tag. Calls of
 * different groups or tags do not disturb each other.
 */
final class BootstrapExchange {

  /** The messages that the operations are made of. */
  interface Messages {
    void send(int peer, FrameType type, int tag, byte[] body);

    byte[] take(int peer, FrameType type, int tag, String what);
  }

  private final Messages messages;
  private final int size;
  private final int[] ranks;
  private final int self;

  /**
   * Prepares an operation of {@code rank} within {@code ranks}, out of {@code size} in all.
   *
   * @throws BootstrapException when a rank is twice in the list, or {@code rank} is not in it
   */
  BootstrapExchange(Messages messages, int rank, int size, int[] ranks) {
    this.messages = messages;
    this.size = size;
    this.ranks = ranks.clone();
    this.self = indexOf(rank);
    Set<Integer> different = new HashSet<>();
    for (int each : ranks) {
      if (each < 0 || each >= size || !different.add(each)) {
        throw invalid("rank " + each + " is twice in it or not one of " + size + " ranks");
      }
    }
  }

  private BootstrapException invalid(String why) {
    return new BootstrapException(
        ResultCode.INVALID_ARGUMENT,
        "bootstrap: group of ranks " + Arrays.toString(ranks) + ": " + why);
  }

  private int indexOf(int rank) {
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) {
        return i;
      }
    }
    throw invalid("rank " + rank + " is not in it");
  }

  private int at(int index) {
    return ranks[Math.floorMod(index, ranks.length)];
  }

  /** Each block goes once around the ring of the group. Returns the blocks in the group's order. */
  byte[][] allGather(int tag, byte[] mine) {
    int n = ranks.length;
    byte[][] all = new byte[n][];
    all[self] = mine.clone();
    int from = at(self - 1);
    for (int step = 0; step < n - 1; step++) {
      messages.send(at(self + 1), FrameType.ALL_GATHER, tag, all[Math.floorMod(self - step, n)]);
      int index = Math.floorMod(self - step - 1, n);
      all[index] =
          messages.take(
              from,
              FrameType.ALL_GATHER,
              tag,
              ErrorText.of(
                  "the block of rank %d from rank %d in an all-gather%s",
                  ranks[index], from, Tags.purpose(tag)));
    }
    return all;
  }

  /** Dissemination: after round k each rank has heard, directly or not, from 2^(k+1) ranks. */
  void barrier(int tag) {
    for (int distance = 1; distance < ranks.length; distance *= 2) {
      messages.send(at(self + distance), FrameType.BARRIER, tag, new byte[0]);
      int from = at(self - distance);
      messages.take(
          from, FrameType.BARRIER, tag, "rank " + from + " to enter a barrier" + Tags.purpose(tag));
    }
  }

  /** A binomial tree. Returns the root's data. */
  byte[] broadcast(int root, int tag, byte @Nullable [] data) {
    if (root < 0 || root >= size) {
      throw invalid("the root of a broadcast, rank " + root + ", is not one of " + size + " ranks");
    }
    int first = indexOf(root);
    int position = Math.floorMod(self - first, ranks.length); // of the tree, the root is 0
    byte[] value;
    if (position == 0) {
      if (data == null) {
        throw invalid("the root of a broadcast, rank " + root + ", gives no data");
      }
      value = data.clone();
    } else {
      int from = at(first + position - Integer.highestOneBit(position));
      value =
          messages.take(
              from,
              FrameType.BROADCAST,
              tag,
              "the broadcast of rank " + root + " from rank " + from + Tags.purpose(tag));
    }
    int lowest = position == 0 ? 1 : 2 * Integer.highestOneBit(position);
    for (int distance = lowest; position + distance < ranks.length; distance *= 2) {
      messages.send(at(first + position + distance), FrameType.BROADCAST, tag, value);
    }
    return value;
  }
}
