// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.CommException;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How joining a team has ended on a rank. Each rank tells the others, and all go by the lowest rank
 * with a failure that is none of UNSUPPORTED, or else by the lowest that has that.
 *
 * @param rank the rank
 * @param failure what is wrong; null where it has joined
 * @param message the provider's sentence
 */
record JoinOutcome(int rank, @Nullable DeviceFailure failure, String message) {
  private static final int MAGIC = 0x4a4f494e;
  private static final int LONGEST_MESSAGE = 4000;
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  private static final DeviceFailure[] FAILURES = DeviceFailure.values();

  /** Returns the outcome of this rank. */
  static JoinOutcome of(@Nullable NetException e) {
    if (e == null) {
      return new JoinOutcome(-1, null, "");
    }
    return new JoinOutcome(
        -1,
        e instanceof DeviceException own ? own.failure() : DeviceFailure.DRIVER_ERROR,
        String.valueOf(e.getMessage()));
  }

  byte[] toBytes() {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_MESSAGE);
    return ByteBuffer.allocate(HEAD_BYTES + length)
        .putInt(MAGIC)
        .putInt(failure == null ? -1 : failure.ordinal())
        .put(text, 0, length)
        .array();
  }

  private static JoinOutcome fromBytes(int rank, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length >= HEAD_BYTES
        && bytes.length <= HEAD_BYTES + LONGEST_MESSAGE
        && in.getInt() == MAGIC) {
      int failure = in.getInt();
      if (failure >= -1 && failure < FAILURES.length) {
        String text =
            new String(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES, StandardCharsets.UTF_8);
        return new JoinOutcome(
            rank,
            failure < 0 ? null : FAILURES[failure],
            PeerText.printable(text, LONGEST_MESSAGE));
      }
    }
    throw new CommException(
        ResultCode.INTERNAL_ERROR,
        rank,
        ErrorText.of(
            "rank %d does not say how it has joined its team, but something else of %d bytes: have"
                + " ranks failed in different steps?",
            rank, bytes.length),
        null);
  }

  /** Returns the outcome that counts. */
  static JoinOutcome worst(byte[][] blocks) {
    JoinOutcome worst = new JoinOutcome(-1, null, "");
    for (int r = 0; r < blocks.length; r++) {
      JoinOutcome each = fromBytes(r, blocks[r]);
      boolean real = each.failure != null && each.failure != DeviceFailure.UNSUPPORTED;
      boolean known = worst.failure != null && worst.failure != DeviceFailure.UNSUPPORTED;
      if ((real && !known) || (each.failure != null && worst.failure == null)) {
        worst = each;
      }
    }
    return worst;
  }

  /** Returns the exception for a team that has not come about. */
  CommException toException(String provider, @Nullable NetException cause) {
    DeviceFailure known = failure == null ? DeviceFailure.DRIVER_ERROR : failure;
    return new CommException(
        known.result(),
        rank,
        ErrorText.of(
            "rank %d cannot join a team of %s devices: %s (%s)%s",
            rank,
            provider,
            message,
            known,
            known == DeviceFailure.IPC_REFUSED
                ? "; with NCCL_P2P_DISABLE=1 on all ranks the devices do without each other's"
                    + " memory"
                : ""),
        cause);
  }
}
