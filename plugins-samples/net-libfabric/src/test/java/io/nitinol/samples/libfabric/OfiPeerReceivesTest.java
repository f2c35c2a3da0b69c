// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OfiPeerReceivesTest {
  private final OfiPeerReceives receives = new OfiPeerReceives();

  private void announce(int... tags) {
    for (int i = 0; i < tags.length; i++) {
      receives.piece(i, 100 + i, tags[i]);
    }
    receives.announced(tags.length);
  }

  private long sent(int tag) {
    long piece = receives.find(tag);
    if (piece < 0) {
      receives.runAhead(tag);
    } else {
      receives.fill(piece);
    }
    return piece;
  }

  @Test
  void aTagGoesToTheFirstVacantPieceOfTheOldestReceiveThatHasIt() {
    announce(1, 2, 1);
    announce(3, 1);
    assertThat(sent(1)).isZero();
    assertThat(sent(3)).isEqualTo(OfiCommEnd.PIECES);
    assertThat(receives.next()).isZero();
    assertThat(sent(1)).isEqualTo(2);
    assertThat(sent(1)).isEqualTo(OfiCommEnd.PIECES + 1);
    assertThat(sent(2)).isEqualTo(1);
    assertThat(receives.next()).isEqualTo(2);
    assertThat(receives.find(1)).isNegative();
    assertThat(receives.room(2)).isEqualTo(102);
  }

  @Test
  void whatWasSentBeforeTheAnnouncementTakesItsPieceOfIt() {
    assertThat(sent(7)).isNegative();
    assertThat(sent(8)).isNegative();
    assertThat(sent(7)).isNegative();
    announce(7, 7, 9);
    assertThat(receives.ahead()).isEqualTo(1);
    assertThat(receives.find(7)).isNegative();
    assertThat(sent(9)).isEqualTo(2);
    assertThat(receives.next()).isEqualTo(1);
    announce(7, 8);
    assertThat(receives.ahead()).isZero();
    assertThat(sent(7)).isEqualTo(OfiCommEnd.PIECES);
    assertThat(receives.next()).isEqualTo(2);
  }

  @Test
  void theLastReceiveSaysWhetherTheNextWillBeLong() {
    assertThat(receives.isLastLong()).isFalse();
    receives.piece(0, 100, 7);
    receives.piece(1, OfiShorts.LONGEST + 1, 7);
    receives.announced(2);
    assertThat(receives.isLastLong()).isTrue();
    announce(7);
    assertThat(receives.isLastLong()).isFalse();
  }

  @Test
  void noMoreAreAnnouncedThanSlots() {
    for (int i = 0; i < OfiCommEnd.SLOTS; i++) {
      assertThat(receives.hasRoom()).isTrue();
      announce(i);
    }
    assertThat(receives.hasRoom()).isFalse();
    sent(0);
    assertThat(receives.hasRoom()).isTrue();
  }
}
