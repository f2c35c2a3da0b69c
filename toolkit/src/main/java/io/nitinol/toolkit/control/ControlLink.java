// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import io.nitinol.toolkit.thread.OnlyThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One control connection between two ends that prove themselves to each other before anything else.
 * The accepting end confirms the connecting end's proof by a frame of no bytes; only then is the
 * link open at the connecting end. An outbound link takes frames from the start and sends them once
 * it is open. Until then it has lost nothing with a connection that ends, and connects again as its
 * {@link Patience} has it: a machine that is slow may be dropped as a stranger, and comes again.
 */
@OnlyThread("control loop")
public final class ControlLink {

  /** What happens on a link; told on the loop's thread, and may not wait. */
  public interface Events {
    /**
     * The other end has proven itself and, where it accepts, has confirmed this end's proof.
     *
     * @param link the link
     */
    void opened(ControlLink link);

    /**
     * A frame came.
     *
     * @param link the link
     * @param frame the frame without its length, the callee's
     * @throws IOException if it is none that the other end may send; ends the link with this reason
     */
    void received(ControlLink link, byte[] frame) throws IOException;

    /**
     * A frame has left, not a sign of life.
     *
     * @param link the link
     * @param frame what {@link ControlLink#send} was given, read to its end
     */
    default void written(ControlLink link, ByteBuffer frame) {}

    /**
     * The link has ended. Comes once, and nothing after it; not for an inbound link that has not
     * proven itself.
     *
     * @param link the link
     * @param proven whether it was open; else it is an outbound one that could not be opened
     * @param reason why
     */
    void closed(ControlLink link, boolean proven, String reason);
  }

  private enum State {
    PROVING,
    OPEN,
    CLOSED
  }

  /** The frame of no bytes, by which an accepting end confirms; later it is a sign of life. */
  private static final int NOTHING = FrameReader.PREFIX;

  private static final int READS_PER_TURN = 8;

  private final ControlLoop loop;
  private final Greeting greeting;
  private final @Nullable Dialling dialling;
  private final @Nullable ControlListener listener;
  private long deadlineNanos;
  private FrameReader reader; // of one connection, so that each begins at the first byte
  private final LinkOutput output = new LinkOutput(frame -> events().written(this, frame));
  private State state = State.PROVING;
  private @Nullable Events events;
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;
  private Handshake handshake;
  private String remote;
  private InetAddress remoteAddress;
  private @Nullable InetAddress local;
  private String lastProblem = "no answer";
  private long heardNanos;
  private boolean paused;
  private boolean refused;
  private boolean left;

  /** An outbound link, to be started with {@link #attempt}. */
  ControlLink(
      ControlLoop loop,
      List<InetSocketAddress> to,
      Patience patience,
      long deadlineNanos,
      Greeting greeting,
      Events events) {
    this.loop = loop;
    this.greeting = greeting;
    this.dialling = new Dialling(to, patience);
    this.listener = null;
    this.deadlineNanos = deadlineNanos;
    this.reader = new FrameReader(loop.protocol().mostFrame());
    this.events = events;
    this.remote = Addresses.text(to.getFirst());
    this.remoteAddress = to.getFirst().getAddress();
    this.handshake = new Handshake(loop.protocol().handshake(), Role.CONNECTOR, greeting);
  }

  /** An inbound link, whose other end has until {@code deadlineNanos} to prove itself. */
  ControlLink(
      ControlLoop loop,
      ControlListener listener,
      SocketChannel channel,
      long deadlineNanos,
      Greeting greeting)
      throws IOException {
    this.loop = loop;
    this.greeting = greeting;
    this.dialling = null;
    this.listener = listener;
    this.deadlineNanos = deadlineNanos;
    this.reader = new FrameReader(loop.protocol().mostFrame());
    this.channel = channel;
    this.handshake = new Handshake(loop.protocol().handshake(), Role.ACCEPTOR, greeting);
    InetSocketAddress from = (InetSocketAddress) channel.getRemoteAddress();
    this.remote = Addresses.text(from);
    this.remoteAddress = from.getAddress();
    prepare(channel);
    this.key = loop.register(channel, SelectionKey.OP_READ, this);
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    KeepAlive.enable(channel);
  }

  /**
   * Returns what this end says and what it has heard.
   *
   * @return the greeting that the link was made with
   */
  public Greeting greeting() {
    return greeting;
  }

  /**
   * Returns the address of the other end.
   *
   * @return its text, for messages
   */
  public String remote() {
    return remote;
  }

  /**
   * Returns the address of the other end, the one of the last try if there are several.
   *
   * @return its IP address
   */
  public InetAddress remoteAddress() {
    return remoteAddress;
  }

  /**
   * Returns why an outbound link is not open yet.
   *
   * @return what went wrong last; null for a link that has been open or has ended
   */
  public @Nullable String problem() {
    return state == State.PROVING ? lastProblem : null;
  }

