// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.net.collnet.wire.ControlFrame.Admit;
import io.nitinol.net.collnet.wire.ControlFrame.Fail;
import io.nitinol.net.collnet.wire.ControlFrame.Join;
import io.nitinol.net.collnet.wire.ControlFrame.Leave;
import io.nitinol.net.collnet.wire.ControlFrame.More;
import io.nitinol.net.collnet.wire.ControlFrame.Ready;
import io.nitinol.net.collnet.wire.ControlFrame.Refuse;
import io.nitinol.spi.ResultCode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames as bytes: the length of what follows (4 bytes), the kind (1 byte) and the fields in their
 * order, all numbers with their highest byte first. A text has its length before it (2 bytes), a
 * list of ranks their number (4 bytes). What is read is checked: its sender may be broken or mean
 * harm.
 */
public final class FrameCodec {
  /** The bytes of the length before a frame. */
  public static final int PREFIX = Integer.BYTES;

  /** The longest frame without its length: a JOIN of {@link ControlFrame#MAX_RANKS} ranks. */
  public static final int MAX_FRAME = 128 << 10;

  private static final byte JOIN = 1;
  private static final byte MORE = 2;
  private static final byte ADMIT = 3;
  private static final byte REFUSE = 4;
  private static final byte READY = 5;
  private static final byte FAIL = 6;
  private static final byte LEAVE = 7;

  /** The longest name of a network plugin, in bytes (SEL-02 has 255 characters). */
  private static final int MAX_NAME = 1_024;

  private FrameCodec() {}

  /**
   * Returns the bytes of a frame.
   *
   * @param frame the frame
   * @return its length and itself, from position 0 to the limit
   */
  public static ByteBuffer encode(ControlFrame frame) {
    ByteBuffer out = ByteBuffer.allocate(size(frame));
    out.position(PREFIX);
    switch (frame) {
      case Join join -> {
        out.put(JOIN);
        join.group().to(out);
        out.putInt(join.nranks());
        out.putInt(join.sameSwitch()).putInt(join.segmentBytes()).putInt(join.device());
        put(out, join.net(), MAX_NAME);
        out.put(join.handle().bytes());
        put(out, join.ranks());
      }
      case More more -> put(out.put(MORE), more.ranks());
      case Admit admit ->
          out.put(ADMIT)
              .putInt(admit.segmentBytes())
              .putInt(admit.window())
              .put(admit.handle().bytes());
      case Refuse refuse -> put(out.put(REFUSE).putInt(refuse.code().code()), refuse.text());
      case Ready() -> out.put(READY);
      case Fail fail ->
          put(
              out.put(FAIL)
                  .putInt(fail.code().code())
                  .putInt(fail.rank())
                  .putLong(fail.operations()),
              fail.text());
      case Leave() -> out.put(LEAVE);
    }
    out.flip();
    return out.putInt(0, out.limit() - PREFIX);
  }

  private static int size(ControlFrame frame) {
    return PREFIX
        + switch (frame) {
          case Join join -> 128 + MAX_NAME + NetHandle.BYTES + Integer.BYTES * join.ranks().size();
          case More more -> 8 + Integer.BYTES * more.ranks().size();
          case Admit _ -> 16 + NetHandle.BYTES;
          case Refuse _, Fail _ -> 32 + ControlFrame.MAX_TEXT;
          case Ready _, Leave _ -> 1;
        };
  }

  /**
   * Reads one frame.
   *
   * @param in the frame without its length, from the position to the limit; read to the end
   * @return the frame
   * @throws BadFrameException when it is none: what is wrong with it
   */
  public static ControlFrame decode(ByteBuffer in) throws BadFrameException {
    try {
      byte kind = in.get();
      ControlFrame frame =
          switch (kind) {
            case JOIN -> join(in);
            case MORE -> new More(ranks(in, ControlFrame.MAX_RANKS));
            case ADMIT -> admit(in);
            case REFUSE -> new Refuse(code(in), text(in, ControlFrame.MAX_TEXT));
            case READY -> new Ready();
            case FAIL -> fail(in);
            case LEAVE -> new Leave();
            default -> throw new BadFrameException("a frame of the unknown kind " + kind);
          };
      if (in.hasRemaining()) {
        throw new BadFrameException("a frame with " + in.remaining() + " bytes behind its end");
      }
      return frame;
    } catch (BufferUnderflowException e) {
      throw new BadFrameException("a frame that ends too early", e);
    }
  }

