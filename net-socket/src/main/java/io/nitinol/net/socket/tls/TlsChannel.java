// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.PeerProof.Role;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 over a non-blocking channel, driven by the calls that want to move data; nothing here
 * waits, and the engine's tasks run in the call that meets them. The data goes one way: the side
 * that connects only writes and the side that accepts only reads, once {@link #handshake} is
 * complete. Locked, so that a close cannot take the buffers away under a call; the engine locks on
 * each record anyway.
 *
 * <p>The handshake ends with a proof of each side inside TLS ({@link TlsBinding}). From the one of
 * the side that accepts, the side that connects also knows that its certificate has been accepted,
 * or is told why not: in TLS 1.3 its part of the handshake is over before the other side has looked
 * at it.
 *
 * <p>The side that only reads leaves its answers to key updates in the engine until it closes,
 * which RFC 8446 §4.6.3 allows: they have to come before its next data, and it has none. So the
 * other side never has anything unread in the kernel, which would turn its close into a reset that
 * takes data with it.
 */
public final class TlsChannel implements AutoCloseable {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ByteChannel channel;
  private final SSLEngine engine;
  private final BindingProofs proofs;
  private final RecordBuffer incoming;
  private final RecordBuffer outgoing;
  // One record on its way through the engine; large enough for whatever the engine asks for.
  private final ByteBuffer record;
  // What a record held beyond the room that the reader had; from its position to its limit.
  private final ByteBuffer plain;

  private boolean begun;
  private boolean shaken;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * Begins as one of the sides: that which connects will write, that which accepts will read.
   *
   * @param channel a non-blocking channel, closed with this one
   * @param side this side
   * @param binding what the other side has to be, apart from what {@code context} says
   * @param small a direct buffer of some hundred bytes to some KB, for what is not more; the
   *     caller's again once this channel is closed
   * @param lender has larger ones: as many records as fit in one leave in one write
   */
  public TlsChannel(
      ByteChannel channel,
      TlsContext context,
      Role side,
      TlsBinding binding,
      ByteBuffer small,
      LargeBuffers lender) {
    this.channel = channel;
    this.engine = context.engine(side);
    this.proofs = new BindingProofs(side, binding);
    int half = small.capacity() / 2;
    this.incoming = new RecordBuffer(small.slice(0, half), lender);
    this.outgoing = new RecordBuffer(small.slice(half, half), lender);
    int largest = Math.max(RecordBuffer.LARGEST_RECORD, engine.getSession().getPacketBufferSize());
    this.record = ByteBuffer.allocate(largest);
    this.plain = ByteBuffer.allocate(largest).limit(0);
  }

  /** How many bytes a buffer has that holds up to {@code records} records. */
  public static int bufferSize(int records) {
    return records * RecordBuffer.LARGEST_RECORD;
  }

  /**
   * Goes on with the handshake as far as that is possible now.
   *
   * @return whether it is complete, so that both sides know that they accept each other
   * @throws IOException when it has failed; the message says why, from either side's view
   */
  public synchronized boolean handshake() throws IOException {
    checkUsable();
    try {
      if (!begun) {
        engine.beginHandshake();
        begun = true;
      }
      while (!shaken) {
        if (!outgoing.drainTo(channel)) {
          return false;
        }
        switch (engine.getHandshakeStatus()) {
          case NEED_TASK -> runTasks();
          case NEED_WRAP -> seal(NOTHING);
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            int length = incoming.firstRecord();
            if (length > 0) {
              open(length, plain.clear());
              plain.flip();
            } else if (!fill()) {
              return false;
            }
          }
          case FINISHED, NOT_HANDSHAKING -> shaken = true;
        }
      }
      return confirm();
    } catch (IOException e) {
      fail(e);
      tellPeer();
      throw e;
    }
  }

  private boolean confirm() throws IOException {
    ByteBuffer own = ended ? null : proofs.make(engine.getSession());
    if (own != null) {
      seal(own);
    }
    boolean sent = outgoing.drainTo(channel);
    if (proofs.areRight()) {
      return sent;
    }
    if (read(proofs.claimed()) < 0) {
      throw endedEarly();
    }
    return proofs.areRight() && sent;
  }

  private static EOFException endedEarly() {
    return new EOFException("the peer ended the connection before it had proven itself inside TLS");
  }

  /**
   * Encrypts as much of {@code source} as there is room for and writes what the channel takes.
   *
   * @return how many bytes of {@code source} are taken; {@link #flush} says whether they have left
   */
  public synchronized int write(ByteBuffer source) throws IOException {
    checkUsable();
    int before = source.remaining();
    try {
      do {
        while (source.hasRemaining() && outgoing.hasRoom()) {
          seal(source);
        }
      } while (outgoing.drainTo(channel) && source.hasRemaining());
    } catch (IOException e) {
      throw fail(reasonOf(e));
    }
    return before - source.remaining();
  }

  /** Writes what the channel takes of what is held; returns whether nothing is held any more. */
  public synchronized boolean flush() throws IOException {
    if (outgoing.isEmpty()) {
      return true;
    }
    checkUsable();
    try {
      return outgoing.drainTo(channel);
    } catch (IOException e) {
      throw fail(reasonOf(e));
    }
  }

  /**
   * Decrypts what is there into {@code target}, with one read of the channel at most.
   *
   * @return the number of bytes; 0: there is none before the channel can be read again; -1: the
   *     peer has closed
   * @throws EOFException where the channel has ended and the peer has not closed: it died, or
   *     somebody cut the connection
   */
  public synchronized int read(ByteBuffer target) throws IOException {
    checkUsable();
    if (ended && !plain.hasRemaining()) {
      return -1;
    }
    int before = target.remaining();
    try {
      decrypt(target);
      if (target.remaining() == before && before > 0 && !ended && fill()) {
        decrypt(target);
      }
    } catch (IOException e) {
      fail(e);
      tellPeer();
      if (target.remaining() == before) {
        throw e;
      }
      // What came before it is good; the next call fails.
    }
    int came = before - target.remaining();
    return came == 0 && ended ? -1 : came;
  }

  /** Decrypts the whole records that are there, for as long as there is room in {@code target}. */
  private void decrypt(ByteBuffer target) throws IOException {
    hand(target);
    while (target.hasRemaining() && !ended) {
      int length = incoming.firstRecord();
      if (length == 0) {
        return;
      }
      if (target.remaining() >= length) {
        open(length, target);
      } else {
        open(length, plain.clear());
        plain.flip();
        hand(target);
      }
    }
  }

  private void hand(ByteBuffer target) {
    int part = Math.min(plain.remaining(), target.remaining());
    if (part > 0) {
      target.put(target.position(), plain, plain.position(), part);
      target.position(target.position() + part);
      plain.position(plain.position() + part);
    }
  }

  /** Makes one record of the beginning of {@code source}, or of what the engine has to say. */
  private void seal(ByteBuffer source) throws IOException {
    if (!outgoing.hasRoom()) {
      throw new SSLException("TLS has more to say at once than its buffer holds");
    }
    SSLEngineResult result = engine.wrap(source, record.clear());
    if (result.getStatus() != Status.OK
        && !(result.getStatus() == Status.CLOSED && result.bytesProduced() > 0)) {
      throw new SSLException("TLS cannot encrypt: " + result.getStatus());
    }
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      runTasks();
    }
    outgoing.add(record.flip());
  }

  /** Decrypts the first incoming record, of {@code length} bytes, into {@code target}. */
  private void open(int length, ByteBuffer target) throws SSLException {
    incoming.takeFirst(length, record);
    // The engine takes a record whole, perhaps after a task that was due.
    for (int tries = 0; record.hasRemaining() && !ended; tries++) {
      if (tries == 2) {
        throw new SSLException("TLS does not take a record: " + engine.getHandshakeStatus());
      }
      SSLEngineResult result = engine.unwrap(record, target);
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
      if (result.getStatus() == Status.CLOSED) {
        ended = true;
      } else if (result.getStatus() != Status.OK) {
        throw new SSLException("TLS cannot decrypt: " + result.getStatus());
      }
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  private boolean fill() throws IOException {
    int came = incoming.fillFrom(channel);
    if (came < 0) {
      throw new EOFException(
          "the connection ended without TLS's close_notify: the peer died or somebody cut it");
    }
    return came > 0;
  }

  /** What a failed write means is what the peer said before it closed the connection, if it did. */
  private IOException reasonOf(IOException writing) {
    try {
      while (!ended && fill()) {
        for (int length = incoming.firstRecord(); length > 0; length = incoming.firstRecord()) {
          open(length, plain.clear());
        }
      }
    } catch (SSLException alert) {
      alert.addSuppressed(writing);
      return alert;
    } catch (IOException alsoReading) {
      writing.addSuppressed(alsoReading);
    }
    return writing;
  }

  /**
   * Sends what the engine has to say at the end, an alert or close_notify, as far as that goes
   * without waiting. That it does not go is no failure of its own: then the peer is gone, or misses
   * it and says so.
   */
  private void tellPeer() {
    try {
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && outgoing.hasRoom()) {
        seal(NOTHING);
        if (engine.isOutboundDone()) {
          break;
        }
      }
      outgoing.drainTo(channel);
    } catch (IOException e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
  }

  private IOException fail(IOException reason) {
    failure = reason;
    return reason;
  }

  private void checkUsable() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  /**
   * Says close_notify, as far as that goes without waiting, and closes the channel. A peer that
   * does not get it takes what it received for cut off, which it is: something was still held here.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (failure == null) {
      engine.closeOutbound();
      tellPeer();
    }
    try {
      channel.close();
    } finally {
      incoming.clear();
      outgoing.clear();
    }
  }
}
