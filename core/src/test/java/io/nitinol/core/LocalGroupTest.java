// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalGroupTest {
  @Test
  void oneEndingThatThrowsDoesNotStopTheOthers() {
    List<String> ran = new ArrayList<>();
    CommException failure = new CommException(ResultCode.REMOTE_ERROR, 1, "first", null);
    IllegalStateException second = new IllegalStateException("second");
    NoClassDefFoundError third = new NoClassDefFoundError("third");
    LocalGroup.runAll(
        List.of(
            () -> ran.add("a"),
            () -> {
              throw second;
            },
            () -> {
              throw third;
            },
            () -> ran.add("b")),
        failure);
    assertThat(ran).containsExactly("a", "b");
    assertThat(failure.getSuppressed()).containsExactly(second, third);
  }
}
