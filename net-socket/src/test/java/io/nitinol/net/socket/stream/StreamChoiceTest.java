// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.config.ProcessorDefaults;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.RecordingLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many streams and threads a connection has, by itself and as told. */
class StreamChoiceTest {
  @TempDir Path sysfs;

  private final RecordingLog log = new RecordingLog();

  /** The vendors and figures are those of NCCL's net_socket.cc. */
  @ParameterizedTest
  @CsvSource({
    "0x1d0f, '', '', 16, 2",
    "0x1ae0, '', '', 4, 4",
    "0x15b3, '', '', 0, 0",
    "'', '', '', 0, 0",
    "'', 0, '', 0, 0",
    "0x1d0f, 4, '', 32, 4",
    "0x1d0f, '', 2, 4, 2",
    "0x15b3, 4, '', 4, 4",
    "0x15b3, '', 4, 0, 0",
    "0x15b3, 1, 1, 0, 0",
    "0x15b3, 1, 4, 4, 1",
    "0x1d0f, 0, 8, 0, 0",
  })
  void byVendorUnlessTold(String vendor, String threads, String perThread, int data, int used)
      throws Exception {
    assertThat(choose(vendor, threads, perThread, 4)).isEqualTo(new StreamCount(data, used));
    assertThat(log.warnings).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', '', 7, 0, 0",
    "'', '', '', 8, 2, 2",
    "'', '', '', 32, 2, 2",
    "0x15b3, '', '', 128, 2, 2",
    "0x15b3, '', 3, 128, 6, 2",
    "'', 0, '', 128, 0, 0",
    "0x1ae0, '', '', 128, 4, 4",
  })
  void moreUnderNcclWhereProcessorsArePlenty(
      String vendor, String threads, String perThread, int processors, int data, int used)
      throws Exception {
    assertThat(choose(vendor, threads, perThread, ProcessorDefaults.underNccl(processors)))
        .isEqualTo(new StreamCount(data, used));
  }

  @ParameterizedTest
  @CsvSource({"'', '', 8, 0", "'', '', 128, 0", "0x1ae0, '', 128, 4", "'', 2, 128, 2"})
  void noneOfItselfInACommunicatorOfNitinol(String vendor, String threads, int processors, int data)
      throws Exception {
    assertThat(choose(vendor, threads, "", processors)).isEqualTo(new StreamCount(data, data));
  }

  @Test
  void whatIsUsualByProcessors() {
    assertThat(ProcessorDefaults.underNccl(2))
        .isEqualTo(new ProcessorDefaults(0, 65_536, 65_536, 0));
    assertThat(ProcessorDefaults.underNccl(3))
        .isEqualTo(new ProcessorDefaults(0, 65_536, 65_536, 50_000));
    assertThat(ProcessorDefaults.underNccl(7)).isEqualTo(ProcessorDefaults.underNccl(3));
    assertThat(ProcessorDefaults.underNccl(8))
        .isEqualTo(new ProcessorDefaults(2, 262_144, 65_536, 300_000));
    assertThat(ProcessorDefaults.underNccl(31)).isEqualTo(ProcessorDefaults.underNccl(8));
    assertThat(ProcessorDefaults.underNccl(32))
        .isEqualTo(new ProcessorDefaults(2, 32_767, 32_768, 300_000));
    assertThat(ProcessorDefaults.with(32))
        .isEqualTo(new ProcessorDefaults(0, 32_767, 32_768, 300_000));
  }

  @Test
  void whatIsTooMuchIsCutWithAWarning() throws Exception {
    assertThat(choose("", "17", "2", 4)).isEqualTo(new StreamCount(32, 16));
    assertThat(log.warnings.removeFirst())
        .contains("NCCL_SOCKET_NTHREADS=17 is too much, using 16");
    assertThat(choose("", "10", "7", 4)).isEqualTo(new StreamCount(60, 10));
    assertThat(log.warnings.removeFirst())
        .contains("NCCL_NSOCKS_PERTHREAD=7 with 10 threads is too much, using 6")
        .contains("at most 64");
    assertThat(choose("", "16", "2147483647", 4)).isEqualTo(new StreamCount(64, 16));
    assertThat(log.warnings).hasSize(1);
  }

  private StreamCount choose(String vendor, String threads, String perThread, int processors)
      throws Exception {
    return choose(vendor, threads, perThread, ProcessorDefaults.with(processors));
  }

  private StreamCount choose(
      String vendor, String threads, String perThread, ProcessorDefaults defaults)
      throws Exception {
    Path device = Files.createDirectories(sysfs.resolve("eth7/device"));
    if (!vendor.isEmpty()) {
      Files.writeString(device.resolve("vendor"), vendor + "\n");
    }
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_NTHREADS", threads);
    values.put("NCCL_NSOCKS_PERTHREAD", perThread);
    return StreamChoice.of(Settings.of(values), defaults, sysfs.resolve("eth7"), log);
  }
}
