// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The out-of-band connections of one rank. Over them all or some of the ranks exchange small
 * messages, all-gathers, barriers and broadcasts, and notice when a rank dies; mirrors NCCL's
 * {@code bootstrap.cc}.
 *
 * <p>The ranks form a ring of TCP connections, which stays open until {@link #close}. A rank that
 * ends without a goodbye is reported to all others. Other connections are made when first needed.
 * One daemon thread serves all of them.
 *
 * <p>Safe for any thread. The calls of one rank that use the same operation, peers and tag must
 * come in the same order as their counterparts on the other ranks. Every wait ends after {@code
 * NITINOL_BOOTSTRAP_TIMEOUT} seconds, or up to seven seconds later, in which the rank finds out
 * which other one is to blame. Then a {@link BootstrapException} reports what the call waited for.
 */
public final class Bootstrap implements AutoCloseable {
  /** The longest message and the longest block of an all-gather or broadcast, in bytes. */
  public static final int MAX_MESSAGE_BYTES = Frame.MAX_BODY_BYTES;

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long ABORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

  private final int rank;
  private final int size;
  private final String self;
  private final JobSecret secret;
  private final ControlLoop loop;
  private final InetAddress address;
  private final Mailbox mailbox;
  private final Member member;
  private final Duration limit;
  private final DebugLogger log;

  Bootstrap(
      int rank,
      int size,
      RankLoop connections,
      Mailbox mailbox,
      Member member,
      Duration limit,
      DebugLogger log) {
    this.limit = limit;
    this.rank = rank;
    this.size = size;
    this.self = name(rank, size);
    this.secret = connections.secret();
    this.loop = connections.loop;
    this.address = connections.listener.address().getAddress();
    this.mailbox = mailbox;
    this.member = member;
    this.log = log;
  }

  static String name(int rank, int size) {
    return "rank " + rank + " of " + size;
  }

  /**
   * Meets the other ranks; mirrors {@code bootstrapInit}. Returns when all {@code nRanks} have come
   * and this rank is connected to its two neighbours in the ring. Waits up to twice {@code
   * NITINOL_BOOTSTRAP_TIMEOUT} for a root that was reached, since it reports the ranks that have
   * not come.
   *
   * @param id the same on all ranks, and not used before
   * @param rank from 0 to {@code nRanks} - 1; each once
   * @param nRanks how many ranks there are
   * @throws BootstrapException when a rank does not come within {@code NITINOL_BOOTSTRAP_TIMEOUT}
   *     seconds, two claim the same rank, or the root cannot be reached; the message names the
   *     ranks
   */
  public static Bootstrap connect(
      UniqueId id, int rank, int nRanks, Settings settings, DebugLogger log) {
    return connect(id, rank, nRanks, settings, log, null, begun -> {});
  }

  /**
   * The same for a group made out of the ranks of another one, or for one that can be aborted.
   *
   * @param parent the bootstrap whose own address is used instead of a search; or null
   * @param begun receives the object before it waits for others; {@link #abort} then ends the waits
   */
  public static Bootstrap connect(
      UniqueId id,
      int rank,
      int nRanks,
      Settings settings,
      DebugLogger log,
      @Nullable Bootstrap parent,
      Consumer<Bootstrap> begun) {
    return Joining.connect(id, rank, nRanks, settings, log, parent, begun);
  }

  /** Returns how long a call waits at most. */
  Duration limit() {
    return limit;
  }

  /** Returns the address at which this rank listens. */
  InetAddress address() {
    return address;
  }

  /**
   * Makes an id for a group out of these ranks, regardless of {@code NCCL_COMM_ID}: its root starts
   * in this process.
   */
  public UniqueId childId(Settings settings) {
    return UniqueId.startRoot(address(), settings, log);
  }

  /** Returns this rank. */
  public int rank() {
    return rank;
  }

  /** Returns how many ranks there are. */
  public int size() {
    return size;
  }

  /**
   * Gives every rank the block of every rank; mirrors {@code bootstrapAllGather}. The same as an
   * all-gather of all ranks with tag 0.
   *
   * @param mine this rank's block, which may differ in length from the others'
   * @return the blocks by rank
   */
  public byte[][] allGather(byte[] mine) {
    return allGather(everybody(), 0, mine);
  }

  /**
   * Gives every rank of a group the block of every rank of it; mirrors {@code
   * bootstrapIntraNodeAllGather}.
   *
   * @param ranks the group, in the same order on all its ranks, with this rank in it
   * @return the blocks in the order of {@code ranks}
   */
  public byte[][] allGather(int[] ranks, int tag, byte[] mine) {
    checkLength(mine.length);
    return group(ranks).allGather(tag, mine);
  }

  /** Waits until all ranks have called this with the same tag; mirrors {@code bootstrapBarrier}. */
  public void barrier(int tag) {
    barrier(everybody(), tag);
  }

  /**
   * Waits until all ranks have called this with the same tag, for ranks that may be busy with
   * something else before they do.
   *
   * @param within how long each message of another rank may take, in place of the usual limit
   */
  public void barrier(int tag, Duration within) {
    group(everybody(), within).barrier(tag);
  }

  /** Waits until all of {@code ranks} have called this with the same ranks and tag. */
  public void barrier(int[] ranks, int tag) {
    group(ranks).barrier(tag);
  }

  /**
   * Gives every rank of a group one rank's data; mirrors {@code bootstrapIntraNodeBroadcast}.
   *
   * @param ranks the group, in the same order on all its ranks, with this rank in it
   * @param root the rank (not its place in the group) whose data it is
   * @param data the data on the root; ignored elsewhere
   * @return the root's data
   */
  public byte[] broadcast(int[] ranks, int root, int tag, byte @Nullable [] data) {
    if (data != null) {
      checkLength(data.length);
    }
    return group(ranks).broadcast(root, tag, data);
  }

  /**
   * Sends a message; mirrors {@code bootstrapSend}. Returns when it is on its way, perhaps before
   * the other rank asks for it. Waits only while many bytes for that rank have not left yet.
   *
   * @param peer the rank to send to; may be this one
   * @param tag tells messages to the same rank apart
   * @param message copied; at most {@link #MAX_MESSAGE_BYTES}
   */
  public void send(int peer, int tag, byte[] message) {
    checkPeer(peer);
    checkLength(message.length);
    post(peer, FrameType.MESSAGE, tag, message);
  }

  /**
   * Sends a message that may be lost: only if that needs no wait and no rank has failed or closed.
   * A {@link MessageListener} may call this too.
   *
   * @return whether it is on its way
   */
  public boolean offer(int peer, int tag, byte[] message) {
    checkPeer(peer);
    checkLength(message.length);
    if (peer == rank || !mailbox.tryReserve(peer, Frame.HEADER_BYTES + message.length)) {
      return false;
    }
    Frame frame = new Frame(FrameType.MESSAGE, tag, message.clone());
    loop.execute(() -> member.send(peer, frame));
    return true;
  }

  /**
   * Waits for a message; mirrors {@code bootstrapRecv}. Messages of one rank with one tag come in
   * the order in which they were sent. A message that no call has asked for yet is kept. While more
   * than 64 MiB of one rank are kept, nothing more is read from it, and its sends wait.
   */
  public byte[] recv(int peer, int tag) {
    checkPeer(peer);
    return mailbox.take(
        peer,
        FrameType.MESSAGE,
        tag,
        () -> "a message from rank " + peer + " with tag " + tag + Tags.purpose(tag));
  }

  /**
   * Gives messages with {@code tag} to {@code listener} from now on, and first those that have come
   * already. A tag has one listener, and then no call of {@link #recv} may ask for it.
   */
  public void onMessage(int tag, MessageListener listener) {
    mailbox.listen(tag, listener);
  }

  /**
   * Returns the rank whose message a call of this rank waits for, or waited for when a failure
   * ended its wait; -1 for none. Any thread.
   */
  public int awaitedRank() {
    return mailbox.awaitedRank();
  }

  /**
   * Returns how many connections with other ranks have been opened so far, by either end. Any
   * thread.
   */
  public long opened() {
    return member.opened();
  }

  /**
   * Sets what answers {@code nitinol top --job} when it asks this rank; null, as at first, for
   * nothing: it is then refused.
   */
  public void onLook(@Nullable LookListener listener) {
    member.onLook(listener);
  }

  /** Returns where the ranks listen, by rank; none where this is the only one. Any thread. */
  public List<InetSocketAddress> addresses() {
    return member.addresses();
  }

  /**
   * Returns the key for {@link MemberLook#ask}, which opens nothing else: it follows from the
   * communicator's secret, and the secret does not follow from it.
   */
  public byte[] lookKey() {
    return secret.forLooks().bytes();
  }

  /** Returns whether {@code peer} has closed its end and all its messages have come. */
  public boolean hasLeft(int peer) {
    checkPeer(peer);
    return mailbox.hasLeft(peer);
  }

  /** Returns the lowest rank for which {@link #hasLeft} holds, or -1. */
  public int firstToLeave() {
    return mailbox.firstGone();
  }

  /**
   * Gathers some of the ranks, even after failures, when all other calls only throw. All these
   * ranks call it with the same list.
   *
   * @param ranks the ranks that go on, in ascending order, this one among them
   * @param answer makes the answer that all get; called on the lowest of the ranks when all have
   *     come
   * @return the answer
   * @throws BootstrapException when one does not come in time, has failed or closed, or the lists
   *     of the ranks differ
   */
  public byte[] rally(int[] ranks, Supplier<byte[]> answer) {
    return new Rally(loop, mailbox, member, rank, size, ranks, System.nanoTime() + limit.toNanos())
        .meet(answer);
  }

  /** Ends the rallies of this rank, now and later, with {@code reason}. */
  public void endRally(String reason) {
    mailbox.endRally(ResultCode.INVALID_USAGE, reason);
  }

  private void post(int peer, FrameType type, int tag, byte[] body) {
    if (peer == rank) {
      mailbox.check(() -> "a message to itself to be sent");
      mailbox.deliver(peer, type, tag, body.clone());
      return;
    }
    mailbox.reserve(peer, Frame.HEADER_BYTES + body.length);
    Frame frame = new Frame(type, tag, body.clone());
    loop.execute(() -> member.send(peer, frame));
  }

  private int[] everybody() {
    return IntStream.range(0, size).toArray();
  }

  private BootstrapExchange group(int[] ranks) {
    return group(ranks, limit);
  }

  private BootstrapExchange group(int[] ranks, Duration within) {
    BootstrapExchange.Messages messages =
        new BootstrapExchange.Messages() {
          @Override
          public void send(int peer, FrameType type, int tag, byte[] body) {
            post(peer, type, tag, body);
          }

          @Override
          public byte[] take(int peer, FrameType type, int tag, String what) {
            return mailbox.take(peer, type, tag, within, () -> what);
          }
        };
    return new BootstrapExchange(messages, rank, size, ranks);
  }

  private void checkPeer(int peer) {
    if (peer < 0 || peer >= size) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT, "bootstrap: " + self + ": there is no rank " + peer);
    }
  }

  private void checkLength(int length) {
    if (length > MAX_MESSAGE_BYTES) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "bootstrap: a message of %d bytes, at most %d are possible",
              length, MAX_MESSAGE_BYTES));
    }
  }

  /** Adds a listener. It is also told of the ranks that have failed already. */
  public void onFailure(FailureListener listener) {
    member.listen(listener);
  }

  /**
   * Tells every rank, this one included, that {@code failed} failed. Does nothing if that is known
   * already.
   *
   * @param reason what was seen, human-readable
   */
  public void announceFailure(int failed, String reason) {
    checkPeer(failed);
    loop.execute(() -> member.fail(failed, NoticeMark.reportedBy(rank, reason), null));
  }

  /** Tells every rank of the one that an exception of this rank blames, if it blames one. */
  void blame(BootstrapException failure) {
    if (failure.failedRank() >= 0) {
      announceFailure(failure.failedRank(), String.valueOf(failure.getMessage()));
    }
  }

  /**
   * Ends this rank's part at once: calls that wait end with an error, and the other ranks are told
   * that this one failed. If all is well, use {@link #close}. May be called again.
   */
  public void abort() {
    abandon("it aborted its communicator");
  }

  /** As {@link #abort}, with another reason. */
  void abandon(String reason) {
    mailbox.end(ResultCode.REMOTE_ERROR, rank, self + " was aborted: " + reason);
    mailbox.endRally(ResultCode.REMOTE_ERROR, self + " was aborted: " + reason);
    loop.execute(() -> member.abort(reason, ABORT_NANOS));
    awaitEnd();
  }

  /**
   * Says goodbye to the other ranks and closes all connections, when the messages that were sent
   * have left. Waits a few seconds at most for ranks that do not react, and does not wait for the
   * others to close. Calls that still wait end with an error. May be called again.
   */
  @Override
  public void close() {
    loop.execute(() -> member.close(CLOSE_NANOS));
    awaitEnd();
    mailbox.end(ResultCode.INVALID_USAGE, -1, self + " is closed");
    mailbox.endRally(ResultCode.INVALID_USAGE, self + " is closed");
  }

  private void awaitEnd() {
    if (loop.isLoopThread()) {
      return; // a failure listener that closes; the thread ends when it returns
    }
    if (!loop.join(JOIN_LIMIT)) {
      log.warn("bootstrap", "the bootstrap thread of " + self + " does not end");
    }
  }
}
