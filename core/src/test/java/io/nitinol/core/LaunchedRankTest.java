// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.spi.ResultCode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaunchedRankTest {
  private static LaunchedRank rank(int size) {
    return new LaunchedRank(Map.of("NITINOL_RANK", "0", "NITINOL_SIZE", Integer.toString(size)));
  }

  @Test
  void aSecondCallIsToldThatThereWasOne() {
    LaunchedRank launched = rank(2);
    assertThat(launched.take().size()).isEqualTo(2);
    assertThat(launched.join(() -> "joined")).isEqualTo("joined");
    assertThatThrownBy(launched::take)
        .isInstanceOf(CommException.class)
        .hasMessage(
            "fromEnvironment: called a second time in this process, rank 0 of nitinol; nitinol lets"
                + " the ranks meet once: split the first communicator, or use init with an id of"
                + " your own");
  }

  @Test
  void aCallAfterAFailedOneIsToldWhyThatFailed() {
    LaunchedRank launched = rank(2);
    launched.take();
    BootstrapException first =
        new BootstrapException(ResultCode.TIMEOUT, 1, "rank 1 is late", null);
    assertThatThrownBy(() ->
            launched.join(() -> {
              throw first;
            }))
        .isSameAs(first);
    for (int time = 0; time < 2; time++) {
      assertThatThrownBy(launched::take)
          .isInstanceOf(CommException.class)
          .hasMessage(
              "fromEnvironment: the first call in this process, rank 0 of nitinol, has failed (rank"
                  + " 1 is late); nitinol lets the ranks meet once: start all ranks again, or use"
                  + " init with an id of your own");
    }
  }

  @Test
  void aLoneRankJoinsAsOftenAsItLikes() {
    LaunchedRank launched = rank(1);
    for (int time = 0; time < 3; time++) {
      assertThat(launched.take().rank()).isZero();
    }
  }
}
