// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The data of one running group: takes what the children send, reduces or joins a segment once all
 * of them have sent it, and sends the result to all, by way of the parent where there is one.
 * Operations follow each other without a gap: while the results of one go out, the next is reduced.
 * It makes no object, takes no lock and never waits.
 */
@OnlyThread("switch worker")
final class SwitchFlow {
  private final Kernels kernels;
  private final int nranks;
  private final MemorySegment memory;
  private final SwitchPort[] ports;
  private final SegmentResult[] ring;
  private final Segments own;
  private final @Nullable Trunk trunk;
  private final SwitchTraffic traffic;

  // The operation that is being reduced.
  private final Descriptor op = new Descriptor();
  private boolean begun;
  private long segment;
  private long segments;
  private long operations;

  // Counts of results: made, ready to be sent down, and with a free place again.
  private long made;
  private long ready;
  private long freed;

  private boolean halted;
  private long delivered;

  /**
   * Begins with the first operation.
   *
   * @param ports the children in the order of their lowest ranks
   * @param own what belongs to the ranks of all of them
   * @param trunk the way to the parent; null: this is the root
   */
  SwitchFlow(
      Kernels kernels,
      int nranks,
      MemorySegment memory,
      SwitchPort[] ports,
      SegmentResult[] ring,
      Segments own,
      @Nullable Trunk trunk,
      SwitchTraffic traffic) {
    this.kernels = kernels;
    this.nranks = nranks;
    this.memory = memory;
    this.ports = ports;
    this.ring = ring;
    this.own = own;
    this.trunk = trunk;
    this.traffic = traffic;
  }

  /**
   * Does what can be done now.
   *
   * @return whether anything moved
   * @throws PeerException when a child or the parent has failed or lied
   */
  boolean poll() {
    boolean moved = false;
    if (!halted) {
      for (SwitchPort port : ports) {
        moved |= port.receive();
      }
      while (reduceNext()) {
        moved = true;
      }
    }
    if (trunk != null) {
      PeerException lost = null;
      try {
        moved |= trunk.move(ring, made, halted);
      } catch (PeerException e) {
        lost = e; // thrown behind the last answers, which the children still get
      }
      while (ready < Math.min(made, trunk.ready())) {
        SegmentResult result = ring[(int) (ready % ring.length)];
        lead(result, answerLayout(result), own.isRun() ? result.spare : result.sum);
        deliver(result);
      }
      if (lost != null) {
        throw lost;
      }
    }
    for (SwitchPort port : ports) {
      moved |= port.send(ring, ready);
    }
    return moved;
  }

  /** Reduces a segment where there are all contributions to it and room for the result. */
  private boolean reduceNext() {
    if (!hasRoom()) {
      return false;
    }
    if (!begun) {
      for (SwitchPort port : ports) {
        if (!port.hasMessage()) {
          return false;
        }
      }
      begin();
    }
    boolean inline = op.isInline();
    for (SwitchPort port : ports) {
      if (!inline && port.segments.upBytes(op, segment) > 0 && !port.hasMessage()) {
        return false;
      }
    }
    checkLengths(inline ? Descriptor.BYTES : 0);
    SegmentResult result = ring[(int) (made % ring.length)];
    result.op.copy(op);
    result.segment = segment;
    result.operation = operations;
    join(result, inline ? Descriptor.BYTES : 0);
    for (SwitchPort port : ports) {
      if (inline || port.segments.upBytes(op, segment) > 0) {
        port.use();
      }
    }
    made++;
    if (++segment == segments) {
      begun = false;
      operations++;
      traffic.operation();
    }
    if (trunk == null) {
      lead(result, result.sum, result.spare);
      deliver(result);
    } else {
      raise(result);
    }
    return true;
  }

  private boolean hasRoom() {
    if (made - freed < ring.length) {
      return true;
    }
    long least = Long.MAX_VALUE;
    for (SwitchPort port : ports) {
      least = Math.min(least, port.done());
    }
    freed = least;
    return made - freed < ring.length;
  }

  /** Takes the descriptors, which must be equal. */
  private void begin() {
    SwitchPort first = ports[0];
    String wrong = op.read(first.slots, first.message(), first.messageBytes(), nranks);
    if (wrong != null) {
      throw PeerException.lied(0, "it sent " + wrong);
    }
    if (op.sequence() != operations) {
      throw PeerException.lied(
          0, "it sent " + op + " where operation " + operations + " was expected");
    }
    for (SwitchPort port : ports) {
      if (port.messageBytes() < Descriptor.BYTES
          || !Descriptor.isSame(first.slots, first.message(), port.slots, port.message())) {
        throw PeerException.lied(
            port.child,
            ErrorText.of(
                "members disagree: it sent %s, the first member %s",
                port.describe(new Descriptor(), nranks), op));
      }
    }
    begun = true;
    segment = 0;
    segments = own.count(op);
    if (!op.isInline()) {
      for (SwitchPort port : ports) {
        if (port.messageBytes() != Descriptor.BYTES) {
          throw PeerException.lied(
              port.child,
              ErrorText.of(
                  "it sent a message of %s bytes, expected a descriptor of %s, of %s",
                  port.messageBytes(), Descriptor.BYTES, op));
        }
        port.use();
      }
    }
  }

