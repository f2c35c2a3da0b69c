// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OfiArrivalsTest {
  private static final int ANNOUNCED = 4;
  private static final int PLACES = OfiShorts.PLACES;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment text = arena.allocateFrom("message");
  private final OfiShorts shorts = new OfiShorts(arena);
  private final OfiArrivals arrivals = new OfiArrivals(shorts);

  @AfterEach
  void free() {
    arena.close();
  }

  private String arrive(int place, long number, long receive, int piece) {
    shorts.write(place, number, receive, piece, 5, text.address(), 7);
    return arrivals.arrive(place, OfiShorts.HEADER + 7, PLACES, ANNOUNCED);
  }

  @Test
  void theyWaitInTheOrderInWhichTheyWereSent() {
    assertThat(arrive(0, 1, 0, OfiShorts.UNKNOWN)).isNull();
    assertThat(arrive(1, 2, 0, OfiShorts.UNKNOWN)).isNull();
    assertThat(arrivals.count()).isZero();
    assertThat(arrive(2, 0, 0, OfiShorts.UNKNOWN)).isNull();
    assertThat(arrivals.came()).isEqualTo(3);
    assertThat(arrivals.count()).isEqualTo(3);
    assertThat(arrivals.place(0)).isEqualTo(2);
    assertThat(arrivals.place(1)).isZero();
    assertThat(arrivals.length(0)).isEqualTo(7);
    arrivals.remove(0);
    assertThat(arrivals.count()).isEqualTo(2);
    assertThat(arrivals.place(0)).isZero();
    assertThat(arrivals.place(1)).isEqualTo(1);
  }

  @Test
  void oneMoreThanAllowedIsNamed() {
    for (int i = 0; i < PLACES; i++) {
      assertThat(arrive(i, i, 0, OfiShorts.UNKNOWN)).isNull();
    }
    arrivals.remove(0);
    assertThat(arrive(0, PLACES, 0, OfiShorts.UNKNOWN))
        .isEqualTo("short message 32, and only 32 were allowed so far");
  }

  @Test
  void oneThatCameBeforeIsNamed() {
    assertThat(arrive(0, 0, 0, OfiShorts.UNKNOWN)).isNull();
    assertThat(arrive(1, 0, 0, OfiShorts.UNKNOWN))
        .isEqualTo("short message 0 twice or too early, behind 1");
    assertThat(arrive(1, 2, 0, OfiShorts.UNKNOWN)).isNull();
    assertThat(arrive(2, 2, 0, OfiShorts.UNKNOWN))
        .isEqualTo("short message 2 twice or too early, behind 1");
    assertThat(arrive(2, -1, 0, OfiShorts.UNKNOWN)).contains("twice or too early");
  }

  @Test
  void aPieceOrAReceiveThatCannotBeIsNamed() {
    assertThat(arrive(0, 0, -1, 0))
        .isEqualTo("short message 0 for piece 0 of receive -1, where 4 were announced");
    assertThat(arrive(0, 0, 3, OfiCommEnd.PIECES))
        .isEqualTo("short message 0 for piece 8 of receive 3, where 4 were announced");
    assertThat(arrive(0, 0, 3, -2))
        .isEqualTo("short message 0 for piece -2 of receive 3, where 4 were announced");
  }

  /** It would wait in its place for ever. */
  @Test
  void aReceiveThatWasNotAnnouncedIsNamed() {
    assertThat(arrive(0, 0, ANNOUNCED, 0))
        .isEqualTo("short message 0 for piece 0 of receive 4, where 4 were announced");
    assertThat(arrive(0, 0, ANNOUNCED + 1, OfiShorts.UNKNOWN))
        .isEqualTo("short message 0 for piece -1 of receive 5, where 4 were announced");
    assertThat(arrive(0, 0, ANNOUNCED, OfiShorts.UNKNOWN)).isNull();
  }

  @Test
  void aLengthThatCannotBeIsNamed() {
    shorts.write(0, 0, 0, 0, 5, text.address(), 7);
    assertThat(arrivals.arrive(0, OfiShorts.HEADER - 1, PLACES, ANNOUNCED))
        .isEqualTo("a short message in 23 bytes");
    assertThat(arrivals.arrive(0, OfiShorts.PLACE + 1, PLACES, ANNOUNCED))
        .isEqualTo("a short message in 8217 bytes");
  }
}
