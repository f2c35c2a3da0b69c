// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v5.Net;
import org.jspecify.annotations.Nullable;

/** A send, which has one piece, or a receive; belongs to one end, which uses it again and again. */
final class V5Operation implements Request {
  final V5Connection owner;
  final @Nullable V5Region[] regions = new V5Region[SampleV5.MAX_RECVS];
  final int[] offsets = new int[SampleV5.MAX_RECVS];
  final int[] lengths = new int[SampleV5.MAX_RECVS]; // the room, then what arrived
  int pieces;
  int arrived; // a bit for each piece that is there
  boolean live;
  boolean complete;

  V5Operation(V5Connection owner) {
    this.owner = owner;
  }

  /** The operations of one end that nobody uses. */
  static final class Pool {
    private final V5Operation[] free;
    private int count;

    Pool(V5Connection owner, int receivesOrSends) {
      free = new V5Operation[receivesOrSends];
      while (count < free.length) {
        free[count++] = new V5Operation(owner);
      }
    }

    boolean isEmpty() {
      return count == 0;
    }

    V5Operation take(int pieces) {
      V5Operation operation = free[--count];
      operation.pieces = pieces;
      operation.arrived = 0;
      operation.live = true;
      operation.complete = false;
      return operation;
    }

    void giveBack(V5Operation operation) {
      operation.live = false;
      free[count++] = operation;
    }
  }

  /** Operations in the order in which they were started; as large as a pool, so never too small. */
  static final class Queue {
    private final @Nullable V5Operation[] ring;
    private int head;
    private int size;

    Queue(int capacity) {
      ring = new V5Operation[capacity];
    }

    @Nullable V5Operation first() {
      return size == 0 ? null : ring[head];
    }

    void add(V5Operation operation) {
      ring[(head + size++) % ring.length] = operation;
    }

    void removeFirst() {
      head = (head + 1) % ring.length;
      size--;
    }
  }

  static final int SENDS = Net.MAX_REQUESTS * SampleV5.MAX_RECVS;
  static final int RECEIVES = Net.MAX_REQUESTS;
}
