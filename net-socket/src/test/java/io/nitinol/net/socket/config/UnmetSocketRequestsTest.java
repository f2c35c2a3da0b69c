// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnmetSocketRequestsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "999 | '' | NCCL_SOCKET_NTHREADS=999 is too much, using 16",
        "16 | 4 | ",
        "16 | 5 | NCCL_NSOCKS_PERTHREAD=5 is too much: fewer are used, since a connection has at most 64 data sockets, those of all its threads together",
        "0 | 100 | ",
        "1 | 64 | ",
        "2 | '' | ",
        "-1 | 1 | ",
      })
  void moreThanThereCanBe(String threads, String perThread, String sentence) {
    Map<String, String> values =
        Map.of("NCCL_SOCKET_NTHREADS", threads, "NCCL_NSOCKS_PERTHREAD", perThread);
    assertThat(new SocketVariables().unmet(Settings.of(values)))
        .isEqualTo(sentence == null ? List.of() : List.of(sentence));
  }

  @Test
  void anAlgorithmThatTheKernelDoesNotHave(@TempDir Path kernel) throws Exception {
    Files.writeString(kernel.resolve("tcp_available_congestion_control"), "reno cubic\n");
    List<String> found = new ArrayList<>();
    UnmetSocketRequests.congestion(
        Settings.of(Map.of("NITINOL_SOCKET_CONGESTION", "cubic")), kernel, found);
    assertThat(found).isEmpty();
    UnmetSocketRequests.congestion(
        Settings.of(Map.of("NITINOL_SOCKET_CONGESTION", "bbr")), kernel, found);
    assertThat(found)
        .containsExactly(
            "NITINOL_SOCKET_CONGESTION=bbr: the kernel has reno cubic; unless it can load that one,"
                + " connections use its default");
  }
}
