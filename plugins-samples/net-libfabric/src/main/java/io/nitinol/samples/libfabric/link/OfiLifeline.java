// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.link;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection that made a comm, kept open to notice the end of the peer, which no provider
 * tells for sure. The frames on it say what tagged messages cannot: why a side has failed, which
 * message was too long for its receive, and how far a side had got when it closed.
 */
@OneThread
public final class OfiLifeline {
  /** How long what was handed over may take to fit the kernel's buffer. */
  private static final long SAID_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long SAID_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final ProvenFrames<OfiFrameKind> frames;
  private final int mostShorts;
  private final Deque<byte[]> shorts = new ArrayDeque<>();
  private @Nullable String end;
  private ResultCode result = ResultCode.REMOTE_ERROR;
  private @Nullable String tooLong;
  private long tooLongNumber = Long.MAX_VALUE;
  private long completed;
  private boolean closed;
  private boolean handsOver;

  /**
   * Takes over the connection.
   *
   * @param frames what is said and heard on it
   * @param mostShorts how many short messages the peer may hand over
   */
  public OfiLifeline(ProvenFrames<OfiFrameKind> frames, int mostShorts) {
    this.frames = frames;
    this.mostShorts = mostShorts;
  }

  /**
   * Looks whether the peer is there.
   *
   * @return why it is gone, the same from then on; null while it is there
   */
  public @Nullable String look() {
    while (end == null) {
      try {
        frames.said();
        Frame<OfiFrameKind> frame = frames.hear();
        if (frame == null) {
          return null;
        }
        note(frame);
      } catch (FrameException e) {
        end = "it sent " + e.getMessage();
      } catch (IOException e) {
        end = String.valueOf(e.getMessage());
      }
    }
    return end;
  }

  private void note(Frame<OfiFrameKind> frame) throws FrameException {
    ByteBuffer body = frame.body();
    switch (frame.kind()) {
      case FAILURE -> {
        PeerReason reason = PeerReason.decode(body);
        result = reason.result();
        end = "it says: " + reason.text();
      }
      case TOO_LONG -> {
        expect(frame, 3 * Long.BYTES);
        tooLongNumber = body.getLong();
        tooLong =
            ErrorText.of(
                "message of %d bytes is longer than its receive of %d",
                body.getLong(), body.getLong());
      }
      case CLOSED -> {
        expect(frame, Long.BYTES);
        completed = body.getLong();
        closed = true;
        end = "it has closed the connection";
      }
      case SHORT -> {
        if (shorts.size() >= mostShorts) {
          throw new FrameException("more than " + mostShorts + " short messages");
        }
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        shorts.add(bytes);
      }
      case ADDRESS -> throw new FrameException("its address twice");
    }
  }

  private static void expect(Frame<OfiFrameKind> frame, int bytes) throws FrameException {
    if (frame.body().remaining() != bytes) {
      throw new FrameException(
          ErrorText.of(
              "a frame of kind %s with %d bytes, not %d",
              frame.kind(), frame.body().remaining(), bytes));
    }
  }

  /** {@return why the peer is gone, as far as is known} */
  public @Nullable String end() {
    return end;
  }

  /** {@return whether the peer had a comm and has closed it} */
  public boolean hasClosed() {
    return closed;
  }

  /** {@return what the peer's end is on this side: REMOTE_ERROR or INVALID_USAGE} */
  public ResultCode result() {
    return result;
  }

  /** {@return what is wrong with a message for {@link #tooLongNumber}; null while nothing is} */
  public @Nullable String tooLong() {
    return tooLong;
  }

  /** {@return the number of the receive that a message is too long for} */
  public long tooLongNumber() {
    return tooLongNumber;
  }

  /**
   * {@return how many receives, from the first on, were full and had completed at the peer when it
   * closed}
   */
  public long completed() {
    return completed;
  }

  /**
   * Tells the peer that a message is longer than its receive.
   *
   * @param number the number of the receive
   * @param length its length in bytes
   * @param room the room in the piece
   */
  public void sayTooLong(long number, long length, long room) {
    frames.say(
        OfiFrameKind.TOO_LONG,
        ByteBuffer.allocate(3 * Long.BYTES).putLong(number).putLong(length).putLong(room).flip());
    look();
  }

  /**
   * Tells the peer that this side has failed.
   *
   * @param code the failure on this side
   * @param why for the peer's messages
   */
  public void sayFailure(ResultCode code, String why) {
    if (end == null) {
      frames.say(OfiFrameKind.FAILURE, new PeerReason(code, why).encode());
      look();
    }
  }

  /**
   * Tells the peer that this side closes, as far as the kernel takes it at once.
   *
   * @param count how many receives, from the first on, are full and have completed here
   */
  public void sayClosed(long count) {
    if (end == null) {
      frames.say(OfiFrameKind.CLOSED, ByteBuffer.allocate(Long.BYTES).putLong(count).flip());
      look();
    }
  }

  /**
   * Hands over a short message of a side that closes.
   *
   * @param bytes with its header
   */
  public void sayShort(byte[] bytes) {
    if (end == null) {
      handsOver = true;
      frames.say(OfiFrameKind.SHORT, ByteBuffer.wrap(bytes));
      look();
    }
  }

  private void finishSaying() {
    long start = System.nanoTime();
    try {
      while (!frames.said() && System.nanoTime() - start < SAID_NANOS) {
        LockSupport.parkNanos(SAID_PAUSE_NANOS);
      }
    } catch (IOException e) {
      end = String.valueOf(e.getMessage()); // the peer is gone, and wants nothing any more
    }
  }

  /**
   * {@return a short message that the peer has handed over, in its order; null if there is none}
   */
  public byte @Nullable [] takeShort() {
    return shorts.poll();
  }

  /**
   * Closes the connection. What was said before still goes out, but for what the kernel takes no
   * more of for a second.
   *
   * @throws IOException where the kernel refuses, and frees it all the same
   */
  public void close() throws IOException {
    if (handsOver) {
      finishSaying();
    }
    frames.close();
  }
}