  private static Join join(ByteBuffer in) throws BadFrameException {
    GroupId group = GroupId.from(in);
    int nranks = number(in, "ranks of the group", 1, ControlFrame.MAX_RANKS);
    int sameSwitch = number(in, "ranks on this switch", 0, nranks);
    int segmentBytes = number(in, "bytes of a segment", 1, ControlFrame.MAX_SEGMENT);
    int device = number(in, "device", 0, Short.MAX_VALUE);
    String net = text(in, MAX_NAME);
    NetHandle handle = handle(in);
    return new Join(
        group, nranks, ranks(in, nranks), sameSwitch, segmentBytes, device, net, handle);
  }

  private static Admit admit(ByteBuffer in) throws BadFrameException {
    int segmentBytes =
        number(in, "bytes of a segment", Segments.LEAST_BYTES, ControlFrame.MAX_SEGMENT);
    if (Integer.bitCount(segmentBytes) != 1) {
      throw new BadFrameException(segmentBytes + " bytes of a segment, which are no power of two");
    }
    return new Admit(
        segmentBytes, number(in, "segments on their way", 1, ControlFrame.MAX_WINDOW), handle(in));
  }

  private static Fail fail(ByteBuffer in) throws BadFrameException {
    ResultCode code = code(in);
    int rank = number(in, "rank", ControlFrame.NOBODY, ControlFrame.MAX_RANKS - 1);
    long operations = in.getLong();
    if (operations < ControlFrame.UNKNOWN) {
      throw new BadFrameException("a number of operations of " + operations);
    }
    return new Fail(code, rank, operations, text(in, ControlFrame.MAX_TEXT));
  }

  private static int number(ByteBuffer in, String what, int min, int max) throws BadFrameException {
    int value = in.getInt();
    if (value < min || value > max) {
      throw new BadFrameException(value + " as " + what + ", expected " + min + " to " + max);
    }
    return value;
  }

  private static ResultCode code(ByteBuffer in) throws BadFrameException {
    int number = in.getInt();
    ResultCode code = ResultCode.ofCode(number);
    if (code == null || code == ResultCode.SUCCESS || code == ResultCode.IN_PROGRESS) {
      throw new BadFrameException("a failure with the result " + number);
    }
    return code;
  }

  private static NetHandle handle(ByteBuffer in) {
    byte[] bytes = new byte[NetHandle.BYTES];
    in.get(bytes);
    return NetHandle.of(bytes);
  }

  private static List<Integer> ranks(ByteBuffer in, int nranks) throws BadFrameException {
    int count = number(in, "number of ranks brought", 1, nranks);
    if (in.remaining() < Integer.BYTES * count) {
      throw new BufferUnderflowException();
    }
    List<Integer> ranks = new ArrayList<>(count);
    int least = 0;
    for (int i = 0; i < count; i++) {
      int rank = number(in, "rank", least, nranks - 1);
      ranks.add(rank);
      least = rank + 1; // ascending, hence none twice
    }
    return ranks;
  }

  private static void put(ByteBuffer out, List<Integer> ranks) {
    out.putInt(ranks.size());
    for (int rank : ranks) {
      out.putInt(rank);
    }
  }

  private static void put(ByteBuffer out, String text) {
    put(out, text, ControlFrame.MAX_TEXT);
  }

  private static void put(ByteBuffer out, String text, int max) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, max);
    while (length < bytes.length && length > 0 && (bytes[length] & 0xc0) == 0x80) {
      length--; // never half a character
    }
    out.putShort((short) length).put(bytes, 0, length);
  }

  /** Reads a text for logs and messages: control characters become blanks. */
  private static String text(ByteBuffer in, int max) throws BadFrameException {
    int length = Short.toUnsignedInt(in.getShort());
    if (length > max) {
      throw new BadFrameException("a text of " + length + " bytes, expected at most " + max);
    }
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cc}", " ");
  }
}
