// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When receives are announced, by a model of the receiver that says whenever it is due. */
class AnnouncementsTest {
  private final Announcements announcements = new Announcements();
  private final Set<Long> open = new HashSet<>();
  private long posted;
  private int writes;

  private void post(int pieces) {
    open.add(posted++);
    announcements.posted(pieces);
    announce(Slots.COUNT);
  }

  private void complete(long receive) {
    assertThat(open.remove(receive)).isTrue();
    announcements.completed(receive);
    announce(Slots.COUNT);
  }

  /** Says what there is to say, or as much as there is room for. */
  private void announce(int room) {
    if (!announcements.isDue()) {
      return;
    }
    for (int i = 0; i < room && announcements.next() < posted; ) {
      if (!open.contains(announcements.next())) {
        announcements.skip();
        continue;
      }
      announcements.announced(1);
      i++;
    }
    writes++;
  }

  private long known() {
    return open.stream().filter(each -> each < announcements.next()).count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void theFirstOnesAreAnnouncedAtOnce(int ahead) {
    for (int i = 0; i < 100; i++) {
      post(1);
      assertThat(announcements.next()).isEqualTo(posted);
      if (open.size() == ahead) {
        complete(posted - ahead);
      }
    }
  }

  /** As a ring of core's slots does it, and a stream with as many as a connection takes. */
  @ParameterizedTest
  @CsvSource({"8, 4", "16, 8", "32, 16"})
  void ofManyHalfAreAnnouncedTogether(int ahead, int together) {
    for (int i = 0; i < ahead; i++) {
      post(1);
    }
    writes = 0;
    for (int i = 0; i < 10 * ahead; i++) {
      complete(posted - ahead);
      post(1);
      assertThat(known()).isGreaterThanOrEqualTo(together);
    }
    assertThat(writes).isEqualTo(10 * ahead / together);
  }

  @Test
  void ofSeveralPiecesEachIsAnnouncedAtOnce() {
    for (int i = 0; i < 8; i++) {
      post(1);
    }
    complete(0);
    post(1);
    assertThat(announcements.next()).as("one waits").isEqualTo(posted - 1);
    post(2);
    assertThat(announcements.next()).isEqualTo(posted);
  }

  /** Who posts no more, and only tests, gets all that was posted. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 8, 31, 32})
  void nothingWaitsForAnotherReceive(int count) {
    for (int i = 0; i < count; i++) {
      post(1);
    }
    for (long receive = 0; receive < count; receive++) {
      assertThat(announcements.next()).as("known to the sender").isGreaterThan(receive);
      complete(receive);
    }
    assertThat(announcements.isDue()).isFalse();
  }

  /** In whatever order they complete, with failovers in between. */
  @Test
  void aSenderAlwaysHasSomeAheadOfIt() {
    SplittableRandom random = new SplittableRandom(5);
    for (int step = 0; step < 200_000; step++) {
      int what = random.nextInt(2000);
      Long[] some = open.stream().filter(each -> each < announcements.next()).toArray(Long[]::new);
      if (what == 0) {
        // Of some it may hear before they are announced again: it has their entries.
        announcements.again(Math.max(0, posted - Slots.COUNT));
        for (long receive : open.stream().filter(each -> each % 3 == 0).toList()) {
          open.remove(receive);
          announcements.completed(receive);
        }
        announce(random.nextInt(Slots.COUNT));
        announce(Slots.COUNT);
      } else if (what < 1000 && mayPost()) {
        post(random.nextInt(20) == 0 ? 2 : 1);
      } else if (some.length > 0) {
        complete(some[random.nextInt(some.length)]);
      }
      long known = known();
      assertThat(known)
          .isGreaterThanOrEqualTo(Math.min(open.size(), Announcements.ENOUGH))
          .isGreaterThanOrEqualTo(open.size() / 2);
    }
    assertThat(posted).isGreaterThan(50_000);
  }

  /** A slot is free again only when its receive is complete. */
  private boolean mayPost() {
    return !open.contains(posted - Slots.COUNT);
  }
}