  /**
   * Returns this end's address of an open link: on a machine of several networks, the one that the
   * other end reaches.
   *
   * @return the address; null before the link is open
   */
  public @Nullable InetAddress local() {
    return local;
  }

  /**
   * Returns whether the other end has connected to this one.
   *
   * @return false for a link that was dialled here
   */
  public boolean isInbound() {
    return dialling == null;
  }

  /**
   * Returns whether both ends have proven themselves and the link has not ended.
   *
   * @return whether frames can be sent at once
   */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /**
   * Returns whether the link ended because the other end was not the one it should be.
   *
   * @return false also where nothing answered
   */
  public boolean isRefused() {
    return refused;
  }

  /**
   * Returns whether the last try of this outbound link failed because this process gets no socket.
   *
   * @return true also when the link has ended by that: then the other end has no part in its end
   */
  public boolean isWithoutSocket() {
    return dialling != null && dialling.isWithoutSocket();
  }

  /**
   * Returns whether frames wait to be sent.
   *
   * @return false once all has left
   */
  public boolean hasOutput() {
    return !output.isEmpty();
  }

  /** Returns when an inbound link that has not proven itself is to be dropped. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Returns whether an inbound link has been answered, so that only the proof is due. */
  boolean hasAnswered() {
    return handshake.hasAnswered();
  }

  /** Returns whether the end of the loop waits for the proof of this inbound link. */
  boolean isAwaited() {
    return handshake.hasAnswered() && !greeting.isDispensable();
  }

  /** Returns how far an inbound link has come that takes too long to prove itself. */
  String progress() {
    return handshake.hasAnswered() ? greeting.slow() : handshake.progress();
  }

  private Events events() {
    if (events == null) {
      throw new IllegalStateException("nobody listens to " + remote);
    }
    return events;
  }

  /** Sets the listener of an inbound link that has proven itself. */
  void setEvents(Events told) {
    events = told;
  }

