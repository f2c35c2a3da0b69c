// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.net.DirectLink;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a rail of two rows whose ranks give each other whole slots: what this rank has
 * goes from its slot to the network plugin and from there into the slot of the other one, without a
 * copy between. The devices combine the two. It is what NCCL's proxy does, where the host only
 * moves bytes; that each rank sends all of its slot costs no more than a ring does between two.
 *
 * <p>A message is a {@link MessageHeader} and the data. The header has this connection's own number
 * of the chunk and the call that it belongs to, so a rank whose peer has called something else
 * fails by the first message: INVALID_USAGE, with both calls. (The number by which a rank chooses
 * its slot is no other rank's: sends and receives, which only some ranks call, count there too.) Up
 * to {@link Crossing#DEPTH} chunks are under way at once.
 *
 * <p>The bridge thread begins with chunks and asks for them. The driving thread, which may be
 * another one, moves them. It sees the bridge thread's writes behind {@link #begun}, and the bridge
 * thread sees the driving thread's behind {@link #finished}.
 */
final class DirectRail implements AutoCloseable {
  /** The longest message: a full slot and its header. */
  static final int MOST_BYTES = MessageHeader.BYTES + BridgeMemory.SLOT_BYTES;

  private static final int PLACES = 2 * Crossing.DEPTH;

  /**
   * So often the driving thread looks in vain before a limit counts: after a pause of the whole
   * process the time is over at once, and the data are there.
   */
  private static final int LEAST_LOOKS = 10;

  private static final int COMPLETE = 0;
  private static final int TO_START = 1;
  private static final int UNDER_WAY = 2;

  private final int rank;
  private final int peer;
  private final DirectLink link;
  private final BridgeMemory memory;
  private final CommFailures failures;
  private final long stallNanos;
  private final Supplier<@Nullable FailureReport> waits = this::waiting;

  /** The size of a part that was not the expected one, or -1; written after the other. */
  private volatile int wrongSize = -1;

  private long expectedSize;

  // By place: what is sent and received of a chunk. Both ranks' messages have the same length.
  private final long[] outgoing = new long[PLACES];
  private final long[] incoming = new long[PLACES];
  private final long[] lengths = new long[PLACES];

  /** The most bytes that are received: the message of another call may be longer. */
  private final long[] rooms = new long[PLACES];

  private final boolean[] headed = new boolean[PLACES];
  private final long[] words = new long[PLACES];
  private final long[] counts = new long[PLACES];
  private final int[] sending = new int[PLACES];
  private final int[] receiving = new int[PLACES];
  private final @Nullable Request[] sends = new @Nullable Request[PLACES];
  private final @Nullable Request[] receives = new @Nullable Request[PLACES];

  /** How many chunks the bridge thread has begun with. */
  private volatile long begun;

  /** How many of them the driving thread has moved both ways. */
  private volatile long finished;

  private volatile long movedAt;

  /** How often the driving thread has looked in vain since something moved. */
  private int looks;

  /**
   * Begins to answer for this connection.
   *
   * @param rank this rank's number in the rail, 0 or 1
   * @param link connects it with the other one
   * @param failures of the rail's communicator
   * @param stallNanos how long nothing may move while something is under way; 0 for ever
   */
  DirectRail(
      int rank, DirectLink link, BridgeMemory memory, CommFailures failures, long stallNanos) {
    this.rank = rank;
    this.peer = 1 - rank;
    this.link = link;
    this.memory = memory;
    this.failures = failures;
    this.stallNanos = stallNanos;
    failures.alsoAnswerWith(waits);
  }

  /**
   * Begins with a chunk, whose slot is full and whose other half is free: with its header, and as
   * many bytes behind that as this connection carries of it.
   *
   * @param number of the chunk on this rank, which chooses the slot
   * @param size the bytes from the beginning of the slot on
   * @return the message's number on this connection
   */
  @OnlyThread("bridge")
  long begin(HostOperation operation, long number, long size) {
    long index = begun;
    int place = (int) (index % PLACES);
    headed[place] = true;
    outgoing[place] = memory.outOffset(number) - MessageHeader.BYTES;
    incoming[place] = memory.inOffset(number) - MessageHeader.BYTES;
    lengths[place] = MessageHeader.BYTES + size;
    rooms[place] = MOST_BYTES;
    boolean reduces =
        switch (operation.collective) {
          case ALL_GATHER, BROADCAST -> false;
          default -> true;
        };
    words[place] =
        MessageHeader.word(
            index + 1,
            operation.collective.code(),
            operation.type.code(),
            reduces ? operation.op.code() : CollectiveCall.NO_OPERATOR,
            operation.root,
            0,
            0);
    counts[place] = MessageHeader.countWord(operation.total(), 0); // a call, not a chunk
    if (isSent(operation)) {
      long at = memory.outOffset(number);
      MessageHeader.write(memory.slots(), at, words[place], counts[place]);
    }
    return start(operation, place);
  }

  /**
   * Begins with some bytes of a chunk, whose header goes over another connection.
   *
   * @param from the first byte in the slot
   * @return the message's number on this connection
   */
  @OnlyThread("bridge")
  long beginPart(HostOperation operation, long number, long from, long size) {
    int place = (int) (begun % PLACES);
    headed[place] = false;
    outgoing[place] = memory.outOffset(number) + from;
    incoming[place] = memory.inOffset(number) + from;
    lengths[place] = size;
    rooms[place] = Math.min(MOST_BYTES, BridgeMemory.SLOT_BYTES + BridgeMemory.BEHIND - from);
    return start(operation, place);
  }

  private long start(HostOperation operation, int place) {
    long index = begun;
    sending[place] = isSent(operation) ? TO_START : COMPLETE;
    receiving[place] = isReceived(operation) ? TO_START : COMPLETE;
    if (index == finished) {
      movedAt = System.nanoTime();
    }
    begun = index + 1;
    return index + 1;
  }

  private boolean isSent(HostOperation operation) {
    return !isRooted(operation) || (operation.root == rank) == operation.isFromRoot();
  }

  private boolean isReceived(HostOperation operation) {
    return !isRooted(operation) || (operation.root == rank) != operation.isFromRoot();
  }

  private static boolean isRooted(HostOperation operation) {
    return switch (operation.collective) {
      case BROADCAST, REDUCE -> true;
      default -> false;
    };
  }

  /** Returns whether a chunk has left and come, by its number on this connection. */
  @OnlyThread("bridge")
  boolean isDone(long number) {
    return number <= finished;
  }

  /**
   * Reports a part that came with another size than this rank has begun with, if there was one. Its
   * header, which the first connection has seen by now, was right.
   */
  @OnlyThread("bridge")
  void reportWrongPart() {
    int size = wrongSize;
    if (size >= 0) {
      String problem =
          ErrorText.of(
              "rank %d got a part of %d bytes from rank %d and expected %d",
              rank, size, peer, expectedSize);
      failures.report(new FailureReport(rank, ResultCode.INVALID_USAGE, -1, problem));
    }
  }

  /** Returns whether something is under way. */
  @AnyThread
  boolean isUnderWay() {
    return begun > finished;
  }

  /**
   * Moves what can be moved; returns whether there was something. A failure is told to the rail's
   * communicator, whose verdict the bridge thread has to look for.
   */
  @OnlyThread("driving thread")
  boolean progress() {
    long from = finished;
    long to = begun;
    if (from == to || failures.isStopped()) {
      return false;
    }
    boolean moved = false;
    try {
      moved = startReceives(from, to);
      moved |= startSends(from, to);
      moved |= test(from, to);
    } catch (NetException e) {
      failures.suspect(peer, e);
    }
    if (moved) {
      movedAt = System.nanoTime();
      looks = 0;
    } else if (looks < LEAST_LOOKS) {
      looks++;
    }
    return moved;
  }

  private boolean startReceives(long from, long to) {
    boolean moved = false;
    for (long i = from; i < to; i++) {
      int place = (int) (i % PLACES);
      if (receiving[place] == TO_START) {
        Request request = link.receive(incoming[place], rooms[place]);
        if (request == null) {
          return moved;
        }
        receives[place] = request;
        receiving[place] = UNDER_WAY;
        moved = true;
      }
    }
    return moved;
  }

  private boolean startSends(long from, long to) {
    boolean moved = false;
    for (long i = from; i < to; i++) {
      int place = (int) (i % PLACES);
      if (sending[place] == TO_START) {
        Request request = link.send(outgoing[place], lengths[place]);
        if (request == null) {
          return moved;
        }
        sends[place] = request;
        sending[place] = UNDER_WAY;
        moved = true;
      }
    }
    return moved;
  }

  private boolean test(long from, long to) {
    boolean moved = false;
    boolean complete = true;
    for (long i = from; i < to; i++) {
      int place = (int) (i % PLACES);
      Request out = sends[place];
      if (out != null && link.test(out, true) >= 0) {
        sends[place] = null;
        sending[place] = COMPLETE;
        moved = true;
      }
      Request in = receives[place];
      int size = in == null ? -1 : link.test(in, false);
      if (size >= 0) {
        receives[place] = null;
        if (headed[place] && !isExpected(place, size)) {
          return true; // the rail has failed, and the stream is not to hear of this chunk
        }
        if (size == lengths[place]) {
          receiving[place] = COMPLETE;
        } else { // perhaps the header, over another connection, tells more
          expectedSize = lengths[place];
          wrongSize = size;
        }
        moved = true;
      }
      complete &= sending[place] == COMPLETE && receiving[place] == COMPLETE;
      if (complete) {
        finished = i + 1;
      }
    }
    return moved;
  }

  /** Returns whether a message is the chunk that this rank has begun with; reports it where not. */
  private boolean isExpected(int place, int size) {
    long at = incoming[place] + MessageHeader.BYTES;
    boolean whole = size >= MessageHeader.BYTES;
    long word = whole ? MessageHeader.word(memory.slots(), at) : 0;
    long count = whole ? MessageHeader.countWord(memory.slots(), at) : 0;
    if (size == lengths[place] && word == words[place] && count == counts[place]) {
      return true;
    }
    String problem =
        whole
            ? difference(place, size, word, count)
            : ErrorText.of(
                "a message without a header, of %d bytes, came from rank %d, where rank %d called"
                    + " %s",
                size, peer, rank, describe(words[place], counts[place]));
    failures.report(new FailureReport(rank, ResultCode.INVALID_USAGE, -1, problem));
    return false;
  }

  /** Returns how a message differs; the calls in the same words on both ranks. */
  private String difference(int place, int size, long word, long count) {
    long myWord = words[place];
    long myCount = counts[place];
    boolean first = rank < peer;
    return ErrorText.of(
        "%s: rank 0 called %s; rank 1 called %s; rank %d got a message of %d bytes and expected %d",
        first
            ? Operation.describeDifference(peer, word, count, rank, myWord, myCount)
            : Operation.describeDifference(rank, myWord, myCount, peer, word, count),
        first ? describe(myWord, myCount) : describe(word, count),
        first ? describe(word, count) : describe(myWord, myCount),
        rank,
        size,
        lengths[place]);
  }

  private static String describe(long word, long countWord) {
    return ErrorText.of(
        "%s, chunk %d of device memory",
        Operation.describeAsked(word, countWord), MessageHeader.sequence(word));
  }

  /** Looks whether a chunk that is under way stands still for too long. */
  @OnlyThread("driving thread")
  void watch() {
    if (stallNanos > 0
        && looks >= LEAST_LOOKS
        && isUnderWay()
        && System.nanoTime() - movedAt > stallNanos) {
      FailureReport seen = waiting();
      if (seen != null) {
        failures.report(seen);
      }
    }
  }

  /** Returns what this rank waits for, for the verdict of all ranks. */
  @AnyThread
  private @Nullable FailureReport waiting() {
    long number = finished + 1;
    boolean whole = headed[(int) ((number - 1) % PLACES)];
    return number > begun
        ? null
        : new FailureReport(
            rank,
            ResultCode.TIMEOUT,
            peer,
            ErrorText.of(
                "rank %d waits for rank %d to exchange %s %d of device memory%s",
                rank,
                peer,
                whole ? "chunk" : "part",
                number,
                stallNanos == 0
                    ? ""
                    : ErrorText.of(
                        "; NITINOL_TIMEOUT is %d s", TimeUnit.NANOSECONDS.toSeconds(stallNanos))));
  }

  /** Takes the memory back from the network. The driving thread has ended. */
  @Override
  public void close() {
    failures.answerNoMoreWith(waits);
    link.close();
  }
}
