// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FuzzRun;
import io.nitinol.spi.testing.Thorough;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hostile bytes on a listening port; {@link FuzzRun} tells how to try more of them. */
@Tag(Thorough.TAG) // with more inputs
class HostileHandshakeTest {

  @Test
  void inMemory() throws Exception {
    ConnectOptions options = Pair.options(Features.NONE);
    long[] tried =
        FuzzRun.inMemory("HostileHandshakeTest", 60_000, () -> List.of(new HandshakeFuzz(options)));
    assertThat(tried[0]).isPositive();
  }
}