  /** Connects an outbound link, for the first time or again. */
  void attempt() {
    if (state == State.CLOSED || dialling == null) {
      return;
    }
    InetSocketAddress to = dialling.next();
    remote = Addresses.text(to);
    remoteAddress = to.getAddress();
    handshake = new Handshake(loop.protocol().handshake(), Role.CONNECTOR, greeting);
    output.shake(handshake.opening());
    reader = new FrameReader(loop.protocol().mostFrame());
    SocketChannel fresh;
    try {
      fresh = SocketChannel.open();
    } catch (IOException e) {
      lastProblem = ControlLoop.text(e);
      again(dialling.pauseWithoutSocket(e));
      return;
    }
    dialling.hasSocket();
    channel = fresh;
    try {
      prepare(fresh);
      if (dialling.hasSeveralAddresses()) {
        loop.after(dialling.attemptNanos(), () -> abandon(fresh));
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

  /** Goes on to the next address where one does not answer; one that has is the right one. */
  private void abandon(SocketChannel tried) {
    if (state == State.PROVING && !handshake.isDone() && tried.equals(channel)) {
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
    } catch (RefusedException e) {
      refused(String.valueOf(e.getMessage()));
    } catch (NetException e) {
      close(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      broken(e);
    }
  }

  /** The other end is not the right one, which at one address of several may be a stranger. */
  private void refused(String reason) {
    if (dialling != null && dialling.hasSeveralAddresses()) {
      broken(new IOException(remote + ": " + reason));
    } else {
      refused = true;
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

  private void read() throws IOException, RefusedException {
    ByteBuffer buffer = loop.readBuffer();
    for (int turn = 0; turn < READS_PER_TURN && channel != null && !paused; turn++) {
      buffer.clear();
      int count = channel.read(buffer);
      if (count < 0) {
        throw new EOFException(
            state == State.OPEN ? "it closed the connection" : "the connection was closed");
      }
      if (count == 0) {
        return;
      }
      heardNanos = System.nanoTime();
      take(buffer.flip());
    }
  }

  private void take(ByteBuffer in) throws IOException, RefusedException {
    while (state == State.PROVING && in.hasRemaining()) {
      if (handshake.isDone()) {
        awaitConfirmation(in);
      } else {
        prove(in);
      }
      flush();
    }
    while (state == State.OPEN && in.hasRemaining()) {
      byte[] frame = reader.read(in);
      if (frame != null && frame.length > 0) { // one of no bytes is a sign of life
        events().received(this, frame);
      }
    }
  }

  private void prove(ByteBuffer in) throws IOException, RefusedException {
    ByteBuffer reply = handshake.advance(in);
    if (reply != null) {
      output.shake(reply);
      if (listener != null) {
        deadlineNanos = listener.proofDeadline();
      }
    }
    if (handshake.isDone() && listener != null) {
      // Before the link is open: what cannot be confirmed is a stranger that has gone.
      output.shake(ByteBuffer.allocate(NOTHING));
      flush();
      open();
    }
  }

  /** Opens an outbound link when the other end has confirmed this end's proof. */
  private void awaitConfirmation(ByteBuffer in) throws IOException {
    byte[] frame = reader.read(in);
    if (frame != null && frame.length > 0) {
      throw new IOException("it went on before it had confirmed the connection");
    }
    if (frame != null) {
      open();
    }
  }

  private void open() throws IOException {
    if (channel != null && channel.getLocalAddress() instanceof InetSocketAddress own) {
      local = own.getAddress();
    }
    if (listener != null) {
      listener.opened(this);
    }
    state = State.OPEN;
    output.open();
    loop.opened(this);
    events().opened(this);
    if (loop.isDraining()) {
      finish();
    }
    if (loop.protocol().silenceNanos() > 0) {
      watch();
    }
  }

  /** Gives a sign of life now and then, and gives up another end that gives none. */
  private void watch() {
    if (state != State.OPEN) {
      return;
    }
    long silence = loop.protocol().silenceNanos();
    // What a paused link does not read is no silence of the other end.
    long left = paused ? silence : heardNanos + silence - System.nanoTime();
    if (left <= 0) {
      close(ErrorText.of("it was silent for %d ms", silence / 1_000_000));
      return;
    }
    loop.after(Math.min(left, silence / 4), this::watch);
    if (output.isEmpty()) {
      send(ByteBuffer.allocate(NOTHING));
    }
  }

  /**
   * Bounds the frames of this link more narrowly than the protocol does; for {@link Events#opened}
   * of an inbound link, on which no frame has been read yet.
   *
   * @param mostFrame the longest frame that is read, without its length
   */
  public void boundFrames(int mostFrame) {
    reader = new FrameReader(mostFrame);
  }

  /** Reads no more until {@link #resume}, so that the other end has to wait. */
  public void pause() {
    paused = true;
    updateInterest();
  }

  /** Reads again. */
  public void resume() {
    if (paused) {
      paused = false;
      heardNanos = System.nanoTime(); // what has come meanwhile is about to be read
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

  /**
   * Sends a frame, now or when the link is open. Does nothing on a link that has ended or finishes.
   *
   * @param frame its length ({@link FrameReader#PREFIX} bytes) and itself; the link's from here on
   */
  public void send(ByteBuffer frame) {
    if (state == State.CLOSED || output.isFinishing()) {
      return;
    }
    output.add(frame);
    if (output.bytes() > loop.protocol().mostWaiting()) {
      close("it does not read what it is told");
    } else if (state == State.OPEN) {
      flushOrBreak();
    }
  }

  /**
   * Sends nothing after what is waiting, and closes when the other end has closed too: closing at
   * once could make the system throw away what the other end has not read yet.
   */
  public void finish() {
    output.finish();
    if (state == State.PROVING && (isInbound() || output.isEmpty())) {
      close("closed before it was used");
    } else if (state == State.OPEN) {
      flushOrBreak();
    }
  }

  private void flushOrBreak() {
    try {
      flush();
    } catch (IOException e) {
      broken(e);
    }
  }

  private void flush() throws IOException {
    SocketChannel to = channel;
    if (to == null || key == null || !to.isConnected()) {
      return;
    }
    boolean all = output.flush(to);
    SelectionKey registered = key;
    if (registered != null && registered.isValid()) {
      registered.interestOps(
          (paused ? 0 : SelectionKey.OP_READ) | (all ? 0 : SelectionKey.OP_WRITE));
    }
  }

  /**
   * The connection is gone: for an outbound link that is not open, no reason to give up yet.
   * Nothing was sent on it, and the other end may have dropped it for being slow, or for want of
   * room.
   */
  private void broken(IOException e) {
    if (state == State.CLOSED) {
      return;
    }
    if (state == State.OPEN) {
      close(ControlLoop.text(e));
      return;
    }
    if (dialling == null) {
      String how = handshake.isDone() ? "it proved itself and was gone" : handshake.progress();
      left = greeting.isDispensable();
      close(ControlLoop.text(e) + ": " + how);
      return;
    }
    lastProblem = ControlLoop.text(e);
    releaseChannel();
    again(dialling.pauseAfter(e));
  }

  private void again(long pause) {
    if (output.isFinishing() || pause < 0) {
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

  /**
   * Closes the connection at once. Does nothing on a link that has ended.
   *
   * @param reason what {@link Events#closed} gets
   */
  public void close(String reason) {
    if (state == State.CLOSED) {
      return;
    }
    boolean proven = state == State.OPEN;
    state = State.CLOSED;
    output.close();
    releaseChannel();
    loop.forget(this);
    if (listener != null && !proven) {
      listener.dropped(this, reason, left);
    } else {
      events().closed(this, proven, reason);
    }
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
