// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import io.nitinol.toolkit.proof.Transcript;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a comm on its way: TCP connect and the {@link Handshake}. Until the answer has
 * come, whatever goes wrong is tried again after a growing pause: a route that comes up, a port
 * that becomes free, a listener that had no room. Each call does what can be done at once.
 */
final class Dial {
  /** What has come of a stream. */
  enum Progress {
    /** Call again. */
    UNDER_WAY,
    /** The listener has proven itself, and the kernel has the proof of this side. */
    PROVEN,
    /** The listener gave the stream up after it had answered: the comm has to begin anew. */
    LOST
  }

  private enum Phase {
    CLOSED,
    CONNECTING,
    GREETING,
    ASKING,
    PROVING,
    PROVEN
  }

  /**
   * How often a port is tried again that refuses after it had been reached: its listener is gone.
   */
  private static final int TRIES_OF_THE_GONE = 3;

  /** When the log first warns of a listener that is not reached. */
  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Route route;
  private final ListenHandle target;
  private final ConnectOptions options;
  private final byte[] key;
  private final int index;
  private final long begun;
  private final ByteBuffer nothing = ByteBuffer.allocate(1);

  private CommId comm;
  private Phase phase = Phase.CLOSED;
  private @Nullable SocketChannel channel;
  private @Nullable StreamGreeting greeting;
  private @Nullable Handshake handshake;
  private ByteBuffer toSay = nothing;
  private boolean reached;
  private boolean warned;
  private int failures;
  private int refusals; // since the port was last reached
  private long nextTry;
  private String lastFailure = "no answer";
  private @Nullable String lossOfReached;

  Dial(Route route, CommId comm, int index, long now) {
    this.route = route;
    this.target = route.target();
    this.options = route.options();
    this.key = target.key();
    this.comm = comm;
    this.index = index;
    this.nextTry = now;
    this.begun = now;
  }

  /**
   * Goes on as far as that is possible without waiting.
   *
   * @throws NetException when there is no use in going on
   * @throws IOException when this machine cannot make a socket
   */
  Progress advance(long now) throws IOException {
    if (!reached && !warned && index == 0 && now - begun > NEWS_NANOS) {
      warned = true;
      options.warn(
          route.logger(),
          ErrorText.of(
              "peer %s has not been reached from %s at %s for %d s now: %s",
              route.peer(),
              route.here().label(),
              route.here().address().getHostAddress(),
              TimeUnit.NANOSECONDS.toSeconds(now - begun),
              lastFailure));
    }
    if (phase == Phase.CLOSED) {
      if (now - nextTry < 0) {
        return Progress.UNDER_WAY;
      }
      channel = open();
      phase = Phase.CONNECTING;
    }
    SocketChannel open = Objects.requireNonNull(channel, "channel of an open stream");
    try {
      return talk(open);
    } catch (IOException e) {
      boolean answered = phase.compareTo(Phase.PROVING) >= 0;
      failed(e, now);
      return answered ? Progress.LOST : Progress.UNDER_WAY;
    }
  }

  /** Does one phase after the other for as long as none has to wait. */
  private Progress talk(SocketChannel open) throws IOException {
    if (phase == Phase.CONNECTING) {
      if (!connect(open)) {
        return Progress.UNDER_WAY;
      }
      reached = true;
      refusals = 0;
      int wanted = options.features().flags();
      greeting =
          StreamGreeting.connecting(
              key, options.plugin(), new StreamHello(comm, index, target.agreement(), wanted));
      handshake = new Handshake(StreamHello.FORMAT, Role.CONNECTOR, greeting);
      say(Phase.GREETING, handshake.opening());
    }
    if (phase == Phase.GREETING) {
      if (!said(open)) {
        return Progress.UNDER_WAY;
      }
      phase = Phase.ASKING;
    }
    if (phase == Phase.ASKING) {
      if (!answered(open)) {
        return Progress.UNDER_WAY;
      }
      say(Phase.PROVING, handshake().proof());
    }
    if (phase == Phase.PROVING) {
      if (!said(open)) {
        return Progress.UNDER_WAY;
      }
      int flags = Objects.requireNonNull(greeting, "greeting of a stream").answeredFlags();
      if (flags != options.features().flags()) {
        // Only now, so that the other side knows that it is a peer that wants something else.
        throw options.features().differ(route.label(), flags);
      }
      phase = Phase.PROVEN;
    }
    // A listener says nothing more; that it is gone shows here until the comm is complete.
    if (open.read(nothing.clear()) != 0) {
      throw new ConnectException("the listener gave up the connection");
    }
    return Progress.PROVEN;
  }

  private void say(Phase next, ByteBuffer bytes) {
    toSay = bytes;
    phase = next;
  }

