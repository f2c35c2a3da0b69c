// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.PeerText;
import io.nitinol.toolkit.control.FrameReader;
import io.nitinol.toolkit.control.KeepAlive;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import io.nitinol.toolkit.thread.OneThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks a process of a communicator where its ranks stand, by the first of these that listens, as
 * {@code nitinol top --job} does: over a connection to the listener of the rank's bootstrap, on
 * which both ends prove that they know {@link Bootstrap#lookKey}. The caller's thread waits; an
 * interrupt ends the wait.
 */
@OneThread
public final class MemberLook {
  /** The longest answer that a rank sends and that is read, in bytes. */
  public static final int MOST_BYTES = 4 << 20;

  /** Whose message follows the name of the process. */
  private static class LookException extends IOException {
    private static final long serialVersionUID = 1;

    LookException(String message) {
      super(message);
    }

    LookException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Of a rank that has closed its communicator, say, which others of its process may not have. */
  private static final class AbsentException extends LookException {
    private static final long serialVersionUID = 1;

    AbsentException(String message) {
      super(message);
    }
  }

  private static final int CHUNK_BYTES = 1 << 14;
  private static final int MOST_FRAME = Frame.HEADER_BYTES + MOST_BYTES;

  /** How many characters of a refusal are told. */
  private static final int MOST_TOLD = 200;

  private static final String NO_ANSWER = "has sent what is no answer: ";

  private static final String NOTHING_LISTENS =
      "has ended or closed the communicator: nothing listens there";

  private static final String UNREACHED =
      "is not reached: its host is down or cut off, or its address is translated on the way (NAT)";
  private static final String SILENT =
      "does not answer, and its host does: it is stopped (SIGSTOP or a debugger), or its host has no"
          + " time for it";

  private final SortedMap<Integer, InetSocketAddress> members;
  private final JobSecret key;
  private final int ranks;
  private final AtomicLong budget;
  private volatile String progress = "was not asked, since others took too long";

  /**
   * Prepares to ask.
   *
   * @param members the ranks of the process, and where each listens; one or more
   * @param key of {@link Bootstrap#lookKey}
   * @param ranks how many there are in the communicator
   * @param budget how many bytes may still be read, by all that share it
   */
  public MemberLook(
      SortedMap<Integer, InetSocketAddress> members, byte[] key, int ranks, AtomicLong budget) {
    this(members, new JobSecret(key, false), ranks, budget);
  }

  private MemberLook(
      SortedMap<Integer, InetSocketAddress> members, JobSecret key, int ranks, AtomicLong budget) {
    this.members = new TreeMap<>(members);
    this.key = key;
    this.ranks = ranks;
    this.budget = budget;
  }

  /**
   * Asks some rank of a job where all ranks listen; an interrupt ends the wait.
   *
   * @param id of the job, whose secret both ends prove to know by {@link UniqueId#lookKey}
   * @param place {@code host:port}, {@code ipv4:port} or {@code [ipv6]:port} of the listener of one
   *     rank's bootstrap
   * @param from what the place comes from, such as an option's name, for the error message
   * @param patience how long all addresses of the host are waited for together
   * @param budget how many bytes may be read
   * @return as that of {@code LiveRequest.JOB}, of one communicator and without the key
   * @throws BootstrapException INVALID_ARGUMENT when the place is none or its host is not known
   * @throws IOException when there is no answer; the message follows the name of the process, and
   *     where the host has several addresses it is the most telling of them
   * @throws InterruptedException when the wait is interrupted
   */
  public static byte[] members(
      UniqueId id, String place, String from, Duration patience, AtomicLong budget)
      throws IOException, InterruptedException {
    return members(id, Address.parse(place, from), patience, budget);
  }

  /** The same of a host with these addresses. */
  static byte[] members(
      UniqueId id, List<InetSocketAddress> addresses, Duration patience, AtomicLong budget)
      throws IOException, InterruptedException {
    JobSecret key = id.jobSecret().forLooks();
    Duration slice = patience.dividedBy(addresses.size());
    IOException telling = null;
    boolean isOfConnection = false;
    // A host may have several addresses, and the rank listens at one of them.
    for (InetSocketAddress address : addresses) {
      SortedMap<Integer, InetSocketAddress> at = new TreeMap<>();
      at.put(RankGreeting.ANY_RANK, address);
      MemberLook look = new MemberLook(at, key, Looks.ANY_NUMBER, budget);
      try {
        return look.ask(slice);
      } catch (IOException e) {
        if (telling == null || (look.isConnected() && !isOfConnection)) {
          telling = e;
          isOfConnection = look.isConnected();
        }
      }
    }
    throw telling == null ? new LookException(UNREACHED) : telling;
  }

  private byte[] ask(Duration patience) throws IOException, InterruptedException {
    FutureTask<byte[]> asking = new FutureTask<>(this::ask);
    Thread thread = Thread.startVirtualThread(asking);
    try {
      return asking.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new LookException(ErrorText.of("%s (after %d s)", progress, patience.toSeconds()), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new LookException("cannot be asked: " + ErrorText.reason(e), e);
    } finally {
      thread.interrupt();
    }
  }

  /**
   * Returns what a wait of {@link #ask} has come to that was ended, to follow the name of the
   * process. Any thread.
   */
  public String progress() {
    return progress;
  }

  /** Returns whether a host has taken the connection, so that an answer may come. Any thread. */
  public boolean isConnected() {
    return progress.equals(SILENT);
  }

  /**
   * Asks, and waits for as long as it takes; an interrupt ends the wait.
   *
   * @return the answer, as that of {@code LiveProcess}; nothing in it is proven but its sender
   * @throws IOException when there is none; the message follows the name of the process
   */
  public byte[] ask() throws IOException {
    int last = members.lastKey();
    for (int rank : members.headMap(last).keySet()) {
      try {
        return ask(rank);
      } catch (AbsentException _) {
        // The next one of its process may still be there, and tells of all of them.
      }
    }
    return ask(last);
  }

  private byte[] ask(int rank) throws IOException {
    progress = UNREACHED;
    InetSocketAddress address = members.get(rank);
    try (SocketChannel channel = SocketChannel.open()) {
      connect(channel, address);
      progress = SILENT;
      KeepAlive.enable(channel); // the wait may last, and its host may vanish meanwhile
      return ask(channel, rank);
    } catch (LookException e) {
      throw e;
    } catch (IOException e) {
      throw new LookException("has broken the connection: " + ErrorText.reason(e), e);
    }
  }

  private static void connect(SocketChannel channel, @Nullable InetSocketAddress address)
      throws IOException {
    try {
      channel.connect(address);
    } catch (ConnectException e) {
      String why = " (" + ErrorText.reason(e) + ")";
      throw why.contains("refused")
          ? new AbsentException(NOTHING_LISTENS + why)
          : new LookException(UNREACHED + why, e);
    } catch (SocketException | IllegalArgumentException e) { // no way there, or none of its family
      throw new LookException(UNREACHED + " (" + ErrorText.reason(e) + ")", e);
    }
    if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
      // TCP lets a socket connect to itself where it dials a free port of its own host.
      throw new AbsentException(NOTHING_LISTENS);
    }
  }

  private byte[] ask(SocketChannel channel, int rank) throws IOException {
    RankGreeting greeting = RankGreeting.looker(key, ranks, rank);
    Handshake handshake =
        new Handshake(RankGreeting.PROTOCOL.handshake(), Role.CONNECTOR, greeting);
    write(channel, handshake.opening());
    try {
      while (!handshake.isDone()) {
        if (handshake.read(channel) < 0) {
          throw new LookException(
              handshake.received() == 0
                  ? "has closed the connection at once: its Nitinol is too old for top --job, or it"
                      + " has too many connections"
                  : "has closed the connection in the middle of its proof");
        }
      }
    } catch (RefusedException e) {
      String why = String.valueOf(e.getMessage());
      throw new LookException(
          rank == RankGreeting.ANY_RANK // which was not expected to be a certain one
              ? why.replaceFirst("^it ", "")
              : "is not what answers there: " + why,
          e);
    }
    write(channel, handshake.proof());
    int about = rank == RankGreeting.ANY_RANK ? Looks.ABOUT_MEMBERS : Looks.ABOUT_STATE;
    write(channel, new Frame(FrameType.LOOK, about, new byte[0]).encode());
    return answer(counted(channel));
  }

  private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Reads the answer to the end of the frame that has it.
   *
   * @param from what comes after the rank's proof
   */
  static byte[] answer(ReadableByteChannel from) throws IOException {
    FrameReader reader = new FrameReader(MOST_FRAME);
    ByteBuffer through = ByteBuffer.allocate(CHUNK_BYTES);
    Frame frame;
    try {
      if (next(reader, from, through).length > 0) {
        throw new LookException("went on before it had confirmed the connection");
      }
      byte[] bytes = next(reader, from, through);
      frame = decode(bytes);
    } catch (EOFException e) {
      throw new LookException("has closed the connection before its answer was whole", e);
    } catch (ProtocolException e) {
      throw new LookException(NO_ANSWER + e.getMessage(), e);
    }
    return switch (frame.type()) {
      case STATE -> frame.body();
      case REFUSAL ->
          throw new AbsentException(
              frame.text().isEmpty()
                  ? "does not answer and does not say why"
                  : PeerText.printable(frame.text(), MOST_TOLD));
      default -> throw new LookException("has sent an unexpected " + frame.type() + " frame");
    };
  }

  private static Frame decode(byte[] bytes) throws LookException {
    try {
      return Frame.decode(bytes);
    } catch (IOException e) {
      throw new LookException(NO_ANSWER + e.getMessage(), e);
    }
  }

  private static byte[] next(FrameReader reader, ReadableByteChannel from, ByteBuffer through)
      throws IOException {
    byte[] frame;
    do {
      frame = reader.read(from, through);
    } while (frame == null); // of a channel that waits: it has come in pieces
    return frame;
  }

  /** Counts what is read, so that many answers together stay within a bound. */
  private ReadableByteChannel counted(SocketChannel channel) {
    return new ReadableByteChannel() {
      @Override
      public int read(ByteBuffer into) throws IOException {
        int got = channel.read(into);
        if (got > 0 && budget.addAndGet(-got) < 0) {
          throw new LookException("was not read to its end: the answers are too long together");
        }
        return got;
      }

      @Override
      public boolean isOpen() {
        return channel.isOpen();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
