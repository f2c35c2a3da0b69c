// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreaTrackerTest {
  private final AreaTracker tracker = new AreaTracker();

  private static Memory memory(long from, long size) {
    return Memory.ofDevice(from, size, PointerType.CUDA);
  }

  private ValidatedRegion register(long from, long size) {
    return Objects.requireNonNull(tracker.register(memory(from, size)));
  }

  private static ValidatedArea area(long from, long length, boolean writes) {
    ValidatedArea area = new ValidatedArea();
    area.set(from, length, writes, "test");
    return area;
  }

  @Test
  void aRegistrationBetweenTwoJoinsThem() {
    ValidatedRegion low = register(0, 100);
    ValidatedRegion high = register(200, 100);
    assertThat(low.root()).isNotSameAs(high.root());
    ValidatedArea early = area(250, 10, true);
    assertThat(high.add(early)).isNull();
    ValidatedRegion bridge = register(50, 200);
    assertThat(low.root()).isSameAs(high.root()).isSameAs(bridge.root());
    assertThat(bridge.add(area(240, 11, false))).isEqualTo("test at 0xfa+10");
    ValidatedRegion.remove(early);
    assertThat(low.add(area(251, 5, true))).isNull();
  }

  @Test
  void neighboursDoNotJoin() {
    assertThat(register(0, 100).root()).isNotSameAs(register(100, 100).root());
  }

  @Test
  void memoryThatNobodyRegistersIsForgotten() {
    ValidatedRegion first = register(0, 100);
    ValidatedRegion second = register(50, 100);
    tracker.unregister(memory(0, 100), first);
    assertThat(register(0, 10).root()).isSameAs(second.root());
    tracker.unregister(memory(0, 10), first);
    tracker.unregister(memory(50, 100), second);
    assertThat(register(0, 100).root()).isNotSameAs(second.root());
  }

  /** Against a list of all areas. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsWhatAPlainSearchFinds(long seed) {
    Random random = new Random(seed);
    List<ValidatedRegion> regions = new ArrayList<>();
    List<long[]> bounds = new ArrayList<>();
    List<ValidatedArea> alive = new ArrayList<>();
    int clashes = 0;
    for (int i = 0; i < 20_000; i++) {
      int what = random.nextInt(10);
      if (regions.isEmpty() || what == 0 && regions.size() < 200) {
        long from = random.nextInt(100_000);
        long size = 1 + random.nextInt(600);
        regions.add(register(from, size));
        bounds.add(new long[] {from, size});
      } else if (what < 6) {
        int r = random.nextInt(regions.size());
        long offset = random.nextLong(bounds.get(r)[1]);
        long length = 1 + random.nextLong(bounds.get(r)[1] - offset);
        ValidatedArea area = area(bounds.get(r)[0] + offset, length, random.nextInt(4) == 0);
        boolean expected = alive.stream().anyMatch(area::clashes);
        assertThat(regions.get(r).add(area) != null).isEqualTo(expected);
        clashes += expected ? 1 : 0;
        alive.add(area);
      } else if (!alive.isEmpty()) {
        ValidatedRegion.remove(alive.remove(random.nextInt(alive.size())));
      }
    }
    assertThat(clashes).isBetween(100, 19_000);
  }
}
