// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.core.bootstrap.Dialling.Target;
import io.nitinol.core.bootstrap.Handshake.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two ends that prove themselves to each other before anything else. An
 * outbound link tries again until its deadline, and takes frames from the start, which it sends
 * when the other end has proved itself. Belongs to the thread of its {@link LinkLoop}, which is the
 * only one that may call it.
 */
final class Link {
  private enum State {
    PROVING,
    OPEN,
    CLOSED
  }

  private static final int WRITE_BYTES = 256 << 10;
  private static final int READS_PER_TURN = 8;

  private final LinkLoop loop;
  private final @Nullable Dialling dialling;
  private final long deadlineNanos;
  private final FrameReader reader = new FrameReader();
  private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
  private State state = State.PROVING;
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;
  private Handshake handshake;
  private @Nullable ByteBuffer handshakeOut;
  private String remote;
  private boolean paused;
  private String lastProblem = "no answer";
  private boolean strange;
  private boolean finishing;
  private boolean finished;

  /** An outbound link, to be started with {@link #attempt}. */
  Link(LinkLoop loop, Target target, long deadlineNanos) {
    this.loop = loop;
    this.dialling = new Dialling(target, deadlineNanos);
    this.deadlineNanos = deadlineNanos;
    this.remote = Address.text(target.addresses().getFirst());
    this.handshake = connector(target);
  }

  /** An inbound link, whose other end has until {@code deadlineNanos} to prove itself. */
  Link(LinkLoop loop, SocketChannel channel, long deadlineNanos) throws IOException {
    this.loop = loop;
    this.dialling = null;
    this.deadlineNanos = deadlineNanos;
    this.channel = channel;
    this.handshake = Handshake.acceptor(loop.secret(), loop.ownRank());
    this.remote = Address.text((InetSocketAddress) channel.getRemoteAddress());
    prepare(channel);
    this.key = loop.register(channel, SelectionKey.OP_READ, this);
  }

  private Handshake connector(Target to) {
    return Handshake.connector(loop.secret(), to.kind(), to.rank(), to.ranks(), to.peer());
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    KeepAlive.enable(channel);
  }

  /** Returns the rank of the other end, which an inbound link knows once it is open. */
  int peer() {
    return dialling != null ? dialling.target().peer() : handshake.peer();
  }

  /** Returns what the link is for, which an inbound link knows once it is open. */
  Kind kind() {
    return dialling != null ? dialling.target().kind() : handshake.kind();
  }

  /** Returns how many ranks the connector says there are. */
  int ranks() {
    return handshake.ranks();
  }

  /** Returns the address of the other end, for messages. */
  String remote() {
    return remote;
  }

