// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FuzzMainTest {
  @Test
  void badOptionsAreNamed() {
    assertThatCode(() -> FuzzMain.of("--inputs", "1_000", "--seed", "7"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> FuzzMain.of("--seed", "7", "--inputs"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--inputs needs a value");
    assertThatThrownBy(() -> FuzzMain.of("--moon", "3")).hasMessage("unknown option --moon");
    assertThatThrownBy(() -> FuzzMain.of("--target", "moon"))
        .hasMessageContaining("target 'moon': expected one of [");
    assertThatThrownBy(() -> FuzzMain.of("--inputs", "many"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("many");
  }
}
