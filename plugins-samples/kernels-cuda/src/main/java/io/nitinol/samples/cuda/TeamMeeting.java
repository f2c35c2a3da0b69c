// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges bytes among the ranks of a team together with each rank's failure, so that what one
 * rank cannot do fails on all of them alike.
 */
final class TeamMeeting {
  private static final int MESSAGE_SIZE = 256;
  private static final byte WELL = -1;

  private final DeviceTeamConfig config;

  TeamMeeting(DeviceTeamConfig config) {
    this.config = config;
  }

  int rank() {
    return config.rank();
  }

  int ranks() {
    return config.ranks();
  }

  /** Returns whether a rank is in another process than some rank, which all ranks answer alike. */
  boolean spansProcesses() {
    return config.processes().stream().distinct().count() > 1;
  }

  /**
   * Gives each rank the bytes of all, equally many.
   *
   * @param failure what this rank could not do, or null
   * @throws DeviceException with the failure of the first rank that has one
   */
  byte[][] meet(byte[] mine, @Nullable DeviceException failure) {
    byte[][] all = config.exchange().exchange(encode(mine, failure));
    if (all.length != config.ranks()) {
      throw CudaFailures.invalid("an exchange of %d ranks gave %d", config.ranks(), all.length);
    }
    byte[][] payloads = new byte[all.length][];
    for (int r = 0; r < all.length; r++) {
      if (all[r].length != 1 + MESSAGE_SIZE + mine.length) {
        throw CudaFailures.invalid("an exchange gave %d bytes of rank %d", all[r].length, r);
      }
    }
    for (int r = 0; r < all.length; r++) {
      payloads[r] = decode(all[r], r, r == config.rank() ? failure : null);
    }
    return payloads;
  }

  /** Meets with nothing but the failures. */
  void agree(@Nullable DeviceException failure) {
    meet(new byte[0], failure);
  }

  private static byte[] encode(byte[] mine, @Nullable DeviceException failure) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + MESSAGE_SIZE + mine.length);
    bytes.put(failure == null ? WELL : (byte) failure.failure().ordinal());
    if (failure != null) {
      byte[] text = String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
      bytes.put(text, 0, Math.min(text.length, MESSAGE_SIZE));
    }
    return bytes.position(1 + MESSAGE_SIZE).put(mine).array();
  }

  private static byte[] decode(byte[] received, int rank, @Nullable DeviceException own) {
    ByteBuffer bytes = ByteBuffer.wrap(received);
    byte status = bytes.get();
    byte[] text = new byte[MESSAGE_SIZE];
    bytes.get(text);
    if (status != WELL) {
      DeviceFailure[] failures = DeviceFailure.values();
      if (status < 0 || status >= failures.length) {
        throw CudaFailures.invalid("an exchange gave bytes of rank %d that are not ours", rank);
      }
      String message = new String(text, StandardCharsets.UTF_8).trim();
      throw own == null
          ? CudaFailures.of(failures[status], "rank %d: %s", rank, message)
          : CudaFailures.again(own);
    }
    byte[] payload = new byte[bytes.remaining()];
    bytes.get(payload);
    return payload;
  }
}
