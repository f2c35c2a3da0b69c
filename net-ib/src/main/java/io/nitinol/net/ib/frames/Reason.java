// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import io.nitinol.spi.ResultCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Why a side does not connect, or has failed: 2 bytes of a result code, and UTF-8 text.
 *
 * @param result INVALID_USAGE where both sides are meant, else REMOTE_ERROR: what the peer's
 *     failure is to this side
 * @param text what it says, fit for logs and messages
 */
public record Reason(ResultCode result, String text) {
  private static final int MOST_TEXT = 1000;

  /**
   * Writes the body of a frame.
   *
   * @param result what the failure is on this side
   * @param text why, for the peer's log and messages; cut where it is too long
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
   * @throws MetadataException where it says nothing
   */
  public static Reason decode(ByteBuffer body) throws MetadataException {
    if (body.remaining() < 2) {
      throw new MetadataException("a reason of " + body.remaining() + " bytes");
    }
    int code = body.getShort();
    char[] text = StandardCharsets.UTF_8.decode(body).toString().toCharArray();
    for (int i = 0; i < text.length; i++) {
      text[i] = Character.isISOControl(text[i]) ? '?' : text[i];
    }
    return new Reason(
        code == ResultCode.INVALID_USAGE.code()
            ? ResultCode.INVALID_USAGE
            : ResultCode.REMOTE_ERROR,
        new String(text));
  }
}
