// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SET-05 to SET-07. */
class VariableTest {
  private static final Variable<Integer> COUNT = Variable.integer("NCCL_X", -8, 100, 7, "A count.");
  private static final Variable<Integer> ANY =
      Variable.integer("NCCL_X", Integer.MIN_VALUE, Integer.MAX_VALUE, 0, "Any number.");
  private static final Variable<Long> BYTES =
      Variable.bytes("NCCL_X", 1, Long.MAX_VALUE, 4096, "A size.");
  private static final Variable<Boolean> FLAG = Variable.flag("NCCL_X", false, "A switch.");
  private static final Variable<String> WORD =
      Variable.choice("NCCL_X", List.of("Ring", "Tree"), "Ring", "A word.");

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "42, 42",
    "+5, 5",
    "-8, -8",
    "0x10, 16",
    "0X1f, 31",
    "010, 8",
    "-0x8, -8",
    "100, 100",
    "' 42 ', 42",
    "'\t42', 42"
  })
  void numbersAreReadAsStrtollDoes(String text, int value) {
    assertThat(COUNT.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "x",
        "08",
        "1.5",
        "1e3",
        "12x",
        "0x",
        "#10",
        "--1",
        "1 0",
        "1K",
        "101",
        "-9",
        "99999999999999999999",
        "4294967296",
        "0x1p3"
      })
  void whatIsNoNumberInRangeIsRefused(String text) {
    assertThatThrownBy(() -> COUNT.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NCCL_X=" + text + ": expected a whole number from -8 to 100");
  }

  @Test
  void aNumberBeyondIntIsRefusedAndNotCut() {
    assertThat(ANY.parse("2147483647")).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> ANY.parse("4294967297"))
        .hasMessage("NCCL_X=4294967297: expected a whole number");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "4096, 4096",
    "1K, 1024",
    "2k, 2048",
    "3M, 3145728",
    "1m, 1048576",
    "2G, 2147483648",
    "1g, 1073741824",
    "0x10, 16",
    "0x10K, 16384",
    "010K, 8192",
    "9223372036854775807, 9223372036854775807",
    "8589934591G, 9223372035781033984",
    "' 1K ', 1024"
  })
  void sizesMayEndInKMG(String text, long value) {
    assertThat(BYTES.parse(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "K",
        "1 K",
        "1KB",
        "1KiB",
        "1T",
        "0",
        "-1",
        "-1K",
        "8589934592G",
        "#1K",
        "1KK",
        "9223372036854775808"
      })
  void whatIsNoSizeInRangeIsRefused(String text) {
    assertThatThrownBy(() -> BYTES.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "NCCL_X="
                + text
                + ": expected a number of bytes from 1 up, also with K, M or G after it");
  }

  @Test
  void aSwitchIsOffOnlyForZero() {
    assertThat(FLAG.parse("0")).isFalse();
    assertThat(FLAG.parse("0x0")).isFalse();
    assertThat(FLAG.parse("1")).isTrue();
    assertThat(FLAG.parse("-2")).isTrue();
    assertThat(FLAG.parse("4294967296")).isTrue();
    assertThatThrownBy(() -> FLAG.parse("true"))
        .hasMessage("NCCL_X=true: expected 0 for off, 1 or any other whole number for on");
  }

  @Test
  void aWordIsGivenBackAsDeclared() {
    assertThat(WORD.parse("tREE")).isEqualTo("Tree");
    assertThat(WORD.parse(" ring ")).isEqualTo("Ring");
    assertThatThrownBy(() -> WORD.parse("Tre"))
        .hasMessage("NCCL_X=Tre: expected one of Ring, Tree");
  }

  @Test
  void textLosesOnlyTheBlanksAroundIt() {
    Variable<String> text = Variable.text("NCCL_X", "anything", "", "A text.");
    assertThat(text.parse("  ^= a , b ")).isEqualTo("^= a , b");
    assertThat(text.form()).isEqualTo("anything");
    assertThat(text.meaning()).isEqualTo("A text.");
    assertThat(text).hasToString("NCCL_X");
  }

  @Test
  void theDefaultMayLieOutsideTheRange() {
    assertThat(Variable.integer("NCCL_X", 1, 8, -2, "-2 is automatic.").fallback()).isEqualTo(-2);
  }
}
