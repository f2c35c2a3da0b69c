// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.ResultCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameCodecTest {

  static List<ControlFrame> frames() {
    byte[] handle = new byte[NetHandle.BYTES];
    new Random(5).nextBytes(handle);
    NetHandle net = NetHandle.of(handle);
    GroupId group = new GroupId(0x0123456789abcdefL, -2);
    return List.of(
        new ControlFrame.Join(group, 8, List.of(3), 4, 1 << 20, 1, "Socket", net),
        new ControlFrame.Join(
            group,
            ControlFrame.MAX_RANKS,
            IntStream.range(0, ControlFrame.MAX_RANKS).boxed().toList(),
            0,
            4096,
            0,
            "IB",
            net),
        new ControlFrame.More(List.of(0, 7, 9)),
        new ControlFrame.Admit(1 << 17, 8, net),
        new ControlFrame.Refuse(ResultCode.INVALID_USAGE, "no room"),
        new ControlFrame.Ready(),
        new ControlFrame.Fail(ResultCode.REMOTE_ERROR, 3, 17, "rank 3 is gone, größer"),
        new ControlFrame.Fail(ResultCode.TIMEOUT, ControlFrame.NOBODY, ControlFrame.UNKNOWN, ""),
        new ControlFrame.Leave());
  }

  @ParameterizedTest
  @MethodSource("frames")
  void whatIsWrittenIsRead(ControlFrame frame) throws BadFrameException {
    ByteBuffer bytes = FrameCodec.encode(frame);
    assertThat(bytes.getInt()).isEqualTo(bytes.remaining()).isLessThan(FrameCodec.MAX_FRAME);
    assertThat(FrameCodec.decode(bytes)).isEqualTo(frame);
  }

  @ParameterizedTest
  @MethodSource("frames")
  void whatIsCutOrLongerIsNoFrame(ControlFrame frame) {
    ByteBuffer bytes = FrameCodec.encode(frame).position(FrameCodec.PREFIX);
    int limit = bytes.limit();
    for (int end = FrameCodec.PREFIX; end < limit; end += Math.max(1, limit / 200)) {
      ByteBuffer cut = bytes.duplicate().limit(end);
      assertThatThrownBy(() -> FrameCodec.decode(cut)).isInstanceOf(BadFrameException.class);
    }
    ByteBuffer longer = ByteBuffer.allocate(limit + 1).put(bytes).put((byte) 0).flip();
    assertThatThrownBy(() -> FrameCodec.decode(longer)).hasMessageContaining("behind its end");
  }

  @ParameterizedTest
  @MethodSource("frames")
  void whateverIsChangedIsAFrameOrRefused(ControlFrame frame) {
    Random random = new Random(11);
    byte[] right = FrameCodec.encode(frame).array();
    int end = FrameCodec.PREFIX + ByteBuffer.wrap(right).getInt();
    for (int i = 0; i < 2_000; i++) {
      byte[] changed = right.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        changed[FrameCodec.PREFIX + random.nextInt(Math.min(64, end - FrameCodec.PREFIX))] =
            (byte) random.nextInt();
      }
      try {
        ControlFrame read =
            FrameCodec.decode(ByteBuffer.wrap(changed, FrameCodec.PREFIX, end - FrameCodec.PREFIX));
        assertThat(read).isNotNull();
      } catch (BadFrameException e) {
        assertThat(e).hasMessageMatching("(?s).+");
      }
    }
  }

  @Test
  void ranksThatDoNotAscendAreRefused() {
    ByteBuffer bytes = FrameCodec.encode(new ControlFrame.More(List.of(5, 5)));
    bytes.position(FrameCodec.PREFIX);
    assertThatThrownBy(() -> FrameCodec.decode(bytes)).hasMessageContaining("5 as rank");
  }

  @Test
  void segmentsThatNoMemberCouldHaveAreRefused() {
    NetHandle handle = NetHandle.of(new byte[NetHandle.BYTES]);
    for (int bytes : new int[] {0, 2048, 4097, 3 << 12, Segments.MOST_BYTES + 1}) {
      ByteBuffer frame = FrameCodec.encode(new ControlFrame.Admit(bytes, 8, handle));
      frame.position(FrameCodec.PREFIX);
      assertThatThrownBy(() -> FrameCodec.decode(frame)).hasMessageContaining("of a segment");
    }
  }

  @Test
  void aTextIsCutBetweenCharactersAndShowsNoControls() throws BadFrameException {
    String text = "\n" + "ö".repeat(ControlFrame.MAX_TEXT);
    ByteBuffer bytes = FrameCodec.encode(new ControlFrame.Refuse(ResultCode.TIMEOUT, text));
    bytes.position(FrameCodec.PREFIX);
    ControlFrame.Refuse read = (ControlFrame.Refuse) FrameCodec.decode(bytes);
    assertThat(read.text()).startsWith(" ö").endsWith("ö").hasSize(1 + 2047);
  }
}
