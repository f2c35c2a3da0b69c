// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Allocations;
import io.nitinol.spi.testing.MemoryChannel;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static final int MOST = 16 << 20;

  @Test
  void framesSurviveAnyDivision() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<byte[]> sent = new ArrayList<>();
    ByteBuffer all = ByteBuffer.allocate(4 << 20);
    for (int size : new int[] {0, 1, 8, 65_535, 65_536, 65_537, 1_000_000, 0, 200_000}) {
      byte[] frame = new byte[size];
      random.nextBytes(frame);
      sent.add(frame);
      all.putInt(size).put(frame);
    }
    all.flip();
    FrameReader reader = new FrameReader(MOST);
    int received = 0;
    while (all.hasRemaining()) {
      ByteBuffer piece =
          all.slice(all.position(), Math.min(all.remaining(), 1 + random.nextInt(100_000)));
      all.position(all.position() + piece.remaining());
      while (piece.hasRemaining()) {
        byte[] frame = reader.read(piece);
        if (frame != null) {
          assertThat(frame).as("seed %d", seed).isEqualTo(sent.get(received++));
        }
      }
    }
    assertThat(received).as("seed %d", seed).isEqualTo(sent.size());
  }

  @Test
  void impossibleLengthsAreRefused() {
    for (int length : new int[] {-1, Integer.MIN_VALUE, MOST + 1, Integer.MAX_VALUE}) {
      ByteBuffer prefix = ByteBuffer.allocate(4).putInt(length).flip();
      assertThatThrownBy(() -> new FrameReader(MOST).read(prefix))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at most 16777216 are allowed");
    }
  }

  @Test
  void memoryGrowsWithWhatCameNotWithWhatWasAnnounced() throws IOException {
    Allocations allocations = new Allocations();
    FrameReader reader = new FrameReader(MOST);
    ByteBuffer announced = ByteBuffer.allocate(5).putInt(MOST).put((byte) 1).flip();
    allocations.begin();
    assertThat(reader.read(announced)).isNull();
    allocations.end(0);
  }

  @Test
  void nothingBeyondAFrameIsReadOfAChannelThatIsPolled() throws IOException {
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    FrameReader reader = new FrameReader(300);
    ByteBuffer through = ByteBuffer.allocateDirect(7);
    byte[] sent = ByteBuffer.allocate(4 + 300 + 5).putInt(300).put(4 + 299, (byte) 9).array();
    channel.send(sent, sent.length);
    for (int i = 0; i < 4 + 299; i++) {
      channel.arrive(1);
      assertThat(reader.read(channel, through)).isNull();
    }
    channel.arrive(6);
    assertThat(reader.read(channel, through)).hasSize(300).endsWith(9);
    assertThat(channel.taken()).isEqualTo(4 + 300);
  }

  @Test
  void aPolledChannelAnnouncesNoMoreThanIsAllowedAndItsEndIsNoticed() throws IOException {
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    channel.send(new byte[] {0, 0, 1, 45}, 4);
    channel.arrive(4);
    assertThatThrownBy(() -> new FrameReader(300).read(channel, ByteBuffer.allocate(8)))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("301 bytes, at most 300 are allowed");
    channel.finish(false);
    assertThatThrownBy(() -> new FrameReader(300).read(channel, ByteBuffer.allocate(8)))
        .isInstanceOf(EOFException.class);
  }
}
