// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the messages for the calls of one rank, each in the queue of its sender, type and tag, in
 * the order in which they were sent. Every wait ends: with its message, with the first failure that
 * became known, or at its time limit. Safe for any thread.
 */
final class Mailbox {
  /** Bytes that may wait to be sent to one rank before its senders have to wait too. */
  private static final long MAX_QUEUED_BYTES = 8 << 20;

  /**
   * Bytes of one rank that may wait here for calls; beyond them nothing more is read from that
   * rank.
   */
  static final long MAX_UNTAKEN_BYTES = 64 << 20;

  /** How long a rank has to answer which rank it waits for; a slow machine needs a part of it. */
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long the news may take of who keeps the others waiting. */
  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private record Key(int peer, FrameType type, int tag) {
    // Spelt out, since those that a record generates load classes when a rank starts.
    @Override
    public int hashCode() {
      return (peer * 31 + tag) * 31 + type.ordinal();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && peer == key.peer && type == key.type && tag == key.tag;
    }
  }

  /** The reason why nothing goes on any more. */
  private record End(ResultCode result, int rank, String reason) {}

  /** How far the traffic with one other rank has come. */
  private static final class Traffic {
    long queuedBytes;
    long untakenBytes;
    boolean full;
    long received;
    long announced = -1; // how many messages the rank has sent in all, once it said goodbye
  }

  private final String self;
  private final Duration limit;
  private final Map<Key, ArrayDeque<byte[]>> queues = new HashMap<>();
  private final Map<Integer, Traffic> traffic = new HashMap<>();
  private final Map<Integer, MessageListener> listeners = new HashMap<>();
  private IntConsumer onRoom = peer -> {};
  private IntConsumer onSilence = peer -> {};

  /** The rank that each rank waits for, or -1, as it answered when it was asked. */
  private final Map<Integer, Integer> answers = new HashMap<>();

  private final Set<Integer> lost = new HashSet<>();
  private @Nullable End end;
  private @Nullable End rallyEnd;

  /** The ranks that calls wait for, in the order in which they began. */
  private final ArrayDeque<Integer> awaited = new ArrayDeque<>();

  /**
   * The rank that a call waited for when the first failure or its time limit ended its wait, or -1.
   */
  private int lastAwaited = -1;

  /**
   * Creates an empty mailbox.
   *
   * @param self the rank in words, for error messages: {@code rank 3 of 8}
   * @param limit the longest a call waits
   */
  Mailbox(String self, Duration limit) {
    this.self = self;
    this.limit = limit;
  }

  /**
   * Sets the listener that is told when there is room again for messages of a rank; it must not
   * wait.
   */
  synchronized void onRoom(IntConsumer told) {
    onRoom = told;
  }

  /**
   * Sets what asks a rank which rank it waits for itself, when a call has waited for it in vain;
   * {@link #answered} takes the answer. It must not wait.
   */
  synchronized void onSilence(IntConsumer asked) {
    onSilence = asked;
  }

  /** Notes that {@code peer} waits for {@code awaited}, or for no rank if that is -1. */
  synchronized void answered(int peer, int awaited) {
    answers.put(peer, awaited);
    notifyAll();
  }

  /**
   * Keeps a message until it is taken.
   *
   * @return whether there is room for more from this rank; if not, {@link #onRoom} tells when
   */
  synchronized boolean deliver(int peer, FrameType type, int tag, byte[] body) {
    MessageListener listener = type == FrameType.MESSAGE ? listeners.get(tag) : null;
    if (listener != null) {
      of(peer).received++;
      listener.received(peer, body);
      notifyAll(); // a call that waits in vain behind a goodbye must hear that this was the last
      // message
      return !of(peer).full;
    }
    queues.computeIfAbsent(new Key(peer, type, tag), k -> new ArrayDeque<>(2)).add(body);
    Traffic with = of(peer);
    if (type.isMessage()) {
      with.received++;
      with.untakenBytes += body.length + Frame.HEADER_BYTES;
      with.full |= with.untakenBytes > MAX_UNTAKEN_BYTES;
    }
    notifyAll();
    return !with.full;
  }

  /** Gives {@code listener} the messages with {@code tag} that are kept, and those to come. */
  synchronized void listen(int tag, MessageListener listener) {
    if (listeners.putIfAbsent(tag, listener) != null) {
      throw new IllegalStateException("somebody listens for messages with tag " + tag + " already");
    }
    for (Key key : List.copyOf(queues.keySet())) {
      ArrayDeque<byte[]> queue =
          key.type == FrameType.MESSAGE && key.tag == tag ? queues.remove(key) : null;
      while (queue != null && !queue.isEmpty()) {
        byte[] message = queue.remove();
        taken(key.peer, message.length + Frame.HEADER_BYTES);
        listener.received(key.peer, message);
      }
    }
  }

  /** Returns whether {@code peer} has said goodbye and all its earlier messages have come. */
  synchronized boolean hasLeft(int peer) {
    Traffic with = traffic.get(peer);
    return with != null && isGone(with);
  }

