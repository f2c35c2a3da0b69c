// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The id of a communicator that grows, on its way from rank 0 to the other ranks. */
@AnyThread
final class Invitation {
  private static final byte MADE = 1;
  private static final byte FAILED = 0;

  private Invitation() {}

  /**
   * Makes the id on rank 0, invites, and gives the id or the failure to all ranks.
   *
   * @param id makes the id, on rank 0; not that of {@code NCCL_COMM_ID}, which serves another
   *     communicator and names a host that may have no rank any more
   * @param fromRank0 gives all ranks the bytes that rank 0 gives it
   */
  static UniqueId exchange(
      int rank, Supplier<UniqueId> id, UnaryOperator<byte[]> fromRank0, Consumer<UniqueId> invite) {
    UniqueId made = null;
    Throwable failure = null;
    byte[] mine = new byte[0];
    if (rank == 0) {
      try {
        made = id.get();
        invite.accept(made);
        mine = message(MADE, made.toString());
      } catch (Throwable e) { // an error of the application's, too: the others wait
        failure = e;
        mine = message(FAILED, e.toString());
      }
    }
    boolean known = false;
    try {
      byte[] answer = fromRank0.apply(mine);
      known = failure == null;
      return read(answer, made, failure);
    } finally {
      if (!known && made != null) {
        made.close(); // new ranks that have come are told
      }
    }
  }

  private static UniqueId read(
      byte[] answer, @Nullable UniqueId made, @Nullable Throwable failure) {
    String text =
        new String(
            Arrays.copyOfRange(answer, Math.min(1, answer.length), answer.length),
            StandardCharsets.UTF_8);
    if (answer.length == 0 || answer[0] != MADE) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          0,
          ErrorText.of("grow: rank 0 could not invite the new ranks: %s", text),
          failure);
    }
    return made == null ? UniqueId.parse(text) : made;
  }

  private static byte[] message(byte kind, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[1 + bytes.length];
    message[0] = kind;
    System.arraycopy(bytes, 0, message, 1, bytes.length);
    return message;
  }
}
