// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChoiceTest {

  @Test
  void everyChoiceHasACodeOfItsOwn() {
    Set<Integer> codes = new HashSet<>();
    int choices = 0;
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        for (int channels = 1; channels <= 64; channels++) {
          for (boolean inPlace : new boolean[] {false, true}) {
            Choice choice = new Choice(algorithm, protocol, channels, inPlace);
            codes.add(choice.code());
            choices++;
            assertThat(choice.code()).isBetween(0, (1 << MessageHeader.CHOICE_BITS) - 1);
            assertThat(choice).hasToString(Choice.describe(choice.code()));
          }
        }
      }
    }
    assertThat(codes).hasSize(choices);
  }

  /** The class itself does not load then. */
  @Test
  void moreAlgorithmsOrProtocolsThanTheCodeTellsApartFail() {
    assertThatCode(() -> Choice.requireRoom(256, 16)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Choice.requireRoom(257, 16))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"algorithm\"");
    assertThatThrownBy(() -> Choice.requireRoom(256, 17))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("\"protocol\"");
  }

  @Test
  void codesOfALaterReleaseAreDescribed() {
    int code = new Choice(Algorithm.RING, Protocol.SIMPLE, 2).code();
    assertThat(Choice.describe(code | 0xff << 11)).isEqualTo("unknown/SIMPLE on 2 channels");
    assertThat(Choice.describe(code | 0xf << 6)).isEqualTo("RING/unknown on 2 channels");
  }

  @Test
  void moreChannelsThanTheCodeTellsApartFail() {
    assertThatThrownBy(() -> new Choice(Algorithm.RING, Protocol.SIMPLE, 65))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Choice(Algorithm.RING, Protocol.SIMPLE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
