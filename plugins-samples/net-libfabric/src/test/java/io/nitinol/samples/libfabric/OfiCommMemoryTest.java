// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.samples.libfabric.fabric.RegionCache;
import io.nitinol.samples.libfabric.fabric.RegionCache.Region;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OfiCommMemoryTest {
  private final Arena arena = Arena.ofShared();
  private final List<Region> ended = new ArrayList<>();
  private final OfiCommMemory memory =
      new OfiCommMemory(
          new RegionCache(
              new RegionCache.Registrar() {
                private long next;

                @Override
                public Region register(long address, long length) {
                  return new Region(++next, next);
                }

                @Override
                public void end(Region region) {
                  ended.add(region);
                }
              }));

  @AfterEach
  void free() {
    arena.close();
  }

  private OfiMemory registered() {
    return memory.register(Memory.ofHost(arena.allocate(64)));
  }

  @Test
  void memoryThatIsNotInUseIsGivenBackAtOnce() {
    OfiMemory used = registered();
    used.begin();
    used.complete();
    memory.deregister(used);
    assertThat(ended).hasSize(1);
    assertThat(memory.close()).isNull();
    assertThat(ended).hasSize(1);
  }

  /** The provider may write to it until its endpoint is closed, also after a failure. */
  @Test
  void memoryInUseStaysRegisteredUntilTheCommIsClosed() {
    OfiMemory used = registered();
    OfiMemory other = registered();
    used.begin();
    memory.deregister(used);
    memory.deregister(other);
    assertThat(ended).containsExactly(new Region(2, 2));
    assertThatThrownBy(() -> used.check(memory, 0, 1, "test"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("has been deregistered");
    assertThatThrownBy(() -> memory.deregister(used)).hasMessageContaining("undone before");
    assertThat(memory.close()).isNull();
    assertThat(ended).containsExactly(new Region(2, 2), new Region(1, 1));
  }
}