  /** Returns the lowest rank for which {@link #hasLeft} holds, or -1. */
  synchronized int firstGone() {
    return traffic.entrySet().stream()
        .filter(each -> isGone(each.getValue()))
        .mapToInt(Map.Entry::getKey)
        .min()
        .orElse(-1);
  }

  private static boolean isGone(Traffic with) {
    // A goodbye may overtake messages that come over another connection.
    return with.announced >= 0 && with.received >= with.announced;
  }

  private void taken(int peer, long bytes) {
    Traffic with = of(peer);
    with.untakenBytes -= bytes;
    if (with.full && with.untakenBytes <= MAX_UNTAKEN_BYTES / 2) {
      with.full = false;
      onRoom.accept(peer);
    }
  }

  /** Ends all waits, now and later, unless an earlier failure already does. */
  synchronized void end(ResultCode result, int rank, String reason) {
    if (end == null) {
      lastAwaited = awaitedRank();
      end = new End(result, rank, reason);
      notifyAll();
    }
  }

  /** Ends all rallies, now and later. */
  synchronized void endRally(ResultCode result, String reason) {
    if (rallyEnd == null) {
      rallyEnd = new End(result, -1, reason);
      notifyAll();
    }
  }

  /** Notes that a connection with {@code peer} ended without a goodbye, or cannot be made. */
  synchronized void lost(int peer) {
    lost.add(peer);
    notifyAll();
  }

  /**
   * Takes the newest rally message of a rank and waits for one if necessary, even if other ranks
   * have failed.
   *
   * @param wanted returns whether a message is the one that is waited for; others are thrown away
   * @throws BootstrapException when that rank is lost or has closed, this one ends its rallies, or
   *     the time is over
   */
  synchronized byte[] takeRally(int peer, Predicate<byte[]> wanted, long deadline, String what) {
    Key key = new Key(peer, FrameType.RALLY, 0);
    while (true) {
      byte[] newest = null;
      ArrayDeque<byte[]> queue = queues.remove(key);
      while (queue != null && !queue.isEmpty()) {
        byte[] message = queue.remove();
        taken(peer, message.length + Frame.HEADER_BYTES);
        newest = wanted.test(message) ? message : newest;
      }
      if (newest != null) {
        return newest;
      }
      if (rallyEnd != null) {
        throw new BootstrapException(
            rallyEnd.result(),
            "bootstrap: " + rallyEnd.reason() + "; " + self + " was waiting for " + what);
      }
      if (lost.contains(peer)) {
        throw new BootstrapException(
            ResultCode.REMOTE_ERROR,
            peer,
            "bootstrap: rank " + peer + " failed, too; " + self + " was waiting for " + what,
            null);
      }
      Traffic with = of(peer);
      if (with.announced >= 0 && with.received >= with.announced) {
        throw gone(peer, () -> what);
      }
      await(deadline, limit, () -> what);
    }
  }

  /** Counts in bytes that are sent regardless of failures. */
  synchronized void force(int peer, long bytes) {
    of(peer).queuedBytes += bytes;
  }

  /** Notes that {@code peer} closed after it had sent {@code messages} messages to this rank. */
  synchronized void departed(int peer, long messages) {
    of(peer).announced = messages;
    notifyAll();
  }

  /** Notes that {@code bytes} bytes for {@code peer} have left. */
  synchronized void written(int peer, long bytes) {
    of(peer).queuedBytes -= bytes;
    notifyAll();
  }

  /**
   * Waits until {@code bytes} more may be queued for {@code peer}, and counts them in.
   *
   * @throws BootstrapException when the peer has closed, a rank failed, or the time is over
   */
  synchronized void reserve(int peer, long bytes) {
    long deadline = System.nanoTime() + limit.toNanos();
    Supplier<String> what = () -> "room to send to rank " + peer;
    while (true) {
      checkEnd(what);
      Traffic with = of(peer);
      if (with.announced >= 0) {
        throw gone(peer, what);
      }
      if (with.queuedBytes == 0 || with.queuedBytes + bytes <= MAX_QUEUED_BYTES) {
        with.queuedBytes += bytes;
        return;
      }
      lastAwaited = -1;
      awaited.add(peer);
      try {
        await(deadline, limit, what);
      } finally {
        awaited.removeLastOccurrence(peer);
      }
    }
  }

  /**
   * Counts bytes in if nothing is queued for {@code peer} and nothing has ended; returns whether it
   * did.
   */
  synchronized boolean tryReserve(int peer, long bytes) {
    Traffic with = of(peer);
    if (end != null || with.announced >= 0 || with.queuedBytes != 0) {
      return false;
    }
    with.queuedBytes = bytes;
    return true;
  }

  /**
   * Takes the oldest message of a queue and waits for one if necessary.
   *
   * @param what names the message, for the error message
   * @throws BootstrapException when the sender has closed, a rank failed, or the time is over; the
   *     sender is blamed unless it answers that it waits for another rank
   */
  byte[] take(int peer, FrameType type, int tag, Supplier<String> what) {
    return take(peer, type, tag, limit, what);
  }

