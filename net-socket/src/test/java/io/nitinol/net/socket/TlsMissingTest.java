// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.awaitBothFailures;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The encrypted mode in a JVM whose security providers cannot do what it takes. */
@Isolated
class TlsMissingTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @Test
  void aJvmWithoutTheKeysOfTheModeIsNamedAndKeepsNoSocket() throws IOException {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "no /proc/self/fd here to count descriptors in");
    List<Provider> before = Arrays.asList(Security.getProviders());
    for (Provider each : before) {
      if (each.getService("KeyPairGenerator", "Ed25519") != null) {
        Security.removeProvider(each.getName());
      }
    }
    try {
      failToConnect(); // loads classes, which opens files
      long open = descriptors();
      for (int i = 0; i < 5; i++) {
        failToConnect();
      }
      // Each of the five had nine streams.
      assertThat(descriptors()).isLessThan(open + 9);
    } finally {
      for (int i = 0; i < before.size(); i++) {
        Security.insertProviderAt(before.get(i), i + 1); // does nothing where it is there
      }
    }
    assertThat(Security.getProviders()).containsExactlyElementsOf(before);
  }

  /** One of nine streams, on which both sides fail and say why. */
  private static void failToConnect() {
    try (Loopback pair =
        new Loopback(
                "NITINOL_SOCKET_TLS",
                "1",
                "NCCL_SOCKET_NTHREADS",
                "2",
                "NCCL_NSOCKS_PERTHREAD",
                "4")
            .listening()) {
      for (NetException each :
          awaitBothFailures(
              () -> assertThat(pair.net.connect(0, pair.handle)).isNull(),
              () -> assertThat(pair.net.accept(pair.listener)).isNull())) {
        assertThat(each.result()).isEqualTo(ResultCode.SYSTEM_ERROR);
        assertThat(each)
            .hasMessageContaining("this JVM cannot encrypt connections")
            .hasMessageContaining("Ed25519")
            .hasMessageContaining("NITINOL_SOCKET_TLS");
      }
      assertThat(pair.net.connectsUnderWay()).isZero();
    }
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> entries = Files.list(DESCRIPTORS)) {
      return entries.count();
    }
  }
}