  private boolean said(SocketChannel open) throws IOException {
    open.write(toSay);
    return !toSay.hasRemaining();
  }

  private Handshake handshake() {
    return Objects.requireNonNull(handshake, "handshake of a stream that has been connected");
  }

  private boolean answered(SocketChannel open) throws IOException {
    int came;
    try {
      came = handshake().read(open);
    } catch (RefusedException e) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "what answers at %s is not the listener that wrote the handle: %s",
              route.label(), e.getMessage()));
    }
    if (came < 0 && !handshake().isDone()) {
      throw new ConnectException("closed by the listener before it had answered");
    }
    return handshake().isDone();
  }

  private boolean connect(SocketChannel open) throws IOException {
    if (!open.isConnectionPending() && !open.isConnected()) {
      open.connect(address());
    }
    return open.finishConnect() && notToItself(open);
  }

  private SocketChannel open() throws IOException {
    SocketChannel opened =
        SocketChannel.open(
            target.address() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
    try {
      opened.configureBlocking(false);
      if (options.sendBuffer() > 0) {
        opened.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBuffer());
      }
      return opened;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(
        Addresses.scoped(target.address(), route.here().address()), target.port());
  }

  /**
   * TCP can connect a socket to itself where nobody listens on a port of the ephemeral range and
   * the kernel picks that very port for this side. That is a refused connection.
   */
  private static boolean notToItself(SocketChannel channel) throws IOException {
    if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
      throw new ConnectException("nobody listens there");
    }
    return true;
  }

  /** Notes a failed try and closes its socket: the next one comes after a pause, or none does. */
  private void failed(IOException e, long now) throws IOException {
    boolean connected = phase.compareTo(Phase.CONNECTING) > 0;
    boolean refused = reached && phase == Phase.CONNECTING && e instanceof ConnectException;
    close();
    failures++;
    String failure = String.valueOf(e.getMessage());
    if (refused) {
      // Counted apart: a dial that a crowd pushed out has failed before, and nothing was gone then.
      refusals++;
      lastFailure =
          ErrorText.of(
              "%s by a listener that had been there, %s%s", failure, times(refusals), lostFor());
    } else {
      lastFailure = failure;
      lossOfReached = connected ? failure : lossOfReached;
    }
    if (failures > options.retries().value() || refusals > TRIES_OF_THE_GONE) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "cannot connect to %s at %s: %s, %d tries (%s=%d)",
              route.label(),
              route.here().address().getHostAddress(),
              lastFailure,
              failures,
              options.retries().variable(),
              options.retries().value()),
          e);
    }
    long pause = failures * options.pauseNanos();
    nextTry = now + pause;
    if (index == 0) { // one stream speaks for all, which mostly fare alike
      options.info(
          route.logger(),
          ErrorText.of(
              "connecting to %s: %s, trying again (%d/%d) after %d ms",
              route.label(),
              lastFailure,
              failures,
              options.retries().value(),
              TimeUnit.NANOSECONDS.toMillis(pause)));
    }
  }

  /** Why the stream was lost that had reached the listener: the reason for all that came after. */
  private String lostFor() {
    return lossOfReached == null ? "" : ", after a connection was lost: " + lossOfReached;
  }

  private static String times(int count) {
    return count == 1 ? "once" : count + " times";
  }

  /** Notes that the listener gave the stream up after its socket had been taken. */
  void lost(IOException e, long now) throws IOException {
    failed(e, now);
  }

  /** Begins anew, as a stream of another comm; a pause that has begun goes on. */
  void restart(CommId anew) throws IOException {
    close();
    comm = anew;
  }

  /** Closes the socket, if there is one. */
  void close() throws IOException {
    SocketChannel open = channel;
    channel = null;
    phase = Phase.CLOSED;
    if (open != null) {
      open.close();
    }
  }

  /** Closes the socket without telling of a failure: another one is being told. */
  void abandon() {
    try {
      close();
    } catch (IOException e) {
      lastFailure = lastFailure + "; closing its socket failed: " + e.getMessage();
    }
  }

  /** Returns the socket of a proven stream, still this one's to close. */
  SocketChannel channel() {
    return Objects.requireNonNull(channel, "channel of a proven stream");
  }

  /** Leaves the socket to the caller that has got it of {@link #channel}. */
  void handOver() {
    channel = null;
    phase = Phase.CLOSED;
  }

  /** Returns what was said on a stream that has been answered. */
  Transcript transcript() {
    return handshake().transcript();
  }

  /** Returns how often the stream has failed. */
  int failures() {
    return failures;
  }

  /** Returns what the last failure was, and where the stream is now. */
  String state() {
    return phase == Phase.ASKING
        ? "connected, but the listener does not answer: does nobody accept?"
        : lastFailure;
  }
}
