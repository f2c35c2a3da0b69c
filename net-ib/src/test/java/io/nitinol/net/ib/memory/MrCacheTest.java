// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MrCacheTest {
  private static final long PAGE = 4096;
  private static final long BASE = 0x7f00_0000_0000L;

  private final CountingCard card = new CountingCard();
  private final MrCache cache = new MrCache(card, PAGE);

  @Test
  void registersWholePages() {
    MrCache.Entry entry = cache.take(BASE + 100, 5000, true);
    assertThat(card.regions.values())
        .containsExactly(new CountingCard.Range(BASE, 2 * PAGE, true, false, 0, -1));
    cache.release(entry);
    assertThat(card.regions).isEmpty();
    assertThat(cache.regions()).isZero();
  }

  @Test
  void aRangeThatEndsWithItsPageTakesNoPageMore() {
    cache.take(BASE, PAGE, true);
    cache.take(BASE + 16 * PAGE + 1, PAGE - 1, true);
    cache.take(BASE + 32 * PAGE, 0, true);
    assertThat(card.regions.values())
        .extracting(CountingCard.Range::length)
        .containsExactly(PAGE, PAGE, PAGE);
  }

  @Test
  void whatLiesInsideIsFoundAndCounted() {
    MrCache.Entry outer = cache.take(BASE, 8 * PAGE, true);
    MrCache.Entry inner = cache.take(BASE + 3 * PAGE + 7, 2 * PAGE, true);
    MrCache.Entry end = cache.take(BASE + 7 * PAGE, PAGE, true);
    assertThat(inner).isSameAs(outer);
    assertThat(end).isSameAs(outer);
    cache.release(outer);
    cache.release(inner);
    assertThat(card.regions).hasSize(1);
    cache.release(end);
    assertThat(card.regions).isEmpty();
  }

  @Test
  void whatReachesOutIsRegisteredByItself() {
    MrCache.Entry first = cache.take(BASE, 2 * PAGE, true);
    assertThat(cache.take(BASE + PAGE, 2 * PAGE, true)).isNotSameAs(first);
    assertThat(cache.take(BASE - 1, 2, true)).isNotSameAs(first);
    assertThat(card.regions).hasSize(3);
  }

  @Test
  void aLongRegionBehindShortOnesIsFound() {
    MrCache.Entry large = cache.take(BASE, 64 * PAGE, true);
    MrCache.Entry small = cache.take(BASE - PAGE, 2 * PAGE, true);
    MrCache.Entry reaching = cache.take(BASE + 60 * PAGE, 8 * PAGE, true);
    assertThat(cache.take(BASE + 62 * PAGE, PAGE, true)).isSameAs(large);
    assertThat(cache.take(BASE + 65 * PAGE, PAGE, true)).isSameAs(reaching);
    assertThat(cache.take(BASE - 5, 5, true)).isSameAs(small);
  }

  @Test
  void memoryThatCannotBeWrittenHasRegionsOfItsOwn() {
    MrCache.Entry readable = cache.take(BASE, PAGE, false);
    MrCache.Entry writable = cache.take(BASE, PAGE, true);
    assertThat(writable).isNotSameAs(readable);
    assertThat(cache.take(BASE, PAGE, false)).isIn(readable, writable);
    assertThat(card.regions.values())
        .extracting(CountingCard.Range::writable)
        .containsExactly(false, true);
  }

  @Test
  void addressesAreUnsigned() {
    long high = -16 * PAGE; // the last pages that there are
    MrCache.Entry low = cache.take(BASE, PAGE, true);
    MrCache.Entry last = cache.take(high, 16 * PAGE, true);
    assertThat(cache.take(-PAGE, PAGE, true)).isSameAs(last);
    assertThat(cache.take(BASE + 1, 1, true)).isSameAs(low);
    assertThat(card.registrations).isEqualTo(2);
  }

  @Test
  void aDmaBufIsRegisteredExactly() {
    MrCache.Entry entry = cache.takeDmaBuf(512, BASE + 512, 3 * PAGE, 9);
    assertThat(card.regions.values())
        .containsExactly(new CountingCard.Range(BASE + 512, 3 * PAGE, true, true, 512, 9));
    assertThat(cache.takeDmaBuf(1024, BASE + 1024, PAGE, 10)).isSameAs(entry);
    assertThat(cache.takeDmaBuf(0, BASE, PAGE, 10)).isNotSameAs(entry);
  }

  @Test
  void whatTheCardRefusesLeavesNothing() {
    card.refuses = true;
    assertThatThrownBy(() -> cache.take(BASE, PAGE, true)).isInstanceOf(NetException.class);
    assertThat(cache.regions()).isZero();
    card.refuses = false;
    cache.release(cache.take(BASE, PAGE, true));
    assertThat(card.regions).isEmpty();
  }

  @Test
  void aPageSizeIsAPowerOfTwo() {
    assertThatThrownBy(() -> new MrCache(card, 5000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5000");
  }

  /** Any order of takes and releases: each user's region covers its range until it is released. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void againstAModel(long seed) {
    record User(MrCache.Entry entry, long address, long size, boolean writable) {}
    Random random = new Random(seed);
    List<User> users = new ArrayList<>();
    for (int step = 0; step < 4000; step++) {
      if (users.isEmpty() || random.nextInt(100) < 52) {
        long address = BASE + random.nextLong(64 * PAGE);
        long size = 1 + random.nextLong(1 + random.nextLong(24 * PAGE));
        boolean writable = random.nextInt(4) > 0;
        boolean known =
            card.regions.values().stream()
                .anyMatch(r -> r.covers(address, size) && (r.writable() || !writable));
        int before = card.registrations;
        MrCache.Entry entry =
            random.nextInt(8) == 0 && writable
                ? cache.takeDmaBuf(0, address, size, 3)
                : cache.take(address, size, writable);
        assertThat(card.registrations).as("step %d", step).isEqualTo(known ? before : before + 1);
        users.add(new User(entry, address, size, writable));
      } else {
        cache.release(users.remove(random.nextInt(users.size())).entry());
      }
      for (User user : users) {
        CountingCard.Range range = card.regions.get(user.entry().region.lkey());
        assertThat(range).as("step %d: region of a user", step).isNotNull();
        assertThat(range.covers(user.address(), user.size())).as("step %d", step).isTrue();
        assertThat(range.writable() || !user.writable()).as("step %d", step).isTrue();
      }
      assertThat(cache.regions())
          .as("step %d", step)
          .isEqualTo(card.regions.size())
          .isEqualTo((int) users.stream().map(User::entry).distinct().count());
    }
    users.forEach(user -> cache.release(user.entry()));
    assertThat(card.regions).isEmpty();
  }

  @Test
  void severalThreadsShareRegions() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int thread = t;
        tasks.add(() -> {
          Random random = new Random(thread);
          for (int i = 0; i < 5000; i++) {
            cache.release(cache.take(BASE + random.nextInt(8) * PAGE, PAGE, true));
          }
          return null;
        });
      }
      for (Future<Void> done : pool.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
        done.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(card.regions).isEmpty();
    assertThat(cache.regions()).isZero();
  }
}
