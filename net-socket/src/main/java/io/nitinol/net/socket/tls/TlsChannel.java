// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.thread.AnyThread;
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
 * TLS 1.3 over a non-blocking channel. The calls that move data drive it: none waits, and the
 * engine's tasks run in the call that meets them. The data goes one way: once {@link #handshake} is
 * complete, the side that connects only writes and the side that accepts only reads. Calls lock the
 * channel, so that a close cannot take the buffers away under another call; the engine locks on
 * each record anyway.
 *
 * <p>The handshake ends with a proof of each side inside TLS ({@link TlsBinding}). In TLS 1.3 the
 * connecting side's part of the handshake is over before the other side has looked at its
 * certificate. The accepting side's proof shows it that its certificate has been accepted;
 * otherwise it gets an alert.
 *
 * <p>The side that only reads leaves its answers to key updates in the engine until it closes. RFC
 * 8446 §4.6.3 allows that: they have to come before its next data, and it has none. So the other
 * side never has unread bytes in the kernel, which would turn its close into a reset that takes
 * data with it.
 */
@AnyThread
public final class TlsChannel implements AutoCloseable {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ByteChannel channel;
  private final SSLEngine engine;
  private final BindingProofs proofs;
  private final RecordBuffer incoming;
  private final RecordBuffer outgoing;
  // One record on its way through the engine; as large as the engine asks for.
  private final ByteBuffer record;
  // The bytes of a record for which the reader had no room, from position to limit.
  private final ByteBuffer plain;

  private boolean begun;
  private boolean shaken;
  private boolean ended;
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * Begins as one of the sides: the connecting one will write, the accepting one will read.
   *
   * @param channel a non-blocking channel, closed with this one
   * @param side this side
   * @param binding makes the proofs inside TLS
   * @param small a direct buffer of some hundred bytes to some KB for short data; the caller's
   *     again once this channel is closed
   * @param lender has larger buffers; the records in one of them leave with one write
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

  /** Returns the size in bytes of a buffer that holds {@code records} records. */
  public static int bufferSize(int records) {
    return records * RecordBuffer.LARGEST_RECORD;
  }

  /**
   * Continues the handshake as far as that is possible now.
   *
   * @return whether it is complete, so that both sides know that they accept each other
   * @throws IOException when it has failed; the message has the reason of the side that refused
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
   * @return how many bytes of {@code source} are taken; {@link #flush} returns whether they have
   *     left
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

  /** Writes held bytes as far as the channel takes them; returns whether none is left. */
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
   * Decrypts what has come into {@code target}, with at most one read of the channel.
   *
   * @return the number of bytes; 0 where none comes before the channel can be read again; -1 where
   *     the peer has closed
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
      // The bytes before it are good; the next call fails.
    }
    int came = before - target.remaining();
    return came == 0 && ended ? -1 : came;
  }

  /** Decrypts the whole records that have come, as long as there is room in {@code target}. */
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

  /** Makes one record of the beginning of {@code source}, or of the engine's own message. */
  private void seal(ByteBuffer source) throws IOException {
    if (!outgoing.hasRoom()) {
      throw new SSLException("TLS has more to send at once than its buffer holds");
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
    // The engine takes a whole record, perhaps after a task that was due.
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

  /** Returns the reason of a failed write: the alert that the peer sent before, or the failure. */
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
   * Sends the engine's last message, an alert or close_notify, as far as that goes without waiting.
   * It is no failure of its own if the message does not leave: then the peer is gone, or reports
   * that the message is missing.
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
   * Sends close_notify, as far as that goes without waiting, and closes the channel. A peer that
   * does not get it reports its data as cut off, which is true: some was still held here.
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
