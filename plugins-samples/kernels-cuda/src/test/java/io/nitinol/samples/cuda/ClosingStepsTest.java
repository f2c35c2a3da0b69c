// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingStepsTest {

  private static void fail(String what) {
    throw CudaFailures.of(DeviceFailure.DRIVER_ERROR, "%s", what);
  }

  @Test
  void aStepThatFailsKeepsNoOtherFromBeingDone() {
    List<String> done = new ArrayList<>();
    ClosingSteps steps = new ClosingSteps();
    steps.run(() -> done.add("first"));
    steps.run(() -> fail("second"));
    steps.run(() -> done.add("third"));
    steps.run(() -> fail("fourth"));
    steps.run(() -> done.add("fifth"));
    assertThat(done).containsExactly("first", "third", "fifth");
    assertThatThrownBy(steps::finish)
        .hasMessageContaining("second")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("fourth"));
  }

  @Test
  void withoutAFailureNothingIsThrown() {
    ClosingSteps steps = new ClosingSteps();
    steps.run(() -> {});
    assertThatCode(steps::finish).doesNotThrowAnyException();
  }
}
