// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who shares a registration, and when it ends. */
class RegionCacheTest {
  private final List<String> calls = new ArrayList<>();
  private final RegionCache cache =
      new RegionCache(
          new RegionCache.Registrar() {
            @Override
            public RegionCache.Region register(long address, long length) {
              calls.add("register " + address + "+" + length);
              return new RegionCache.Region(address, calls.size());
            }

            @Override
            public void end(RegionCache.Region region) {
              calls.add("end " + region.fid());
            }
          });

  @Test
  void memoryInsideThatOfALiveUserIsNotRegisteredAgain() {
    RegionCache.User all = cache.take(1000, 100);
    RegionCache.User part = cache.take(1010, 90);
    assertThat(part.descriptor()).isEqualTo(all.descriptor());
    cache.release(all);
    assertThat(calls).containsExactly("register 1000+100");
    // The region reaches so far, but nobody keeps the memory there from being freed.
    RegionCache.User again = cache.take(1000, 100);
    cache.release(part);
    cache.release(again);
    assertThat(calls)
        .containsExactly("register 1000+100", "register 1000+100", "end 1000", "end 1000");
  }

  @Test
  void memoryThatReachesBeyondIsRegistered() {
    cache.take(1000, 100);
    cache.take(1010, 91);
    assertThat(calls).containsExactly("register 1000+100", "register 1010+91");
  }
}
