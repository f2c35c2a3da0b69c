// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HcaFilterTest {
  private static final List<String> PORTS =
      List.of("mlx5_0:1", "mlx5_1:1", "mlx5_1:2", "mlx5_10:1", "mlx4_0:1", "rxe0:1");

  @ParameterizedTest(name = "[{0}] lets through {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                      | mlx5_0:1 mlx5_1:1 mlx5_1:2 mlx5_10:1 mlx4_0:1 rxe0:1",
        "` , ,`                  | mlx5_0:1 mlx5_1:1 mlx5_1:2 mlx5_10:1 mlx4_0:1 rxe0:1",
        "^                       | mlx5_0:1 mlx5_1:1 mlx5_1:2 mlx5_10:1 mlx4_0:1 rxe0:1",
        "=                       | mlx5_0:1 mlx5_1:1 mlx5_1:2 mlx5_10:1 mlx4_0:1 rxe0:1",
        "mlx5                    | mlx5_0:1 mlx5_1:1 mlx5_1:2 mlx5_10:1",
        "mlx5_1                  | mlx5_1:1 mlx5_1:2 mlx5_10:1",
        "=mlx5_1                 | mlx5_1:1 mlx5_1:2",
        "mlx5_1:1                | mlx5_1:1 mlx5_10:1",
        "=mlx5_1:2               | mlx5_1:2",
        "=mlx5_1:2,rxe0:1        | mlx5_1:2 rxe0:1",
        "` = mlx5_1 : 2 , rxe0 ` | mlx5_1:2 rxe0:1",
        "rxe0,rxe0,rxe0:1        | rxe0:1",
        "^mlx5_1                 | mlx5_0:1 mlx4_0:1 rxe0:1",
        "^=mlx5_1                | mlx5_0:1 mlx5_10:1 mlx4_0:1 rxe0:1",
        "^=mlx5_1:1,rxe0         | mlx5_0:1 mlx5_1:2 mlx5_10:1 mlx4_0:1",
        "^mlx                    | rxe0:1",
        "=mlx5_1:2:0:1           | mlx5_1:2",
        "nothing                 | ``",
      })
  void letsThrough(String text, String expected) {
    HcaFilter filter = HcaFilter.parse(text);
    assertThat(
            String.join(
                " ",
                PORTS.stream()
                    .filter(p ->
                        filter.accepts(
                            p.substring(0, p.indexOf(':')),
                            Integer.parseInt(p.substring(p.indexOf(':') + 1))))
                    .toList()))
        .isEqualTo(expected);
    for (String card : Stream.of("mlx5_0", "mlx5_1", "mlx5_10", "mlx4_0", "rxe0").toList()) {
      boolean any = filter.accepts(card, 1) || filter.accepts(card, 2);
      assertThat(filter.mayAccept(card)).as(card).isEqualTo(any);
    }
  }

  @Test
  void duplicatesCountOnce() {
    assertThat(HcaFilter.parse("=a:1,b,a:1, b ").entries())
        .containsExactly(new HcaFilter.Entry("a", 1), new HcaFilter.Entry("b", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mlx5_0:",
        "mlx5_0:x",
        "mlx5_0:0",
        "mlx5_0:256",
        "mlx5_0:-1",
        ":1",
        "a,:2",
        "=^mlx5",
        "==a",
        "^^a",
        "a:1:2:3:4",
        "a:99999999999"
      })
  void whatIsNoListIsRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HcaFilter.parse(text))
        .withMessageContaining("NCCL_IB_HCA=" + text)
        .withMessageContaining("expected [^][=]name[:port]");
  }
}
