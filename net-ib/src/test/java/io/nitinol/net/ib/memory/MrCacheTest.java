// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    assertThat(inner.region).isSameAs(outer.region);
    assertThat(end.region).isSameAs(outer.region);
    cache.release(outer);
    cache.release(inner);
    assertThat(card.regions).hasSize(1);
    cache.release(end);
    assertThat(card.regions).isEmpty();
  }

  @Test
  void whatReachesOutIsRegisteredByItself() {
    MrCache.Entry first = cache.take(BASE, 2 * PAGE, true);
    assertThat(cache.take(BASE + PAGE, 2 * PAGE, true).region).isNotSameAs(first.region);
    assertThat(cache.take(BASE - 1, 2, true).region).isNotSameAs(first.region);
    assertThat(card.regions).hasSize(3);
  }

  /** A neighbour on the first page keeps the region, but not the pages of what was freed. */
  @Test
  void pagesOfAUserThatHasGoneAreNotFound() {
    MrCache.Entry large = cache.take(BASE + 0xff0, 4 * PAGE, true);
    MrCache.Entry neighbour = cache.take(BASE + 0xff8, 8, true);
    assertThat(neighbour.region).isSameAs(large.region);
    cache.release(large);
    MrCache.Entry again = cache.take(BASE + 0xff0, 4 * PAGE, true);
    assertThat(again.region).isNotSameAs(neighbour.region);
    assertThat(cache.take(BASE + 1, 8, true).region).isIn(neighbour.region, again.region);
    assertThat(card.registrations).isEqualTo(2);
  }

  @Test
  void twoUsersSideBySideDoNotVouchForTheWhole() {
    MrCache.Entry large = cache.take(BASE, 4 * PAGE, true);
    cache.take(BASE, 2 * PAGE, true);
    cache.take(BASE + 2 * PAGE, 2 * PAGE, true);
    cache.release(large);
    // It would be right to share, but a search for it is not worth its code.
    cache.take(BASE + PAGE, 2 * PAGE, true);
    assertThat(card.registrations).isEqualTo(2);
  }

  @Test
  void hostMemoryAndDmaBufsDoNotShare() {
    MrCache.Entry host = cache.take(BASE, 4 * PAGE, true);
    MrCache.Entry exported = cache.takeDmaBuf(0, BASE, 4 * PAGE, 3, AddressSpace.DEVICES);
    assertThat(exported.region).isNotSameAs(host.region);
    assertThat(cache.take(BASE + PAGE, PAGE, true).region).isSameAs(host.region);
    assertThat(cache.takeDmaBuf(0, BASE + PAGE, PAGE, 3, AddressSpace.DEVICES).region)
        .isSameAs(exported.region);
  }

  @Test
  void aLongRegionBehindShortOnesIsFound() {
    MrCache.Entry large = cache.take(BASE, 64 * PAGE, true);
    MrCache.Entry small = cache.take(BASE - PAGE, 2 * PAGE, true);
    MrCache.Entry reaching = cache.take(BASE + 60 * PAGE, 8 * PAGE, true);
    assertThat(cache.take(BASE + 62 * PAGE, PAGE, true).region).isSameAs(large.region);
    assertThat(cache.take(BASE + 65 * PAGE, PAGE, true).region).isSameAs(reaching.region);
    assertThat(cache.take(BASE - 5, 5, true).region).isSameAs(small.region);
  }

  @Test
  void memoryThatCannotBeWrittenHasRegionsOfItsOwn() {
    MrCache.Entry readable = cache.take(BASE, PAGE, false);
    MrCache.Entry writable = cache.take(BASE, PAGE, true);
    assertThat(writable.region).isNotSameAs(readable.region);
    assertThat(cache.take(BASE, PAGE, false).region).isIn(readable.region, writable.region);
    assertThat(card.regions.values())
        .extracting(CountingCard.Range::writable)
        .containsExactly(false, true);
  }

  @Test
  void addressesAreUnsigned() {
    long high = -16 * PAGE; // the last pages that there are
    MrCache.Entry low = cache.take(BASE, PAGE, true);
    MrCache.Entry last = cache.take(high, 16 * PAGE, true);
    assertThat(cache.take(-PAGE, PAGE, true).region).isSameAs(last.region);
    assertThat(cache.take(BASE + 1, 1, true).region).isSameAs(low.region);
    assertThat(card.registrations).isEqualTo(2);
  }

  @Test
  void aDmaBufIsRegisteredExactly() {
    MrCache.Entry entry = cache.takeDmaBuf(512, BASE + 512, 3 * PAGE, 9, AddressSpace.DEVICES);
    assertThat(card.regions.values())
        .containsExactly(new CountingCard.Range(BASE + 512, 3 * PAGE, true, true, 512, 9));
    assertThat(cache.takeDmaBuf(1024, BASE + 1024, PAGE, 10, AddressSpace.DEVICES).region)
        .isSameAs(entry.region);
    assertThat(cache.takeDmaBuf(0, BASE, PAGE, 10, AddressSpace.DEVICES).region)
        .isNotSameAs(entry.region);
  }

  @Test
  void dmaBufsOfEqualOriginsShare() {
    AddressSpace origin = new AddressSpace.DmaBuf(1L, 0);
    MrCache.Entry entry = cache.takeDmaBuf(BASE, BASE, 3 * PAGE, 9, origin);
    assertThat(
            cache.takeDmaBuf(BASE + PAGE, BASE + PAGE, PAGE, 10, new AddressSpace.DmaBuf(1L, 0))
                .region)
        .isSameAs(entry.region);
    for (AddressSpace other :
        new AddressSpace[] {
          new AddressSpace.DmaBuf(2L, 0),
          new AddressSpace.DmaBuf(1L, PAGE),
          new AddressSpace.Unknown(),
          AddressSpace.DEVICES
        }) {
      assertThat(cache.takeDmaBuf(BASE, BASE, 3 * PAGE, 9, other).region)
          .as("%s", other)
          .isNotSameAs(entry.region);
    }
    AddressSpace unknown = new AddressSpace.Unknown();
    assertThat(cache.takeDmaBuf(0, 0, PAGE, 9, new AddressSpace.Unknown()).region)
        .isNotSameAs(cache.takeDmaBuf(0, 0, PAGE, 9, unknown).region);
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

  /** A user of the model, with the bytes that a registration by itself would cover. */
  private record User(
      MrCache.Entry entry, long address, long size, boolean writable, boolean dmaBuf) {

    static long first(long address, boolean dmaBuf) {
      return dmaBuf ? address : address & -PAGE;
    }

    static long end(long address, long size, boolean dmaBuf) {
      return dmaBuf ? address + size : (address + size + PAGE - 1) & -PAGE;
    }

    boolean covers(long from, long to) {
      return first(address, dmaBuf) <= from && to <= end(address, size, dmaBuf);
    }

    boolean isOnPage(int page) {
      return address < BASE + (page + 1) * PAGE && BASE + page * PAGE < address + size;
    }

    int key() {
      return entry.region.lkey();
    }
  }

  /**
   * Any order of takes and releases, of memory that the system takes back where no user is: each
   * user's region covers its range until it is released, and what the card has pinned are the pages
   * that are there.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void againstAModel(long seed) {
    Random random = new Random(seed);
    List<User> users = new ArrayList<>();
    int[] mapped = new int[64 + 25]; // which physical page is at each address now
    Map<Integer, int[]> pinned = new HashMap<>(); // and which were when a region was made
    int hits = 0;
    for (int step = 0; step < 4000; step++) {
      if (users.isEmpty() || random.nextInt(100) < 52) {
        long address = BASE + random.nextLong(64 * PAGE);
        long size = 1 + random.nextLong(1 + random.nextLong(24 * PAGE));
        boolean writable = random.nextInt(4) > 0;
        boolean dmaBuf = writable && random.nextInt(8) == 0;
        long first = User.first(address, dmaBuf);
        long end = User.end(address, size, dmaBuf);
        boolean known =
            users.stream()
                .anyMatch(u ->
                    u.dmaBuf() == dmaBuf
                        && u.covers(first, end)
                        && (card.regions.get(u.key()).writable() || !writable));
        int before = card.registrations;
        MrCache.Entry entry =
            dmaBuf
                ? cache.takeDmaBuf(0, address, size, 3, AddressSpace.DEVICES)
                : cache.take(address, size, writable);
        assertThat(card.registrations).as("step %d", step).isEqualTo(known ? before : before + 1);
        hits += known ? 1 : 0;
        pinned.putIfAbsent(entry.region.lkey(), mapped.clone());
        users.add(new User(entry, address, size, writable, dmaBuf));
      } else {
        cache.release(users.remove(random.nextInt(users.size())).entry());
        for (int page = 0; page < mapped.length; page++) {
          int at = page;
          if (users.stream().noneMatch(u -> u.isOnPage(at))) {
            mapped[page]++;
          }
        }
      }
      for (User user : users) {
        CountingCard.Range range = card.regions.get(user.key());
        assertThat(range).as("step %d: region of a user", step).isNotNull();
        assertThat(range.covers(user.address(), user.size())).as("step %d", step).isTrue();
        assertThat(range.writable() || !user.writable()).as("step %d", step).isTrue();
        for (int page = 0; page < mapped.length; page++) {
          if (user.isOnPage(page)) {
            assertThat(pinned.get(user.key())[page])
                .as("step %d: physical page at %d", step, page)
                .isEqualTo(mapped[page]);
          }
        }
      }
      assertThat(cache.regions())
          .as("step %d", step)
          .isEqualTo(card.regions.size())
          .isEqualTo((int) users.stream().map(User::key).distinct().count());
    }
    assertThat(hits).as("ranges that were found").isGreaterThan(100);
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
