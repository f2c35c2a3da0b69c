// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.testing.MemoryChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SocketWireTest {
  private static final Comm OWNER = new Comm() {};

  /** The kernel tells a reset once, then an end, which would hide why. */
  @Test
  void whatWasMetBehindAMessageIsToldByTheNextRead() throws IOException {
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    ByteBuffer ahead = ByteBuffer.allocateDirect(64);
    try (Arena arena = Arena.ofConfined();
        PlainWire wire = new PlainWire(channel, "lo", channel.getRemoteAddress())) {
      SocketMemory memory = new SocketMemory(OWNER, arena.allocate(8), 1);
      channel.send(new byte[8], 8);
      channel.arrive(8);
      channel.resetOnce();
      assertThat(wire.read(memory, 0, 0, 8, ahead)).isEqualTo(8);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> wire.read(ahead)).hasMessage("Connection reset");
        assertThatThrownBy(() -> wire.read(memory, 0, 0, 8, ahead)).hasMessage("Connection reset");
      }
    }
  }
}
