// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.net.DirectLink;
import io.nitinol.spi.Collective;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a rail of two rows whose ranks give each other whole slots: what this rank has
 * goes from its slot to the network plugin and from there into the slot of the other one, without a
 * copy between. The devices combine the two. It is what NCCL's proxy does, where the host only
 * moves bytes; that each rank sends all of its slot costs no more than a ring does between two.
 * Sends and receives go the same way, from and to other memory.
 *
 * <p>A message is a {@link MessageHeader} and the data, or data alone. The header has the piece's
 * number in its direction and the call that it belongs to, so a rank whose peer has called
 * something else fails by the first message: INVALID_USAGE, with both calls. (The number by which a
 * rank chooses its slot is no other rank's: sends and receives, which only some ranks call, count
 * there too.) Up to {@value #PLACES} messages of each direction are under way at once.
 *
 * <p>The bridge thread begins with messages and asks for them. The driving thread, which may be
 * another one, moves them. It sees the bridge thread's writes behind {@link Way#begun}, and the
 * bridge thread sees the driving thread's behind {@link Way#finished}.
 */
final class DirectRail implements AutoCloseable {
  /** The longest message: a full slot and its header. */
  static final int MOST_BYTES = MessageHeader.BYTES + BridgeMemory.SLOT_BYTES;

  /** How many messages of one direction can be under way. */
  static final int PLACES = 4 * Crossing.DEPTH;

  /**
   * So often the driving thread looks in vain before a limit counts: after a pause of the whole
   * process the time is over at once, and the data are there.
   */
  private static final int LEAST_LOOKS = 10;

  /** The messages of one direction, each in a place of its own. */
  private static final class Way {
    final @Nullable MemorySegment[] memories = new @Nullable MemorySegment[PLACES];
    final long[] offsets = new long[PLACES];
    final long[] lengths = new long[PLACES];
    final boolean[] complete = new boolean[PLACES];
    final @Nullable Request[] requests = new @Nullable Request[PLACES];

    /** How many messages the bridge thread has begun with. */
    volatile long begun;

    /** How many of them the network has; the driving thread's. */
    long started;

    /** How many of them the driving thread has moved. */
    volatile long finished;

    /** Takes a message, which {@link #begin} begins. */
    int add(MemorySegment memory, long offset, long length) {
      int place = (int) (begun % PLACES);
      memories[place] = memory;
      offsets[place] = offset;
      lengths[place] = length;
      complete[place] = false;
      return place;
    }

    MemorySegment memory(int place) {
      return Objects.requireNonNull(memories[place], "memory");
    }

    boolean isUnderWay() {
      return begun > finished;
    }

    /** Counts what is moved, up to the first message that is not. */
    void finish() {
      long number = finished;
      while (number < started && complete[(int) (number % PLACES)]) {
        number++;
      }
      finished = number;
    }
  }

  private final int rank;
  private final int peer;
  private final DirectLink link;
  private final CommFailures failures;
  private final long stallNanos;
  private final Supplier<@Nullable FailureReport> waits = this::waiting;
  private final Way out = new Way();
  private final Way in = new Way();

  // By place, of what is received. The message of another call may be longer than the expected.
  private final long[] rooms = new long[PLACES];
  private final boolean[] headed = new boolean[PLACES];
  private final long[] words = new long[PLACES];
  private final long[] counts = new long[PLACES];

  /** The size of a part that was not the expected one, or -1; written after the other. */
  private volatile int wrongSize = -1;

  private long expectedSize;
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
  DirectRail(int rank, DirectLink link, CommFailures failures, long stallNanos) {
    this.rank = rank;
    this.peer = 1 - rank;
    this.link = link;
    this.failures = failures;
    this.stallNanos = stallNanos;
    failures.alsoAnswerWith(waits);
  }

  /** Returns this rank's number in the rail. */
  int rank() {
    return rank;
  }

  /**
   * Begins to send a message.
   *
   * @return its number among those that are sent
   */
  @OnlyThread("bridge")
  long send(MemorySegment memory, long offset, long length) {
    out.add(memory, offset, length);
    return begin(out);
  }

  /**
   * Begins to receive a message with a header.
   *
   * @param length the expected bytes, with those of the header; there is room for {@link
   *     #MOST_BYTES}
   * @param word the expected first word
   * @param count the expected second one
   * @return its number among those that are received
   */
  @OnlyThread("bridge")
  long receive(MemorySegment memory, long offset, long length, long word, long count) {
    int place = in.add(memory, offset, length);
    rooms[place] = MOST_BYTES;
    headed[place] = true;
    words[place] = word;
    counts[place] = count;
    return begin(in);
  }

  /**
   * Begins to receive some bytes of a piece, whose header comes over another connection.
   *
   * @param room how many there is room for
   */
  @OnlyThread("bridge")
  long receivePart(MemorySegment memory, long offset, long length, long room) {
    int place = in.add(memory, offset, length);
    rooms[place] = room;
    headed[place] = false;
    return begin(in);
  }

  private long begin(Way way) {
    if (!isUnderWay()) {
      movedAt = System.nanoTime();
    }
    long number = way.begun + 1;
    way.begun = number;
    return number;
  }

  /** Returns whether a message has left, by its number. */
  @OnlyThread("bridge")
  boolean isSent(long number) {
    return number <= out.finished;
  }

  /** Returns whether a message has come, by its number. */
  @OnlyThread("bridge")
  boolean isReceived(long number) {
    return number <= in.finished;
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
    return in.isUnderWay() || out.isUnderWay();
  }

  /**
   * Moves what can be moved; returns whether there was something. A failure is told to the rail's
   * communicator, whose verdict the bridge thread has to look for.
   */
  @OnlyThread("driving thread")
  boolean progress() {
    if (!isUnderWay() || failures.isStopped()) {
      return false;
    }
    boolean moved = false;
    try {
      moved = startReceives();
      moved |= startSends();
      moved |= testSends();
      moved |= testReceives();
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

  private boolean startReceives() {
    long from = in.started;
    for (long to = in.begun; in.started < to; in.started++) {
      int place = (int) (in.started % PLACES);
      Request request = link.receive(in.memory(place), in.offsets[place], rooms[place]);
      if (request == null) {
        break;
      }
      in.requests[place] = request;
    }
    return in.started > from;
  }

  private boolean startSends() {
    long from = out.started;
    for (long to = out.begun; out.started < to; out.started++) {
      int place = (int) (out.started % PLACES);
      Request request = link.send(out.memory(place), out.offsets[place], out.lengths[place]);
      if (request == null) {
        break;
      }
      out.requests[place] = request;
    }
    return out.started > from;
  }

  private boolean testSends() {
    boolean moved = false;
    for (long i = out.finished; i < out.started; i++) {
      int place = (int) (i % PLACES);
      Request request = out.requests[place];
      if (request != null && link.test(request, true) >= 0) {
        out.requests[place] = null;
        out.complete[place] = true;
        moved = true;
      }
    }
    if (moved) {
      out.finish();
    }
    return moved;
  }

  private boolean testReceives() {
    boolean moved = false;
    for (long i = in.finished; i < in.started; i++) {
      int place = (int) (i % PLACES);
      Request request = in.requests[place];
      int size = request == null ? -1 : link.test(request, false);
      if (size >= 0) {
        in.requests[place] = null;
        moved = true;
        if (headed[place] && !isExpected(place, size)) {
          break; // the rail has failed, and the stream is not to hear of this piece
        }
        if (size == in.lengths[place]) {
          in.complete[place] = true;
        } else { // perhaps the header, over another connection, tells more
          expectedSize = in.lengths[place];
          wrongSize = size;
        }
      }
    }
    if (moved) {
      in.finish();
    }
    return moved;
  }

  /** Returns whether a message is the piece that this rank has begun with; reports it where not. */
  private boolean isExpected(int place, int size) {
    long at = in.offsets[place] + MessageHeader.BYTES;
    boolean whole = size >= MessageHeader.BYTES;
    long word = whole ? MessageHeader.word(in.memory(place), at) : 0;
    long count = whole ? MessageHeader.countWord(in.memory(place), at) : 0;
    if (size == in.lengths[place] && word == words[place] && count == counts[place]) {
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
    if (word == myWord && count != myCount && isTransfer(word)) {
      return ErrorText.of(
          "ranks %d and %d do not send what they receive: rank %d receives %d bytes from rank %d,"
              + " which sent %d",
          peer, rank, rank, MessageHeader.count(myCount), peer, MessageHeader.count(count));
    }
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
        in.lengths[place]);
  }

  private static boolean isTransfer(long word) {
    return MessageHeader.collective(word) == Collective.SEND_RECV.code();
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
    boolean receives = in.isUnderWay();
    long number = (receives ? in : out).finished + 1;
    if (!receives && number > out.begun) {
      return null;
    }
    int place = (int) ((number - 1) % PLACES);
    return new FailureReport(
        rank,
        ResultCode.TIMEOUT,
        peer,
        ErrorText.of(
            "rank %d waits for rank %d to %s %s %d of device memory%s",
            rank,
            peer,
            receives ? "exchange" : "take",
            receives ? headed[place] ? "chunk" : "part" : "message",
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