  private void checkLengths(int skip) {
    for (SwitchPort port : ports) {
      int expected = port.segments.upBytes(op, segment);
      if ((skip > 0 || expected > 0) && port.messageBytes() != skip + expected) {
        throw PeerException.lied(
            port.child,
            ErrorText.of(
                "it sent %s bytes, expected %d, as segment %d of %s",
                port.messageBytes(), skip + expected, segment, op));
      }
    }
  }

  /** Makes one of what the children sent. */
  private void join(SegmentResult result, int skip) {
    int length = own.length(op, segment);
    if (op.kind() == Collective.ALL_GATHER) {
      for (SwitchPort port : ports) {
        if (port.segments.own(op, segment) > 0) {
          port.segments.unpack(op, segment, port.slots, port.message() + skip, memory, result.sum);
        }
      }
      traffic.segment(0);
    } else {
      if (length > 0) {
        Reducer.reduce(
            kernels.of(op.type(), op.op()),
            op.type().size(),
            ports,
            skip,
            memory,
            result.sum,
            length);
      }
      traffic.segment((long) length * ports.length);
    }
  }

  /** Makes a result ready for the parent. */
  private void raise(SegmentResult result) {
    result.upLength = own.upBytes(op, result.segment);
    result.upStart = result.sum;
    if (op.kind() == Collective.ALL_GATHER && result.upLength > 0) {
      if (own.isRun()) {
        result.upStart = result.sum + own.ownStart(op, result.segment);
      } else {
        result.upStart = result.spare;
        own.pack(op, result.segment, memory, result.sum, memory, result.spare);
      }
      if (op.isInline()) {
        // The parent sends back the whole, so the parts are not needed in their places any more.
        MemorySegment.copy(memory, result.upStart, memory, result.sum, result.upLength);
      }
    }
    result.answerLength =
        own.isAnswered(op, result.segment) ? own.downBytes(op, result.segment) : -1;
    if (result.segment == 0) {
      op.write(memory, result.head);
    }
  }

  /** Returns where the segment would begin that the parent's answer is all or a part of. */
  private long answerLayout(SegmentResult result) {
    if (result.op.kind() != Collective.REDUCE_SCATTER) {
      return result.answer;
    }
    if (own.isRun()) {
      return result.answer - own.ownStart(result.op, result.segment);
    }
    own.unpack(result.op, result.segment, memory, result.answer, memory, result.spare);
    return result.spare;
  }

  /**
   * Sets where each child's part of a result lies.
   *
   * @param layout where the segment begins
   * @param packed where parts may be put together that do not lie side by side in it
   */
  private void lead(SegmentResult result, long layout, long packed) {
    boolean scatter = result.op.kind() == Collective.REDUCE_SCATTER;
    long free = packed;
    for (SwitchPort port : ports) {
      Segments part = port.segments;
      int length =
          part.isAnswered(result.op, result.segment)
              ? part.downBytes(result.op, result.segment)
              : -1;
      long start = layout;
      if (length == 0) {
        start = result.head;
      } else if (scatter && part.isRun()) {
        start = layout + part.ownStart(result.op, result.segment);
      } else if (scatter && length > 0) {
        start = free;
        part.pack(result.op, result.segment, memory, layout, memory, free);
        free += length;
      }
      result.starts[port.child] = start;
      result.lengths[port.child] = length;
    }
  }

  private void deliver(SegmentResult result) {
    ready++;
    if (own.isLast(result.op, result.segment)) {
      delivered = result.operation + 1;
    }
  }

  /** Stops taking contributions; results go on. */
  void halt() {
    halted = true;
  }

  /**
   * Halts, and forgets the results of all but the first operations.
   *
   * @param most how many operations there were up to the last that counts
   */
  void limit(long most) {
    halted = true;
    while (made > freed && ring[(int) ((made - 1) % ring.length)].operation >= most) {
      made--;
    }
    ready = Math.min(ready, made);
  }

  /** Returns whether all children have all results, but for those that are gone. */
  boolean isDrained() {
    for (SwitchPort port : ports) {
      if (port.done() < made) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many operations have everything that the children here contribute. */
  long operations() {
    return operations;
  }

  /** Returns of how many operations the whole result is here. */
  long delivered() {
    return delivered;
  }

  /** Returns of how many operations the whole result is here or may still come. */
  long deliverable() {
    return trunk != null && trunk.isDownLost() ? delivered : Long.MAX_VALUE;
  }

  /** Returns whether nothing is under way. */
  boolean isIdle() {
    boolean idle = !begun && isDrained();
    for (SwitchPort port : ports) {
      idle &= !port.hasMessage();
    }
    return idle;
  }

  /** Leaves a child, or the parent, alone from now on. */
  void drop(int child) {
    if (child != PeerException.PARENT) {
      ports[child].drop();
    } else if (trunk != null) {
      trunk.drop();
    }
  }
}
