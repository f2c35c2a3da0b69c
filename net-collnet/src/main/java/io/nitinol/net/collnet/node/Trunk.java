// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The data connections to the parent, to which this switch is a child like any other: sums go up,
 * answers come down.
 */
@OnlyThread("switch worker")
final class Trunk {
  private final Net net;
  private final SendComm up;
  private final RecvComm down;
  private final boolean consumes;
  private final SwitchTraffic traffic;
  private final int room;
  private final MemoryHandle sendHandle;

  // Results by number: those of which all is on its way up, and has gone; those for whose answer
  // there is a receive, and those that were answered. Results without an answer count too.
  private long sent;
  private boolean headSent;
  private long cleared;
  private long posted;
  private long answered;

  // The two connections end apart: the last answers may come when nothing goes up any more.
  private boolean upLost;
  private boolean downLost;

  private final int[] size = new int[1];
  private final MemoryHandle[] handles;
  private final long[] offsets = new long[1];
  private final long[] lengths = new long[1];
  private final int[] tags = new int[1];

  /**
   * Registers the memory.
   *
   * @param room how many bytes there are for an answer
   */
  Trunk(
      Net net, SendComm up, RecvComm down, MemorySegment memory, int room, SwitchTraffic traffic) {
    this.net = net;
    this.up = up;
    this.down = down;
    this.consumes = net.supports(OptionalOperation.IRECV_CONSUMED);
    this.room = room;
    this.traffic = traffic;
    this.sendHandle = net.regMr(up, Memory.ofHost(memory));
    this.handles = new MemoryHandle[] {net.regMr(down, Memory.ofHost(memory))};
  }

  /**
   * Moves sums up and answers down. Where a connection has failed, what came before that is taken
   * all the same.
   *
   * @param ring the results
   * @param made how many there have been so far, counted from the group's first
   * @param ending whether the group has failed: then it is no news that the parent has closed the
   *     way up, while the last answers are still on their way down
   * @return whether anything moved
   * @throws PeerException when a connection has failed, once for each, or an answer is wrong
   */
  boolean move(SegmentResult[] ring, long made, boolean ending) {
    long before = posted + sent + cleared + answered;
    boolean hears = !downLost;
    NetException lost = null;
    if (hears) {
      try {
        post(ring, made);
      } catch (NetException e) {
        downLost = true;
        lost = e;
      }
    }
    if (!upLost) {
      try {
        send(ring, made);
        clear(ring);
      } catch (NetException e) {
        upLost = true;
        lost = lost == null && !ending ? e : lost;
      }
    }
    if (hears) {
      try {
        take(ring, made);
      } catch (NetException e) {
        downLost = true;
        lost = lost == null ? e : lost;
      }
    }
    if (lost != null) {
      throw PeerException.lost(PeerException.PARENT, lost.result(), lost);
    }
    return posted + sent + cleared + answered > before;
  }

  private void post(SegmentResult[] ring, long made) {
    while (posted < made) {
      SegmentResult result = ring[(int) (posted % ring.length)];
      Request used = result.answerUsed;
      if (used != null) { // the place is free again: all that came there has gone on
        result.answerUsed = null;
        net.irecvConsumed(down, 1, used);
      }
      if (result.answerLength >= 0) {
        offsets[0] = result.answer;
        lengths[0] = room;
        Request request = net.irecv(down, 1, handles, offsets, lengths, tags, null, 0);
        if (request == null) {
          return;
        }
        result.answerReceive = request;
      }
      posted++;
    }
  }

  private void send(SegmentResult[] ring, long made) {
    while (sent < made) {
      SegmentResult result = ring[(int) (sent % ring.length)];
      boolean inline = result.op.isInline();
      if (result.segment == 0 && !headSent) {
        int length = Descriptor.BYTES + (inline ? result.upLength : 0);
        Request request = net.isend(up, sendHandle, result.head, length, 0, 0);
        if (request == null) {
          return;
        }
        result.headSend = request;
        headSent = true;
        traffic.out(length);
      }
      if (!inline && result.upLength > 0) {
        Request request = net.isend(up, sendHandle, result.upStart, result.upLength, 0, 0);
        if (request == null) {
          return;
        }
        result.sumSend = request;
        traffic.out(result.upLength);
      }
      headSent = false;
      sent++;
    }
  }

  private void clear(SegmentResult[] ring) {
    while (cleared < sent) {
      SegmentResult result = ring[(int) (cleared % ring.length)];
      if (!isOver(result.headSend)) {
        return;
      }
      result.headSend = null;
      if (!isOver(result.sumSend)) {
        return;
      }
      result.sumSend = null;
      cleared++;
    }
  }

  private boolean isOver(@Nullable Request request) {
    return request == null || net.test(request, null);
  }

  private void take(SegmentResult[] ring, long made) {
    while (answered < Math.min(posted, made)) {
      SegmentResult result = ring[(int) (answered % ring.length)];
      Request request = result.answerReceive;
      if (request != null) {
        if (!net.test(request, size)) {
          return;
        }
        result.answerReceive = null;
        result.answerUsed = consumes ? request : null;
        if (size[0] != result.answerLength) {
          throw PeerException.lied(
              PeerException.PARENT,
              ErrorText.of(
                  "an answer of %s bytes, expected %s, to segment %s of %s",
                  size[0], result.answerLength, result.segment, result.op));
        }
        traffic.in(size[0]);
      }
      answered++;
    }
  }

  /** Returns how many results were answered and have nothing on its way up that is needed. */
  long ready() {
    return upLost || downLost ? answered : Math.min(answered, cleared);
  }

  /** Returns whether no more answers come than there are. */
  boolean isDownLost() {
    return downLost;
  }

  /** Leaves the parent alone from now on. */
  void drop() {
    upLost = true;
    downLost = true;
  }
}
