// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Why the peer does not connect, as it says. */
final class Refusal {
  private Refusal() {}

  /** Returns the exception: INVALID_USAGE where the peer means both sides, else REMOTE_ERROR. */
  static NetException of(String label, ByteBuffer body) throws MetadataException {
    if (body.remaining() < 2) {
      throw new MetadataException("a refusal of " + body.remaining() + " bytes");
    }
    int code = body.getShort();
    StringBuilder text = new StringBuilder();
    for (char each : StandardCharsets.UTF_8.decode(body).toString().toCharArray()) {
      text.append(Character.isISOControl(each) ? '?' : each);
    }
    return new NetException(
        code == ResultCode.INVALID_USAGE.code()
            ? ResultCode.INVALID_USAGE
            : ResultCode.REMOTE_ERROR,
        label + ": the peer does not connect: " + text);
  }
}
