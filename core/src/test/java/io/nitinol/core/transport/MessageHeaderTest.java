// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessageHeaderTest {

  @Test
  void everythingThatRanksAreCalledWithFitsIntoTheWord() {
    for (Collective collective : Collective.values()) {
      for (DataType type : DataType.values()) {
        long word = MessageHeader.word(131_071, collective.code(), type.code(), 255, 65_535, 0, 15);
        assertThat(Collective.ofCode(MessageHeader.collective(word))).isEqualTo(collective);
        assertThat(DataType.ofCode(MessageHeader.type(word))).isEqualTo(type);
        assertThat(MessageHeader.op(word)).isEqualTo(255);
        assertThat(MessageHeader.root(word)).isEqualTo(65_535);
        assertThat(MessageHeader.sequence(word)).isEqualTo(131_071);
        assertThat(MessageHeader.past(word)).isEqualTo(15);
        long countWord = MessageHeader.countWord((1L << 56) - 1, 0);
        assertThat(MessageHeader.count(countWord)).isEqualTo((1L << 56) - 1);
        assertThat(MessageHeader.choice(word, countWord)).isZero();
      }
    }
  }

  @Test
  void everyValueOfEveryFieldComesBackAndChangesNoOther() {
    Random random = new Random(7);
    for (List<BitField> word : List.of(MessageHeader.firstWord(), MessageHeader.secondWord())) {
      for (BitField field : word) {
        long other = random.nextLong();
        int values = (int) Math.min(1 << 17, field.max());
        for (int i = 0; i <= values; i++) {
          long value = i < 1 << 16 ? i : field.max() - (values - i);
          long filled = field.clear(other) | field.put(value);
          assertThat(field.get(filled)).isEqualTo(value);
          assertThat(field.clear(filled)).isEqualTo(field.clear(other));
        }
      }
    }
  }

  @Test
  void fieldsFillTheWordsAndDoNotOverlap() {
    for (List<BitField> word : List.of(MessageHeader.firstWord(), MessageHeader.secondWord())) {
      int bits = 0;
      for (BitField field : word) {
        assertThat(field.at()).as(field.name()).isEqualTo(bits);
        bits += field.bits();
      }
      assertThat(bits).isEqualTo(Long.SIZE);
    }
  }

  @Test
  void aValueThatDoesNotFitFailsWhereTheFieldIsDeclared() {
    BitField field = new BitField("algorithm", 11, 3);
    assertThat(field.upTo(7)).isSameAs(field);
    assertThatThrownBy(() -> field.upTo(8))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"algorithm\" holds 0 to 7 in its 3 bits, but must hold 8");
    assertThatThrownBy(() -> field.upTo(-1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new BitField("beyond", 60, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingOfACountThatIsTooLargeReachesTheChoice() {
    long countWord = MessageHeader.countWord(-1, 0);
    assertThat(MessageHeader.choice(0, countWord)).isZero();
  }

  @Test
  void everyChoiceCanBeReadFromTheWord() {
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        for (int channels = 1; channels <= 64; channels++) {
          Choice choice = new Choice(algorithm, protocol, channels);
          long word = MessageHeader.word(7, 4, 7, 0, 3, choice.code(), 9);
          long countWord = MessageHeader.countWord(1234, choice.code());
          assertThat(MessageHeader.choice(word, countWord)).isEqualTo(choice.code());
          assertThat(MessageHeader.count(countWord)).isEqualTo(1234);
          assertThat(Choice.describe(MessageHeader.choice(word, countWord)))
              .isEqualTo(choice.toString())
              .startsWith(algorithm + "/" + protocol + " on " + channels + " channel");
          assertThat(MessageHeader.withoutChoice(word))
              .isEqualTo(MessageHeader.word(7, 4, 7, 0, 3, 0, 9));
          assertThat(MessageHeader.withoutPast(word))
              .isEqualTo(MessageHeader.word(7, 4, 7, 0, 3, choice.code(), 0));
        }
      }
    }
  }

  @Test
  void anotherRootBeforeIsSeenAfterwards() {
    for (int before = 0; before < 16; before++) {
      for (int root = 1; root < 16; root++) {
        int one = MessageHeader.past(before, 0);
        int other = MessageHeader.past(before, root);
        for (int later = 0; later < 20; later++) {
          assertThat(one).isNotEqualTo(other).isBetween(0, 15);
          one = MessageHeader.past(one, later % 3);
          other = MessageHeader.past(other, later % 3);
        }
      }
    }
    assertThat(MessageHeader.past(0, 1)).isNotEqualTo(MessageHeader.past(0, 257));
  }
}
