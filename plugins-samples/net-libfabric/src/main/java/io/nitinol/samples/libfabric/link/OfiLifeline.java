// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.link;

import io.nitinol.samples.libfabric.link.OfiFrames.Frame;
import io.nitinol.samples.libfabric.link.OfiFrames.Kind;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection that made a comm, kept open to notice the end of the peer, which no provider
 * tells for sure. The frames on it say what tagged messages cannot: why a side has failed, which
 * message was too long for its receive, and how far a side had got when it closed.
 */
@OneThread
public final class OfiLifeline {
  private static final int MOST_TEXT = 1000;

  private final OfiFrames frames;
  private @Nullable String end;
  private ResultCode result = ResultCode.REMOTE_ERROR;
  private @Nullable String tooLong;
  private long tooLongNumber = Long.MAX_VALUE;
  private long completed;
  private boolean closed;

  /**
   * Takes over the connection.
   *
   * @param frames what is said and heard on it
   */
  public OfiLifeline(OfiFrames frames) {
    this.frames = frames;
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
        Frame frame = frames.hear();
        if (frame == null) {
          return null;
        }
        note(frame);
      } catch (LinkException e) {
        end = "it sent " + e.getMessage();
      } catch (IOException e) {
        end = String.valueOf(e.getMessage());
      }
    }
    return end;
  }

  private void note(Frame frame) throws LinkException {
    ByteBuffer body = frame.body();
    switch (frame.kind()) {
      case FAILURE -> {
        Reason reason = Reason.decode(body);
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
      case ADDRESS -> throw new LinkException("its address twice");
    }
  }

  private static void expect(Frame frame, int bytes) throws LinkException {
    if (frame.body().remaining() != bytes) {
      throw new LinkException(
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

  /** {@return what is wrong with the message of {@link #tooLongNumber}; null while nothing is} */
  public @Nullable String tooLong() {
    return tooLong;
  }

  /** {@return the number of the message that is longer than its receive} */
  public long tooLongNumber() {
    return tooLongNumber;
  }

  /** {@return how many messages, from the first on, had completed at the peer when it closed} */
  public long completed() {
    return completed;
  }

  /**
   * Tells the peer that a message is longer than its receive.
   *
   * @param number the message's number
   * @param length its length in bytes
   * @param room the room in the receive
   */
  public void sayTooLong(long number, long length, long room) {
    frames.say(
        Kind.TOO_LONG,
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
      frames.say(Kind.FAILURE, Reason.encode(code, why));
      look();
    }
  }

  /**
   * Tells the peer that this side closes, as far as the kernel takes it at once.
   *
   * @param count how many messages, from the first on, have completed here
   */
  public void sayClosed(long count) {
    if (end == null) {
      frames.say(Kind.CLOSED, ByteBuffer.allocate(Long.BYTES).putLong(count).flip());
      look();
    }
  }

  /**
   * Closes the connection.
   *
   * @throws IOException where the kernel refuses, and frees it all the same
   */
  public void close() throws IOException {
    frames.close();
  }

  /**
   * Why a side has failed or does not connect.
   *
   * @param result REMOTE_ERROR, or INVALID_USAGE where both sides have to be configured alike
   * @param text for messages, without control characters
   */
  public record Reason(ResultCode result, String text) {

    /**
     * Writes the body of a frame.
     *
     * @param result the failure on this side
     * @param text why; cut where it is too long
     * @return the body
     */
    public static ByteBuffer encode(ResultCode result, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int length = Math.min(bytes.length, MOST_TEXT);
      return ByteBuffer.allocate(2 + length)
          .putShort((short) result.code())
          .put(bytes, 0, length)
          .flip();
    }

    /**
     * Reads the body of a frame.
     *
     * @param body what came
     * @return what it says
     * @throws LinkException where it says nothing
     */
    public static Reason decode(ByteBuffer body) throws LinkException {
      if (body.remaining() < 2) {
        throw new LinkException("a reason of " + body.remaining() + " bytes");
      }
      int code = body.getShort();
      String text = StandardCharsets.UTF_8.decode(body).toString().replaceAll("\\p{Cntrl}", "?");
      return new Reason(
          code == ResultCode.INVALID_USAGE.code()
              ? ResultCode.INVALID_USAGE
              : ResultCode.REMOTE_ERROR,
          text);
    }
  }
}
