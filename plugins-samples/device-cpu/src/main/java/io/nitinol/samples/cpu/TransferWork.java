// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sends and receives between this rank and some others, all of them side by side. */
final class TransferWork implements StreamWork {
  /** The buffers that go one way between this rank and one other, in their order. */
  private abstract static class Flow {
    private final List<MemorySegment> buffers;
    private int next;
    private long at;

    Flow(List<MemorySegment> buffers) {
      this.buffers = buffers;
    }

    /** Moves one message. */
    abstract void move(MemorySegment buffer, long from, long count);

    abstract boolean canMove();

    boolean isDone() {
      return next == buffers.size();
    }

    /** Returns whether something was moved. */
    boolean advance() {
      if (isDone() || !canMove()) {
        return false;
      }
      MemorySegment buffer = buffers.get(next);
      long count = Math.min(PairChannel.SLOT_SIZE, buffer.byteSize() - at);
      move(buffer, at, count);
      at += count;
      if (at == buffer.byteSize()) { // one of 0 bytes is a message, too
        next++;
        at = 0;
      }
      return true;
    }
  }

  private final TeamLinks links;
  private final List<Flow> flows;

  private TransferWork(TeamLinks links, List<Flow> flows) {
    this.links = links;
    this.flows = flows;
  }

  static StreamOperation of(
      TeamLinks links,
      Map<Integer, List<MemorySegment>> sends,
      Map<Integer, List<MemorySegment>> receives) {
    return () -> {
      List<Flow> flows = new ArrayList<>();
      sends.forEach((peer, buffers) -> flows.add(sending(links.to(peer), buffers)));
      receives.forEach((peer, buffers) -> flows.add(receiving(links.from(peer), buffers)));
      return new TransferWork(links, flows);
    };
  }

  private static Flow sending(PairChannel channel, List<MemorySegment> buffers) {
    return new Flow(buffers) {
      @Override
      boolean canMove() {
        return channel.hasRoom();
      }

      @Override
      void move(MemorySegment buffer, long from, long count) {
        MemorySegment.copy(buffer, from, channel.nextToSend(), 0, count);
        channel.sent();
      }
    };
  }

  private static Flow receiving(PairChannel channel, List<MemorySegment> buffers) {
    return new Flow(buffers) {
      @Override
      boolean canMove() {
        return channel.hasMessage();
      }

      @Override
      void move(MemorySegment buffer, long from, long count) {
        MemorySegment.copy(channel.nextToReceive(), 0, buffer, from, count);
        channel.received();
      }
    };
  }

  @Override
  public Progress advance() {
    if (links.aborted() != null) {
      return Progress.DONE;
    }
    boolean moved = false;
    boolean done = true;
    for (Flow flow : flows) {
      moved |= flow.advance();
      done &= flow.isDone();
    }
    return done ? Progress.DONE : moved ? Progress.MORE : Progress.BLOCKED;
  }
}
