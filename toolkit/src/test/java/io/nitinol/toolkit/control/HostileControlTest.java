// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FuzzRun;
import io.nitinol.spi.testing.Thorough;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hostile bytes on a control connection; {@link FuzzRun} tells how to try more of them. */
@Tag(Thorough.TAG) // with more inputs
class HostileControlTest {

  @Test
  void inMemory() throws Exception {
    long[] tried = FuzzRun.inMemory("HostileControlTest", 20_000, () -> List.of(new ControlFuzz()));
    assertThat(tried[0]).isPositive();
  }
}
