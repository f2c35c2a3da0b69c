// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Why a side does not connect, or has failed: 2 bytes of a result code, and UTF-8 text.
 *
 * @param result of a reason that has come: INVALID_USAGE where both sides are meant, else
 *     REMOTE_ERROR, which is what the peer's failure is to this side; of one that is to be sent:
 *     what the failure is on this side
 * @param text why, for logs and messages; of a reason that has come without control characters
 */
public record PeerReason(ResultCode result, String text) {
  private static final int MOST_TEXT = 1000;

  /**
   * Takes what a failure says.
   *
   * @param failure the failure on this side
   * @return its result and its message
   */
  public static PeerReason of(NetException failure) {
    return new PeerReason(failure.result(), String.valueOf(failure.getMessage()));
  }

  /**
   * Writes the body of a frame.
   *
   * @return the result on this side, and the text, cut where it is too long
   */
  public ByteBuffer encode() {
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
   * @throws FrameException where it says nothing
   */
  public static PeerReason decode(ByteBuffer body) throws FrameException {
    if (body.remaining() < 2) {
      throw new FrameException("a reason of " + body.remaining() + " bytes");
    }
    int code = body.getShort();
    char[] text = StandardCharsets.UTF_8.decode(body).toString().toCharArray();
    for (int i = 0; i < text.length; i++) {
      text[i] = Character.isISOControl(text[i]) ? '?' : text[i];
    }
    return new PeerReason(
        code == ResultCode.INVALID_USAGE.code()
            ? ResultCode.INVALID_USAGE
            : ResultCode.REMOTE_ERROR,
        new String(text));
  }
}
