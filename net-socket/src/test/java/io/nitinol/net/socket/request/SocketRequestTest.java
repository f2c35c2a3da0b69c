// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.Comm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which chunks of an announced message a stream may receive. */
class SocketRequestTest {
  private static final long NUMBER = (1L << 32) + 7;

  private final SocketRequest request = new SocketRequest(new Comm() {});

  private static SocketRequest announced(SocketRequest request) {
    request.announce(NUMBER, 1000, 256);
    return request;
  }

  /** Nothing has been claimed, so that no other rule objects. */
  @ParameterizedTest
  @CsvSource({"128, 256", "255, 256", "1, 256", "512, 255", "700, 256", "767, 233"})
  void aChunkBeginsBehindWholeOnesAndHasItsSize(long from, int bytes) {
    assertThat(announced(request).claim(NUMBER, from, bytes))
        .isEqualTo(
            from % 256 == 0
                ? "that chunk of its 1000 bytes has 256"
                : "its 1000 bytes come in chunks of 256");
    assertThat(request.claim(NUMBER, from / 256 * 256, from < 768 ? 256 : 232)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"-256, 256", "-1, 256", "1000, 256", "1024, 256", "256000000000, 256"})
  void aChunkIsWithinTheMessage(long from, int bytes) {
    assertThat(announced(request).claim(NUMBER, from, bytes))
        .isEqualTo("its 1000 bytes come in chunks of 256");
  }

  @Test
  void theLastChunkIsWhatIsLeft() {
    announced(request);
    assertThat(request.claim(NUMBER, 768, 256)).isEqualTo("that chunk of its 1000 bytes has 232");
    assertThat(request.claim(NUMBER, 768, 231)).isEqualTo("that chunk of its 1000 bytes has 232");
    assertThat(request.claim(NUMBER, 768, 232)).isNull();
  }

  @Test
  void eachChunkComesOnceAndThenTheMessageIsOver() {
    announced(request);
    for (long from : new long[] {512, 0, 768, 256}) {
      int bytes = from == 768 ? 232 : 256;
      assertThat(request.claim(NUMBER, from, bytes)).isNull();
      if (from != 256) {
        assertThat(request.claim(NUMBER, from, bytes)).isEqualTo("that chunk has come before");
      }
      assertThat(request.hasAllChunks()).isFalse();
    }
    assertThat(request.claim(NUMBER, 256, 256))
        .isEqualTo("no chunk of that message is still to come");
    for (int i = 0; i < 4; i++) {
      assertThat(request.hasAllChunks()).isFalse();
      request.chunkArrived();
    }
    assertThat(request.hasAllChunks()).isTrue();
  }

  @Test
  void aMessageMayHaveAChunkForEachBit() {
    request.announce(NUMBER, Chunks.MOST * 64L, 64);
    for (int i = 0; i < Chunks.MOST; i++) {
      assertThat(request.claim(NUMBER, i * 64L, 64)).as("chunk %d", i).isNull();
    }
    assertThat(request.claim(NUMBER, 0, 64)).isEqualTo("no chunk of that message is still to come");
  }

  @Test
  void aChunkOfAnotherMessageIsRefused() {
    announced(request);
    assertThat(request.claim(NUMBER - 1, 0, 256)).isEqualTo("that message is over");
    request.refuseChunks(NUMBER + 1);
    assertThat(request.claim(NUMBER, 0, 256)).isEqualTo("that message is over");
    assertThat(request.claim(NUMBER + 1, 0, 256))
        .isEqualTo("no chunk of that message is still to come");
  }
}
