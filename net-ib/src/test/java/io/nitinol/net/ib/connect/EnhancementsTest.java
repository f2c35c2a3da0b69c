// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.ib.verbs.Ece;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EnhancementsTest {
  private static final Ece MUCH = new Ece(0x2c9, 0xff, 0);
  private static final Ece LESS = new Ece(0x2c9, 0x0f, 0);

  /** A card, whose queue pairs can what it can, or less where they were told so. */
  private static final class Card implements Enhancements.Pairs {
    private final @Nullable Ece can;
    private final boolean takes;
    private final List<Ece> set = new ArrayList<>();

    Card(@Nullable Ece can, boolean takes) {
      this.can = can;
      this.takes = takes;
    }

    @Override
    public @Nullable Ece query(int lane) {
      if (can == null || set.isEmpty()) {
        return can;
      }
      return new Ece(can.vendorId(), can.options() & set.getLast().options(), 0);
    }

    @Override
    public boolean set(int lane, Ece ece) {
      set.add(ece);
      return takes;
    }
  }

  /** As QueuePairSetup calls them, of both sides in turn. */
  private static void agree(Card sending, boolean on, Card accepting, boolean there) {
    Enhancements one = new Enhancements(on, false, 1, sending);
    Enhancements other = new Enhancements(there, true, 1, accepting);
    one.made(0);
    other.made(0);
    other.connecting(0, one.said().getFirst(), "accepting");
    other.connected(0);
    one.connecting(0, other.said().getFirst(), "sending");
    one.connected(0);
  }

  @Test
  void bothSetWhatBothCan() {
    Card sending = new Card(MUCH, true);
    Card accepting = new Card(LESS, true);
    agree(sending, true, accepting, true);
    assertThat(accepting.set).containsExactly(MUCH);
    assertThat(sending.set).containsExactly(LESS);
  }

  @Test
  void whereOneSideHasNoneNeitherSetsAny() {
    for (Card none : List.of(new Card(null, false), new Card(Ece.NONE, true))) {
      Card other = new Card(MUCH, true);
      agree(none, true, other, true);
      assertThat(other.set).isEmpty();
    }
    Card sending = new Card(MUCH, true);
    agree(sending, true, new Card(null, false), true);
    assertThat(sending.set).isEmpty();
  }

  @Test
  void whereOneSideDoesNotWantToNeitherSetsAny() {
    for (boolean on : new boolean[] {true, false}) {
      Card sending = new Card(MUCH, true);
      Card accepting = new Card(MUCH, true);
      agree(sending, on, accepting, !on);
      assertThat(sending.set).isEmpty();
      assertThat(accepting.set).isEmpty();
    }
  }

  @Test
  void aCardThatRefusesWhatItOfferedIsNamed() {
    assertThatThrownBy(() -> agree(new Card(MUCH, false), true, new Card(LESS, true), true))
        .hasMessageContainingAll("sending: the card does not take", "NCCL_IB_ECE_ENABLE");
  }

  @Test
  void aCardThatRefusesWhatThePeerOffersDoesWithout() {
    Card sending = new Card(MUCH, true);
    agree(sending, true, new Card(LESS, false), true);
    assertThat(sending.set).isEmpty();
  }
}
