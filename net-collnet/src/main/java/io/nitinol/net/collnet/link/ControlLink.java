// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.BadFrameException;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.FrameCodec;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One control connection, on either side. Frames go out in the order of {@link #send}, those sent
 * before the connection is proven as soon as it is. What comes in, and the end, are told to {@link
 * Events} on the loop's thread.
 *
 * <p>{@link #send} and {@link #close} may be called from any thread and never wait. {@link
 * #setEvents} belongs to the loop's thread.
 */
public final class ControlLink {

  /** Who is told what happens on a link; called on the loop's thread, and may not wait. */
  public interface Events {
    /**
     * A frame has come; never a {@link ControlFrame.Ping}.
     *
     * @param frame what was said
     */
    void frame(ControlFrame frame);

    /**
     * The link has ended, not by {@link ControlLink#close}; comes once, and nothing after it.
     *
     * @param why what happened, with the other side's address, for the user
     */
    void closed(String why);
  }

  /** The most frames that are read at a time: one that floods keeps the thread from nobody. */
  private static final int FRAMES_AT_ONCE = 64;

  /** The most bytes that may wait to be sent: many times what any side has to say. */
  private static final int MAX_WAITING = 2 << 20;

  /** What a link says that nobody listens to. */
  private static final Events NOBODY =
      new Events() {
        @Override
        public void frame(ControlFrame frame) {}

        @Override
        public void closed(String why) {}
      };

  private final ControlLoop loop;
  private final Role role;
  private final byte[] key;
  private final InetSocketAddress address;
  private Events events;

  // Of the loop's thread.
  @Nullable SocketChannel channel;
  private @Nullable SelectionKey selection;
  private Handshake handshake;
  private ByteBuffer in;
  private final ByteBuffer prefix = ByteBuffer.allocate(FrameCodec.PREFIX);
  private boolean inFrame;
  private boolean ended;
  private boolean shut;

  /** Whether what waits first belongs to the handshake and may go out before the proofs. */
  private boolean opened;

  private @Nullable InetAddress local;

  /** When the other side last said something; before the proof, when the connection began. */
  long heardNanos;

  /** When this side last said something. */
  long saidNanos;

  /** When a connection that cannot be made, proven or closed is given up. */
  long deadlineNanos;

  /** Until when a refused connection is tried again. */
  long patienceNanos;

  /** When to try again, while there is no channel. */
  long retryNanos;

  private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>(); // guarded by itself
  private int waitingBytes; // guarded by waiting
  private boolean overflow; // guarded by waiting
  private volatile boolean closing;

  ControlLink(
      ControlLoop loop, Role role, SwitchKey key, InetSocketAddress address, Events events) {
    this.loop = loop;
    this.role = role;
    this.key = key.bytes();
    this.address = address;
    this.events = events;
    handshake = new Handshake(role, this.key);
    in = handshake.expected();
  }

  ControlLink(ControlLoop loop, SwitchKey key, InetSocketAddress address) {
    this(loop, Role.ACCEPTOR, key, address, NOBODY);
  }

  /**
   * Returns the other side's address.
   *
   * @return the text that messages show
   */
  public String peer() {
    return Addresses.text(address);
  }

  /**
   * Returns this side's address of the connection: on a machine of several networks, the one that
   * the other side reaches.
   *
   * @return the address; null before the connection is made
   */
  public @Nullable InetAddress local() {
    return local;
  }

  /**
   * Says from now on to whom what happens is told; on the loop's thread, as whoever is handed an
   * accepted link does at once.
   *
   * @param events who is told
   */
  public void setEvents(Events events) {
    this.events = events;
  }

  /**
   * Sends a frame, as soon as the connection is proven. What is sent on a link that has ended goes
   * nowhere: {@link Events#closed} told that. A side that lets too much wait has ended.
   *
   * @param frame what to say
   */
  public void send(ControlFrame frame) {
    if (closing) {
      return;
    }
    ByteBuffer bytes = FrameCodec.encode(frame);
    synchronized (waiting) {
      if (waitingBytes + bytes.remaining() > MAX_WAITING) {
        overflow = true;
      } else {
        waitingBytes += bytes.remaining();
        waiting.add(bytes);
      }
    }
    loop.attend(this);
  }

  /** Closes the connection once what was sent is out, or after a second. Events end at once. */
  public void close() {
    if (!closing) {
      closing = true;
      loop.attend(this);
    }
  }

  // All below runs on the loop's thread.

  boolean isProven() {
    return handshake.isProven();
  }

  boolean isClosing() {
    return closing;
  }

  boolean hasEnded() {
    return ended;
  }

  boolean isAccepted() {
    return role == Role.ACCEPTOR;
  }

  InetSocketAddress address() {
    return address;
  }

  /** Takes a channel: an accepted one, or one that begins to connect. */
  void take(SocketChannel channel, SelectionKey selection) {
    if (opened) { // what an earlier attempt did not get out of its handshake
      opened = false;
      synchronized (waiting) {
        waitingBytes -= waiting.removeFirst().remaining();
      }
    }
    this.channel = channel;
    this.selection = selection;
    handshake = new Handshake(role, key);
    in = handshake.expected();
  }

  /** Says the first word once connected. */
  void connected() throws IOException {
    local = ((InetSocketAddress) open().getLocalAddress()).getAddress();
    if (role == Role.CONNECTOR) {
      sayFirst(handshake.opening());
    }
  }

  /**
   * Reads what there is.
   *
   * @return whether the other side has proven itself in this call
   */
  boolean read(long now) throws IOException, HandshakeException, BadFrameException {
    boolean before = handshake.isProven();
    int frames = 0;
    while (!ended && frames < FRAMES_AT_ONCE) {
      int came = open().read(in);
      if (came < 0) {
        throw new IOException(
            before
                ? "it closed the connection"
                : "it closed the connection before it had proven itself");
      }
      if (came > 0) {
        heardNanos = handshake.isProven() ? now : heardNanos;
      }
      if (!handshake.isProven()) {
        ByteBuffer say = handshake.advance();
        if (say != null) {
          sayFirst(say);
        }
        if (handshake.isProven()) {
          heardNanos = now;
          in = prefix.clear();
          return true; // the frames are read once the link has been handed over
        }
        in = handshake.expected();
        if (came == 0) {
          return false;
        }
        continue;
      }
      if (in.hasRemaining()) {
        return false;
      }
      if (!inFrame) {
        int length = prefix.getInt(0);
        if (length < 1 || length > FrameCodec.MAX_FRAME) {
          throw new BadFrameException(
              "a frame of " + length + " bytes, expected 1 to " + FrameCodec.MAX_FRAME);
        }
        in = ByteBuffer.allocate(length);
        inFrame = true;
      } else {
        ControlFrame frame = FrameCodec.decode(in.flip());
        inFrame = false;
        frames++;
        in = prefix.clear();
        if (!(frame instanceof ControlFrame.Ping) && !closing) {
          events.frame(frame);
        }
      }
    }
    return false;
  }

  /** Reads and forgets, while closing. Returns whether the other side has closed too. */
  boolean drain() throws IOException {
    ByteBuffer nowhere = ByteBuffer.allocate(4096);
    int came = 1;
    for (int reads = 0; reads < FRAMES_AT_ONCE && came > 0; reads++) {
      came = open().read(nowhere.clear());
    }
    return came < 0;
  }

  private void sayFirst(ByteBuffer say) {
    synchronized (waiting) {
      waitingBytes += say.remaining();
      waiting.addFirst(say);
    }
    opened = true;
  }

  /**
   * Writes what waits, as far as it goes.
   *
   * @return whether all is out
   */
  boolean write(long now) throws IOException {
    boolean all;
    synchronized (waiting) {
      if (overflow) {
        throw new IOException("it does not read what it is told");
      }
      while (!waiting.isEmpty() && mayWrite()) {
        ByteBuffer first = waiting.peekFirst();
        int written = open().write(first);
        waitingBytes -= written;
        if (first.hasRemaining()) {
          break;
        }
        waiting.removeFirst();
        opened = false;
        saidNanos = now;
      }
      all = waiting.isEmpty() || !mayWrite();
    }
    SelectionKey registered = selection;
    if (registered != null && registered.isValid()) {
      registered.interestOps(SelectionKey.OP_READ | (all ? 0 : SelectionKey.OP_WRITE));
    }
    return all;
  }

  /** Frames wait for the proofs; what the handshake says does not. */
  private boolean mayWrite() {
    return opened || handshake.isProven();
  }

  boolean isEmpty() {
    synchronized (waiting) {
      return waiting.isEmpty();
    }
  }

  /** Tells the other side, once, that nothing more comes. */
  void shutdownOutput() throws IOException {
    if (!shut) {
      shut = true;
      open().shutdownOutput();
    }
  }

  private SocketChannel open() {
    return Objects.requireNonNull(channel, "channel of a link that is connected");
  }

  /** Ends the link and tells so, unless it was closed here. */
  void end(String why) {
    if (!ended) {
      ended = true;
      if (!closing) {
        closing = true;
        events.closed(why);
      }
    }
  }
}
