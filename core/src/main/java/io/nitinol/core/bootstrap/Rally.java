// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.control.ControlLoop;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Gathers some ranks even after others have failed. Each sends its list of ranks to the lowest of
 * them, which answers when all have come and their lists are equal.
 */
final class Rally {
  private static final int NONCE_BYTES = 16;
  private static final byte AGREED = 1;
  private static final byte REFUSED = 0;
  private static final int REASON_BYTES = Integer.BYTES + Integer.BYTES;

  private final ControlLoop loop;
  private final Mailbox mailbox;
  private final Member member;
  private final int rank;
  private final int[] ranks;
  private final long deadline;

  /**
   * Prepares a rally.
   *
   * @param rank this rank
   * @param size how many ranks there are in all
   * @param ranks the ranks that take part, in ascending order
   * @param deadline the end of the wait for the others, on the clock of {@link System#nanoTime}
   * @throws BootstrapException when the ranks are not in order or {@code rank} is not among them
   */
  Rally(
      ControlLoop loop,
      Mailbox mailbox,
      Member member,
      int rank,
      int size,
      int[] ranks,
      long deadline) {
    boolean ascending = true;
    for (int i = 0; i < ranks.length; i++) {
      ascending &= ranks[i] > (i == 0 ? -1 : ranks[i - 1]) && ranks[i] < size;
    }
    if (!ascending || Arrays.binarySearch(ranks, rank) < 0) {
      throw new BootstrapException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "bootstrap: ranks %s of %d; expected some of them in ascending order, rank %d among"
                  + " them",
              Arrays.toString(ranks), size, rank));
    }
    this.loop = loop;
    this.mailbox = mailbox;
    this.member = member;
    this.rank = rank;
    this.ranks = ranks.clone();
    this.deadline = deadline;
  }

  /**
   * Waits for the others.
   *
   * @param answer makes the answer that all get; called on the lowest rank only, when all have come
   * @return the answer
   * @throws BootstrapException when one does not come or fails, their lists differ, or there is no
   *     answer
   */
  byte[] meet(Supplier<byte[]> answer) {
    return rank == ranks[0] ? lead(answer) : follow();
  }

  private byte[] follow() {
    byte[] nonce = Arrays.copyOf(PeerProof.nonce(), NONCE_BYTES);
    send(ranks[0], join(nonce, encode(ranks)));
    byte[] reply =
        mailbox.takeRally(
            ranks[0],
            message ->
                message.length > NONCE_BYTES
                    && Arrays.equals(message, 0, NONCE_BYTES, nonce, 0, NONCE_BYTES),
            deadline,
            "rank " + ranks[0] + " to gather ranks " + Arrays.toString(ranks));
    byte[] body = Arrays.copyOfRange(reply, NONCE_BYTES + 1, reply.length);
    if (reply[NONCE_BYTES] != AGREED) {
      throw refusal(body);
    }
    return body;
  }

  /** Sends a message, which goes out and is heard after failures too. */
  private void send(int peer, byte[] body) {
    mailbox.force(peer, Frame.HEADER_BYTES + body.length);
    Frame frame = new Frame(FrameType.RALLY, 0, body);
    loop.execute(() -> member.sendAnyway(peer, frame));
  }

  private byte[] lead(Supplier<byte[]> answer) {
    byte[][] asked = new byte[ranks.length][0];
    for (int i = 1; i < ranks.length; i++) {
      send(ranks[i], new byte[0]); // makes a connection, which tells which ranks are not there
    }
    // All are waited for whatever one of them does, so that all are told of it.
    BootstrapException failure = null;
    for (int i = 1; i < ranks.length; i++) {
      try {
        asked[i] =
            mailbox.takeRally(
                ranks[i],
                message -> message.length >= NONCE_BYTES,
                deadline,
                "rank " + ranks[i] + " to go on with ranks " + Arrays.toString(ranks));
        checkSame(ranks[i], asked[i]);
      } catch (BootstrapException e) {
        failure = failure == null ? e : failure;
      }
    }
    try {
      if (failure != null) {
        throw failure;
      }
      byte[] result = answer.get();
      reply(asked, AGREED, result);
      return result;
    } catch (BootstrapException e) {
      reply(asked, REFUSED, refusal(e.result(), e.failedRank(), e));
      throw e;
    } catch (NetException e) {
      reply(asked, REFUSED, refusal(e.result(), rank, e));
      throw e;
    }
  }

  /** Makes the message that refuses: the result, the rank that failed or -1, and a sentence. */
  private byte[] refusal(ResultCode result, int failed, RuntimeException e) {
    String text = e.getMessage() + " (as rank " + rank + " found)";
    byte[] front = ByteBuffer.allocate(REASON_BYTES).putInt(result.code()).putInt(failed).array();
    return join(front, text.getBytes(StandardCharsets.UTF_8));
  }

  private static BootstrapException refusal(byte[] body) {
    ByteBuffer reason = ByteBuffer.wrap(body);
    if (body.length < REASON_BYTES) {
      return new BootstrapException(
          ResultCode.INTERNAL_ERROR, "bootstrap: a refusal of " + body.length + " bytes");
    }
    ResultCode result = ResultCode.ofCode(reason.getInt());
    int failed = reason.getInt();
    return new BootstrapException(
        result == null ? ResultCode.REMOTE_ERROR : result,
        failed,
        StandardCharsets.UTF_8.decode(reason).toString(),
        null);
  }

  private void checkSame(int peer, byte[] message) {
    byte[] mine = encode(ranks);
    if (!Arrays.equals(message, NONCE_BYTES, message.length, mine, 0, mine.length)) {
      throw new BootstrapException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "the ranks disagree on who goes on: rank %d wants to go on with ranks %s, rank %d with"
                  + " ranks %s",
              peer, Arrays.toString(decode(message)), rank, Arrays.toString(ranks)));
    }
  }

  private void reply(byte[][] asked, byte verdict, byte[] body) {
    for (int i = 1; i < ranks.length; i++) {
      byte[] message = asked[i];
      if (message.length > 0) {
        byte[] head = Arrays.copyOf(message, NONCE_BYTES + 1);
        head[NONCE_BYTES] = verdict;
        send(ranks[i], join(head, body));
      }
    }
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] encode(int[] ranks) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * ranks.length);
    Arrays.stream(ranks).forEach(bytes::putInt);
    return bytes.array();
  }

  private static int[] decode(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message, NONCE_BYTES, message.length - NONCE_BYTES);
    int[] ranks = new int[bytes.remaining() / Integer.BYTES];
    Arrays.setAll(ranks, i -> bytes.getInt());
    return ranks;
  }
}
