// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sender whose receiver writes numbers that cannot be into the memory they share. */
class MemorySenderTest {
  private static final int LENGTH = 8;
  private static final int USED = 8 + LENGTH; // with the head

  @TempDir private Path directory;
  private final Arena arena = Arena.ofShared();
  private MemorySender sender;
  private MemoryLink receiver;
  private MemoryRegion region;

  @BeforeEach
  void connect() throws IOException {
    Host host = Objects.requireNonNull(Host.find(new Wire.Log()));
    Path file = directory.resolve("link");
    MemoryLink link = MemoryLink.create(file, host.self, new byte[MemoryListenHandle.SECRET_SIZE]);
    receiver = MemoryLink.open(file);
    sender = new MemorySender(this, link, MemoryPeer.of(host, host.self, "mem0"));
    region = new MemoryRegion(sender, Memory.ofHost(arena.allocate(LENGTH)));
  }

  @AfterEach
  void release() {
    sender.close();
    receiver.close();
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, MemoryNet.MAX_RECVS + 1})
  void aReceiveOfPiecesThatCannotBeIsRemoteError(int pieces) {
    receiver.post(0, pieces, new int[MemoryNet.MAX_RECVS + 1]);
    assertThat(failure(() -> start() != null)).isEqualTo(ResultCode.REMOTE_ERROR);
  }

  @Test
  void theMostPiecesAreTaken() {
    receiver.post(0, MemoryNet.MAX_RECVS, new int[MemoryNet.MAX_RECVS]);
    for (int i = 0; i < MemoryNet.MAX_RECVS; i++) {
      assertThat(sender.test(Objects.requireNonNull(start()), null)).isTrue();
    }
    assertThat(receiver.sent()).isEqualTo((long) MemoryNet.MAX_RECVS * USED);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        USED + 8, // more than there was
        USED - 4, // part of a place
        USED - MemoryLink.RING_SIZE - 8, // less than must have been taken
        Long.MAX_VALUE - 7,
        Long.MIN_VALUE
      })
  void bytesTakenThatCannotBeAreRemoteError(long taken) {
    receiver.post(0, 2, new int[2]);
    assertThat(sender.test(Objects.requireNonNull(start()), null)).isTrue();
    receiver.taken(taken);
    SendOperation second = Objects.requireNonNull(start());
    assertThat(failure(() -> sender.test(second, null))).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(receiver.sent()).isEqualTo(USED); // nothing went over what is in use
  }

  private SendOperation start() {
    return sender.start(region, 0, LENGTH, 0);
  }
}
