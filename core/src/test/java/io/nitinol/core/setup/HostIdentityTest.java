// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostIdentityTest {
  @TempDir private Path one;
  @TempDir private Path other;

  private static long of(String... settings) {
    Map<String, String> map =
        settings.length == 2
            ? Map.of(settings[0], settings[1])
            : Map.of(settings[0], settings[1], settings[2], settings[3]);
    return HostIdentity.of(Settings.of(map), Log.process());
  }

  @Test
  void hostIsWhoHasTheSameIdAndTheSameSharedMemory() {
    String dir = "NITINOL_SHM_DIR";
    assertThat(of(dir, one.toString())).isEqualTo(of(dir, one.toString()));
    assertThat(of(dir, one.toString())).isNotEqualTo(of(dir, other.toString()));
    assertThat(of("NCCL_HOSTID", "a")).isEqualTo(of("NCCL_HOSTID", " a "));
    assertThat(of("NCCL_HOSTID", "a")).isNotEqualTo(of("NCCL_HOSTID", "b"));
    assertThat(of("NCCL_HOSTID", "a")).isNotEqualTo(of("NCCL_HOSTID", ""));
    assertThat(of("NCCL_HOSTID", "a", dir, one.toString()))
        .isNotEqualTo(of("NCCL_HOSTID", "a", dir, other.toString()));
  }
}