  boolean isInbound() {
    return dialling == null;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Returns whether the other end of a closed link was not who it should be. */
  boolean isStrange() {
    return strange;
  }

  /** Returns whether frames wait to be sent. */
  boolean hasOutput() {
    return !out.isEmpty();
  }

  /** Returns when an inbound link that has not proved itself is to be dropped. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Returns whether the other end of an inbound link takes it as open already. */
  boolean hasAnswered() {
    return handshake.hasAnswered();
  }

  /** Returns how far an inbound link has come that does not prove itself. */
  String progress() {
    return handshake.progress();
  }

  /** Connects an outbound link, for the first time or again. */
  void attempt() {
    if (state == State.CLOSED || dialling == null) {
      return;
    }
    InetSocketAddress to = dialling.next();
    remote = Address.text(to);
    handshake = connector(dialling.target());
    handshakeOut = handshake.opening();
    SocketChannel fresh = null;
    try {
      fresh = SocketChannel.open();
      channel = fresh;
      prepare(fresh);
      if (dialling.hasSeveralAddresses()) {
        SocketChannel tried = fresh;
        loop.after(Dialling.ATTEMPT_NANOS, () -> abandon(tried));
      }
      if (fresh.connect(to)) {
        key = loop.register(fresh, SelectionKey.OP_READ, this);
        flush();
      } else {
        key = loop.register(fresh, SelectionKey.OP_CONNECT, this);
      }
    } catch (IOException e) {
      broken(e);
    } catch (IllegalArgumentException e) {
      // An address of a family that this JVM does without, for one. Not before the caller has
      // taken note of this link, which would else hear of its end first.
      String problem = "this JVM cannot connect to such an address: " + e;
      loop.after(0, () -> broken(new IOException(problem, e)));
    }
  }

  /** Goes on to the next address where one does not answer. */
  private void abandon(SocketChannel tried) {
    if (state == State.PROVING && tried.equals(channel)) {
      broken(new IOException(remote + " does not answer"));
    }
  }

  /** Handles what the selector found. */
  void ready(SelectionKey selected) {
    try {
      if (selected.isValid() && selected.isConnectable()) {
        connected(selected);
      }
      if (selected.isValid() && selected.isReadable()) {
        read();
      }
      if (selected.isValid() && selected.isWritable()) {
        flush();
      }
    } catch (Handshake.RefusedException e) {
      refused(String.valueOf(e.getMessage()));
    } catch (BootstrapException e) {
      close(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      broken(e);
    }
  }

  /** The other end is not who it should be, which at one address of several may be a stranger. */
  private void refused(String reason) {
    if (dialling != null && dialling.hasSeveralAddresses()) {
      broken(new IOException(remote + ": " + reason));
    } else {
      strange = true;
      close(reason);
    }
  }

  private void connected(SelectionKey selected) throws IOException {
    SocketChannel connecting = (SocketChannel) selected.channel();
    connecting.finishConnect();
    if (connecting.getLocalAddress().equals(connecting.getRemoteAddress())) {
      // TCP lets a socket connect to itself where it dials a free port of its own host.
      throw new IOException("nothing listens there");
    }
    selected.interestOps(SelectionKey.OP_READ);
    flush();
  }

  private void read() throws IOException, Handshake.RefusedException {
    ByteBuffer buffer = loop.readBuffer();
    for (int turn = 0; turn < READS_PER_TURN && channel != null && !paused; turn++) {
      buffer.clear();
      int count = channel.read(buffer);
      if (count < 0) {
        broken(new EOFException("the connection was closed"));
        return;
      }
      if (count == 0) {
        return;
      }
      take(buffer.flip());
    }
  }

  private void take(ByteBuffer in) throws IOException, Handshake.RefusedException {
    while (state == State.PROVING && in.hasRemaining()) {
      ByteBuffer reply = handshake.advance(in);
      if (reply != null) {
        handshakeOut = reply;
      }
      if (handshake.isDone()) {
        state = State.OPEN;
        loop.opened(this);
      }
      flush();
    }
    while (state == State.OPEN && in.hasRemaining()) {
      Frame frame = reader.read(in);
      if (frame != null) {
        loop.handler().received(this, frame);
      }
    }
  }

  /** Reads no more until {@link #resume}, so that the other end has to wait. */
  void pause() {
    paused = true;
    updateInterest();
  }

  /** Reads again. */
  void resume() {
    if (paused) {
      paused = false;
      updateInterest();
    }
  }

  private void updateInterest() {
    SelectionKey registered = key;
    if (registered != null && registered.isValid() && state == State.OPEN) {
      int write = registered.interestOps() & SelectionKey.OP_WRITE;
      registered.interestOps(write | (paused ? 0 : SelectionKey.OP_READ));
    }
  }

  /** Sends {@code frame}, now or when the link is open. */
  void send(Frame frame) {
    if (state == State.CLOSED || finishing) {
      return;
    }
    out.add(frame.encode());
    if (state == State.OPEN) {
      try {
        flush();
      } catch (IOException e) {
        broken(e);
      }
    }
  }

  /**
   * Sends nothing after what is waiting, and closes when the other end has closed too: closing at
   * once could make the system throw away what the other end has not read yet.
   */
  void finish() {
    finishing = true;
    if (state == State.PROVING && (isInbound() || out.isEmpty())) {
      close("closed before it was used");
    } else if (state == State.OPEN) {
      try {
        flush();
      } catch (IOException e) {
        broken(e);
      }
    }
  }

  private void flush() throws IOException {
    SocketChannel to = channel;
    if (to == null || key == null || !to.isConnected()) {
      return;
    }
    boolean all = true;
    if (handshakeOut != null) {
      to.write(handshakeOut);
      all = !handshakeOut.hasRemaining();
      if (all) {
        handshakeOut = null;
      }
    }
    while (all && state == State.OPEN && !out.isEmpty()) {
      ByteBuffer frame = out.getFirst();
      all = write(to, frame);
      if (!frame.hasRemaining()) {
        out.removeFirst();
        FrameType type = FrameType.ofCode(frame.get(Integer.BYTES));
        if (type != null && type.isMessage()) {
          loop.handler().written(this, frame.limit());
        }
      }
    }
    if (all && state == State.OPEN && finishing && !finished) {
      finished = true;
      to.shutdownOutput();
    }
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      registered.interestOps(
          (paused ? 0 : SelectionKey.OP_READ) | (all ? 0 : SelectionKey.OP_WRITE));
    }
  }

  /** Writes a bounded piece at a time, since the JDK keeps a direct copy of each piece's size. */
  private static boolean write(SocketChannel to, ByteBuffer frame) throws IOException {
    int end = frame.limit();
    while (frame.hasRemaining()) {
      int piece = Math.min(end - frame.position(), WRITE_BYTES);
      frame.limit(frame.position() + piece);
      int written = to.write(frame);
      frame.limit(end);
      if (written < piece) {
        return false;
      }
    }
    return true;
  }

  /** The connection is gone: for an outbound link that is not open, no reason to give up yet. */
  private void broken(IOException e) {
    if (dialling == null && state == State.PROVING) {
      close(LinkLoop.text(e) + ": " + handshake.progress());
      return;
    }
    if (state != State.PROVING || dialling == null) {
      close(LinkLoop.text(e));
      return;
    }
    lastProblem = LinkLoop.text(e);
    releaseChannel();
    long pause = finishing ? -1 : dialling.pauseAfter(e);
    if (pause < 0) {
      close(lastProblem);
    } else {
      loop.after(pause, this::attempt);
    }
  }

  /** Gives up an outbound link that is not open at its deadline. */
  void expire() {
    if (state == State.PROVING) {
      close(lastProblem);
    }
  }

  /** Closes the connection at once. */
  void close(String reason) {
    if (state == State.CLOSED) {
      return;
    }
    boolean proved = state == State.OPEN;
    state = State.CLOSED;
    out.clear();
    releaseChannel();
    loop.closed(this, proved, reason);
  }

  private void releaseChannel() {
    if (key != null) {
      key.cancel();
      key = null;
    }
    if (channel != null) {
      loop.release(channel);
      channel = null;
    }
  }
}