  /** The same with a time limit of its own. */
  synchronized byte[] take(
      int peer, FrameType type, int tag, Duration within, Supplier<String> what) {
    long deadline = System.nanoTime() + within.toNanos();
    Inquiry inquiry = null;
    Key key = new Key(peer, type, tag);
    while (true) {
      ArrayDeque<byte[]> queue = queues.get(key);
      if (queue != null) {
        byte[] message = queue.remove();
        if (queue.isEmpty()) {
          queues.remove(key);
        }
        if (type.isMessage()) {
          taken(peer, message.length + Frame.HEADER_BYTES);
        }
        return message;
      }
      checkEnd(what);
      Traffic with = of(peer);
      if (isGone(with)) {
        throw gone(peer, what);
      }
      Supplier<String> wanted = with.full ? () -> what.get() + behind(peer) : what;
      boolean over = System.nanoTime() - deadline >= 0;
      if (inquiry != null || (over && peer != RankGreeting.ROOT)) {
        inquiry = inquiry == null ? new Inquiry(peer) : inquiry;
        deadline = inquiry.deadline(() -> inVain(within, wanted));
      }
      lastAwaited = -1;
      awaited.add(peer);
      try {
        if (inquiry == null && peer != RankGreeting.ROOT) {
          pause(deadline, wanted); // the peer is asked before the call gives up
        } else {
          await(deadline, within, wanted);
        }
      } finally {
        awaited.removeLastOccurrence(peer);
      }
    }
  }

  /**
   * Finds out whether a rank whose message did not come in time is to blame. In a chain of ranks
   * that wait for each other only the one that waits for no other is, and all run out of time at
   * once. So each asks the next, and gives the rank that knows more time to tell the others.
   */
  private final class Inquiry {
    private final int peer;
    private long deadline = System.nanoTime() + ANSWER_NANOS;
    private boolean waits;

    Inquiry(int peer) {
      this.peer = peer;
      answers.remove(peer);
      onSilence.accept(peer);
    }

    /** Returns until when to wait on; throws the exception that blames the rank, if it is. */
    long deadline(Supplier<String> inVain) {
      Integer answer = answers.get(peer);
      boolean over = System.nanoTime() - deadline >= 0;
      if (answer == null ? over : answer < 0) {
        lastAwaited = peer; // others may ask before this rank has told them whom it blames
        throw new BootstrapException(
            ResultCode.TIMEOUT,
            peer,
            ErrorText.of(
                "%s; rank %d %s",
                inVain.get(),
                peer,
                answer == null ? "does not answer" : "answers, and waits for no other rank"),
            null);
      }
      if (answer != null && !waits) {
        waits = true;
        deadline = System.nanoTime() + NEWS_NANOS;
      }
      return deadline;
    }
  }

  /**
   * Returns the rank for which a call waits now, or did when a failure or its time limit ended its
   * wait; -1 for none. The others ask because of that failure, and the call may have returned
   * meanwhile.
   */
  synchronized int awaitedRank() {
    return awaited.isEmpty() ? lastAwaited : awaited.getLast();
  }

  private static String behind(int peer) {
    return ErrorText.of(
        " behind more than %d MiB of other messages of rank %d, which must be taken first",
        MAX_UNTAKEN_BYTES >> 20, peer);
  }

  /** Throws the error with which the waits end, if there is one. */
  synchronized void check(Supplier<String> what) {
    checkEnd(what);
  }

  private void checkEnd(Supplier<String> what) {
    if (end != null) {
      throw new BootstrapException(
          end.result(),
          end.rank(),
          "bootstrap: " + end.reason() + "; " + self + " was waiting for " + what.get(),
          null);
    }
  }

  private BootstrapException gone(int peer, Supplier<String> what) {
    return new BootstrapException(
        ResultCode.REMOTE_ERROR,
        peer,
        ErrorText.of(
            "bootstrap: rank %d has closed its communicator; %s was waiting for %s",
            peer, self, what.get()),
        null);
  }

  private void await(long deadline, Duration within, Supplier<String> what) {
    if (System.nanoTime() - deadline >= 0) {
      lastAwaited = awaitedRank();
      throw new BootstrapException(ResultCode.TIMEOUT, inVain(within, what));
    }
    pause(deadline, what);
  }

  private void pause(long deadline, Supplier<String> what) {
    try {
      long left = deadline - System.nanoTime();
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BootstrapException(
          ResultCode.SYSTEM_ERROR,
          -1,
          "bootstrap: " + self + " was interrupted while it waited for " + what.get(),
          e);
    }
  }

  private String inVain(Duration within, Supplier<String> what) {
    return ErrorText.of(
        "bootstrap: %s waited %s s in vain for %s; %s sets how long",
        self,
        seconds(within),
        what.get(),
        within.compareTo(limit) > 0 ? CoreVariables.TIMEOUT : CoreVariables.BOOTSTRAP_TIMEOUT);
  }

  private Traffic of(int peer) {
    return traffic.computeIfAbsent(peer, p -> new Traffic());
  }

  private static String seconds(Duration time) {
    return time.toMillis() % 1000 == 0
        ? String.valueOf(time.toSeconds())
        : String.valueOf(time.toMillis() / 1000.0);
  }
}
