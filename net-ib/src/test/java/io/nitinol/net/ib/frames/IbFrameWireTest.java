// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bytes of IB's frames, by which the ranks of a job with different versions of this plugin
 * understand each other. They were made by another program from the description of the format.
 */
class IbFrameWireTest {
  private static final List<String> BYTES =
      List.of(
          "0000002700050000070809d9b339644ef3d27c00696f89225b1fec8916059578506b54d592d28b98e261d6",
          "0000002400050002ff615f4d20f47f14dcdc60a77c9c3cebdc8c895204566bba4c11eabfa7501870",
          "0000002d0005000100056e6f20636172645a6d2704c219a797587ed154e0714f74e82850773241d5b89ff4f2"
              + "3120d75359",
          "000000270005000300067844aebd1c48c6cb8c7441079063b9078a313a60613a02b8e0bdd67c3c27b7c15f",
          "0000002500050004014a43257c64b40397bd218617c370ce0f11842a4188ee5d9c9805feaf8fb9240e");

  @Test
  void framesOfAllKindsHaveTheirBytes() throws Exception {
    Pipe pipe = new Pipe();
    try (pipe) {
      ProvenFrames<IbFrameKind> frames = pipe.nearFrames();
      frames.say(IbFrameKind.INFO, ByteBuffer.wrap(new byte[] {7, 8, 9}));
      frames.say(IbFrameKind.READY, ByteBuffer.allocate(0));
      IbFrameKind.fail(frames, new PeerReason(ResultCode.INVALID_USAGE, "no card"));
      frames.say(IbFrameKind.STOP, new PeerReason(ResultCode.REMOTE_ERROR, "x").encode());
      frames.say(IbFrameKind.STANDING, ByteBuffer.wrap(new byte[] {1}));
      assertThat(frames.said()).isTrue();
      for (String bytes : BYTES) {
        ByteBuffer taken = pipe.taken(bytes.length() / 2);
        assertThat(HexFormat.of().formatHex(taken.array())).isEqualTo(bytes);
      }
    }
  }
}
