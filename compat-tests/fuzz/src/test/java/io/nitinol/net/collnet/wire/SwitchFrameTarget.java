// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The control messages between a switch and its children behind their handshake, and the handles of
 * members. A message that is read is the one that its bytes are read as.
 */
public final class SwitchFrameTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    try {
      ControlFrame frame = FrameCodec.decode(ByteBuffer.wrap(input));
      ByteBuffer again = FrameCodec.encode(frame);
      FuzzTarget.require(again.getInt() == again.remaining(), "a wrong length");
      FuzzTarget.require(again.remaining() <= FrameCodec.MAX_FRAME, "too long");
      FuzzTarget.require(FrameCodec.decode(again).equals(frame), "another frame");
      String text =
          switch (frame) {
            case ControlFrame.Join join -> join.net();
            case ControlFrame.Refuse refuse -> refuse.text();
            case ControlFrame.Fail fail -> fail.text();
            default -> "";
          };
      FuzzTarget.require(text.chars().noneMatch(Character::isISOControl), "control characters");
    } catch (BadFrameException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
    handle(Arrays.copyOf(input, MemberHandle.BYTES));
  }

  private static void handle(byte[] bytes) {
    MemberHandle handle = MemberHandle.readFrom(MemorySegment.ofArray(bytes));
    if (handle != null) {
      byte[] again = new byte[MemberHandle.BYTES];
      handle.writeTo(MemorySegment.ofArray(again));
      FuzzTarget.require(
          handle.equals(MemberHandle.readFrom(MemorySegment.ofArray(again))), "another handle");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(FrameCodec.class, MemberHandle.class, GroupId.class);
  }

  @Override
  public List<byte[]> seeds() {
    NetHandle net = NetHandle.of(new byte[NetHandle.BYTES]);
    GroupId group = new GroupId(1, 2);
    byte[] handle = new byte[MemberHandle.BYTES];
    new MemberHandle(
            true,
            new InetSocketAddress(InetAddress.ofLiteral("fe80::1%1"), 4711),
            group,
            new MemberHandle.Key(3, 4))
        .writeTo(MemorySegment.ofArray(handle));
    // A negative scope of an address of IPv4.
    byte[] strange =
        HexFormat.of().parseHex("4e695377486e64010300ba79b100000000000000000000000000ffff");
    // A text that is longer by one byte than a text may be.
    byte[] longest =
        bytes(new ControlFrame.Refuse(ResultCode.TIMEOUT, "x".repeat(ControlFrame.MAX_TEXT)));
    byte[] tooLong = Arrays.copyOf(longest, longest.length + 1);
    ByteBuffer.wrap(tooLong).putShort(5, (short) (ControlFrame.MAX_TEXT + 1));
    return List.of(
        handle,
        strange,
        bytes(new ControlFrame.Join(group, 8, List.of(3, 5), 4, 1 << 20, 1, "Socket", net)),
        bytes(new ControlFrame.More(List.of(0, 7))),
        bytes(new ControlFrame.Admit(1 << 17, 8, net)),
        bytes(new ControlFrame.Refuse(ResultCode.INVALID_USAGE, "no\n\u009broom")),
        tooLong,
        bytes(new ControlFrame.Ready()),
        bytes(new ControlFrame.Fail(ResultCode.REMOTE_ERROR, 3, 17, "rank 3 is gone")),
        bytes(new ControlFrame.Leave()));
  }

  @Override
  public int mostBytes() {
    return ControlFrame.MAX_TEXT + 100;
  }

  private static byte[] bytes(ControlFrame frame) {
    ByteBuffer encoded = FrameCodec.encode(frame).position(FrameCodec.PREFIX);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }
}
