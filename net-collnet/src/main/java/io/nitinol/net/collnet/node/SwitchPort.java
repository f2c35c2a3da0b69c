// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The data connections of one child: a ring of slots that its messages come into, and the results
 * that go out to it. A receive is posted for every free slot, of which so many messages come ahead
 * and no more: these are the child's credits.
 */
@OnlyThread("switch worker")
final class SwitchPort {
  /** The child's number in its group. */
  final int child;

  /** What belongs to the child's ranks. */
  final Segments segments;

  private final Net net;
  private final RecvComm up;
  private final SendComm down;
  private final SwitchTraffic traffic;

  /** The slots. */
  final MemorySegment slots;

  private final boolean consumes;
  private final int window;
  private final long stride;
  private final MemoryHandle resultHandle;
  private final @Nullable Request[] receives;
  private final int[] sizes;
  // Messages by number: posted receives, messages that are there, messages that were used.
  private long posted;
  private long arrived;
  private long used;
  private @Nullable NetException unconsumed;

  private final @Nullable Request[] sends;
  // Counts of results: sent, or not for this child; and done.
  private long sent;
  private long done;
  private boolean gone;

  private final int[] size = new int[1];
  private final MemoryHandle[] handles;
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];

  /**
   * Registers the memory.
   *
   * @param slots {@code window} times {@code stride} bytes for what comes
   * @param results what the results are sent from
   * @param ring how many results there may be at once
   */
  SwitchPort(
      int child,
      Segments segments,
      Net net,
      RecvComm up,
      SendComm down,
      MemorySegment slots,
      int window,
      MemorySegment results,
      int ring,
      SwitchTraffic traffic) {
    this.child = child;
    this.segments = segments;
    this.net = net;
    this.up = up;
    this.down = down;
    this.slots = slots;
    this.consumes = net.supports(OptionalOperation.IRECV_CONSUMED);
    this.window = window;
    this.stride = slots.byteSize() / window;
    this.traffic = traffic;
    this.receives = new @Nullable Request[window];
    this.sizes = new int[window];
    this.sends = new @Nullable Request[ring];
    this.handles = new MemoryHandle[] {net.regMr(up, Memory.ofHost(slots))};
    this.resultHandle = net.regMr(down, Memory.ofHost(results));
  }

  /** Posts receives for free slots and looks for messages; returns whether one came. */
  boolean receive() {
    if (gone) {
      return false;
    }
    if (unconsumed != null) {
      throw PeerException.lost(child, unconsumed.result(), unconsumed);
    }
    try {
      while (posted - used < window) {
        offsets[0] = offset(posted);
        lengths[0] = stride;
        Request request = net.irecv(up, 1, handles, offsets, lengths, tags, null, 0);
        if (request == null) {
          break;
        }
        receives[index(posted++)] = request;
      }
      long before = arrived;
      long bytes = 0;
      while (arrived < posted && isThere(receives[index(arrived)])) {
        sizes[index(arrived)] = size[0];
        bytes += size[0];
        if (!consumes) { // else it is kept until the message is used (NET-TEST-06)
          receives[index(arrived)] = null;
        }
        arrived++;
      }
      if (arrived > before) {
        traffic.in(bytes);
      }
      return arrived > before;
    } catch (NetException e) {
      throw PeerException.lost(child, e.result(), e);
    }
  }

  private boolean isThere(@Nullable Request request) {
    return request != null && net.test(request, size);
  }

  /** Returns whether a message waits to be used. */
  boolean hasMessage() {
    return used < arrived;
  }

  /** Returns where the message that waits begins in {@link #slots}. */
  long message() {
    return offset(used);
  }

  /** Returns the length of the message that waits, in bytes. */
  int messageBytes() {
    return sizes[index(used)];
  }

  /** Frees the slot of the message that waited. */
  void use() {
    int at = index(used++);
    Request request = receives[at];
    receives[at] = null;
    if (request != null && !gone) {
      try {
        net.irecvConsumed(up, 1, request);
      } catch (NetException e) {
        unconsumed = e; // the caller is in the middle of a segment: receive throws it
      }
    }
  }

  private long offset(long number) {
    return index(number) * stride;
  }

  private int index(long number) {
    return (int) (number % window);
  }

  /**
   * Sends results as far as they go.
   *
   * @param ring the results
   * @param ready how many there have been so far, counted from the group's first
   * @return whether something was sent or completed
   */
  boolean send(SegmentResult[] ring, long ready) {
    if (gone) {
      sent = Math.max(sent, ready);
      done = sent;
      return false;
    }
    try {
      long before = sent + done;
      while (sent < ready) {
        SegmentResult result = ring[(int) (sent % ring.length)];
        int length = result.lengths[child];
        if (length >= 0) {
          Request request = net.isend(down, resultHandle, result.starts[child], length, 0, 0);
          if (request == null) {
            break;
          }
          sends[(int) (sent % ring.length)] = request;
          traffic.out(length);
        }
        sent++;
      }
      while (done < sent) {
        int at = (int) (done % ring.length);
        Request request = sends[at];
        if (request != null && !net.test(request, null)) {
          break;
        }
        sends[at] = null;
        done++;
      }
      return sent + done > before;
    } catch (NetException e) {
      throw PeerException.lost(child, e.result(), e);
    }
  }

  /** Returns how many results the child has no more need of. */
  long done() {
    return done;
  }

  /** Leaves the child alone from now on. */
  void drop() {
    gone = true;
  }

  /** Describes the message that waits, for an error. */
  String describe(Descriptor scratch, int nranks) {
    String wrong = scratch.read(slots, message(), messageBytes(), nranks);
    return wrong == null ? scratch.toString() : wrong;
  }
}
