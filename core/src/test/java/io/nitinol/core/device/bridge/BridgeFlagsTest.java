// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BridgeFlagsTest {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(BridgeFlags.BYTES, 256).fill((byte) 1);
  private final BridgeFlags flags = new BridgeFlags(memory);

  @AfterEach
  void free() {
    arena.close();
  }

  private long at(long address) {
    return memory.get(ValueLayout.JAVA_LONG, address - memory.address());
  }

  private boolean isFree(long chunk) {
    return at(flags.doneAddress()) - chunk >= 0;
  }

  @Test
  void whatTheStreamWritesIsReady() {
    assertThat(flags.isReady(1)).isFalse();
    memory.set(ValueLayout.JAVA_LONG, flags.readyAddress() - memory.address(), 2);
    assertThat(flags.isReady(1)).isTrue();
    assertThat(flags.isReady(2)).isTrue();
    assertThat(flags.isReady(3)).isFalse();
  }

  @Test
  void chunksAreDoneOneAfterTheOther() {
    assertThat(isFree(1)).isFalse();
    flags.done(1);
    assertThat(isFree(1)).isTrue();
    assertThat(isFree(2)).isFalse();
    assertThatThrownBy(() -> flags.done(3)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onceFreedAllChunksAreWhateverIsDoneAfterwards() {
    flags.done(1);
    flags.free();
    flags.done(2);
    assertThat(isFree(2)).isTrue();
    assertThat(isFree(1L << 60)).isTrue();
  }

  @Test
  void piecesAreToldOfWithinAChunk() {
    assertThat(flags.isStaged(1)).isFalse();
    memory.set(ValueLayout.JAVA_LONG, flags.stagedAddress() - memory.address(), 3);
    assertThat(flags.isStaged(3)).isTrue();
    assertThat(flags.isStaged(4)).isFalse();
    flags.come(5);
    assertThat(at(flags.comeAddress())).isEqualTo(5);
    flags.free();
    flags.come(6);
    assertThat(at(flags.comeAddress())).as("free").isGreaterThan(1L << 60);
  }
}
