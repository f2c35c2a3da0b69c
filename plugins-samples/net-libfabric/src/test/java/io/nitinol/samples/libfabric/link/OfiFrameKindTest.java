// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Format;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OfiFrameKindTest {
  private static final byte[] KEY = new byte[32];

  @Test
  void aPeerOfTheFormerVersionIsRefusedWithBothVersions() throws Exception {
    Format<OfiFrameKind> now = OfiFrameKind.FORMAT;
    Format<OfiFrameKind> former = new Format<>(3, now.kinds(), now.mostBody(), now.use());
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel theirs = SocketChannel.open(server.getLocalAddress());
          SocketChannel ours = server.accept()) {
        ours.configureBlocking(false);
        ProvenFrames<OfiFrameKind> peer = new ProvenFrames<>(former, theirs, KEY, KEY);
        peer.say(OfiFrameKind.ADDRESS, ByteBuffer.allocate(30));
        assertThat(peer.said()).isTrue();
        ProvenFrames<OfiFrameKind> own = new ProvenFrames<>(now, ours, KEY, KEY);
        assertThatThrownBy(
                () -> {
                  while (own.hear() == null) {
                    Thread.onSpinWait();
                  }
                })
            .isInstanceOf(FrameException.class)
            .hasMessage("version 3 of the exchange, this plugin speaks 4");
      }
    }
  }
}
