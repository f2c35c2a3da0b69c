// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.config.Settings;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No old content is lost to a full disk, whichever way a file has to be written. */
class FullDiskTest {
  /** Room for twelve pages and as many names, of which a file is mounted on itself. */
  private static final String MOUNT =
      "mount -t tmpfs -o mode=700,size=48k,nr_inodes=12 tmpfs \"$0\" && touch \"$0/mounted\""
          + " && mount --bind \"$0/mounted\" \"$0/mounted\" && echo ready && exec \"$@\" \"$0\"";

  @Test
  void theOldContentStaysOrTheNewIsWhole(@TempDir Path temp) throws Exception {
    List<String> lines = lines(temp.toRealPath());
    assertThat(lines)
        .containsExactly(
            "ready",
            "one name, longer: No space left on device, old",
            "two names, longer: No space left on device, old",
            "two names, longer, some room: No space left on device, old",
            "two names, shorter: written, new",
            "two names, longer, enough room: written, new",
            "mounted, as much room as its copy takes: written, new",
            "mounted, no room for a copy: No space left on device, old",
            "one name, no name left for a copy: No space left on device, old",
            "done");
  }

  private static List<String> lines(Path directory) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "unshare",
            "-r",
            "-m",
            "sh",
            "-c",
            MOUNT,
            directory.toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-cp",
            String.join(
                File.pathSeparator,
                location(Settings.class),
                location(OutputFile.class),
                Path.of("target", "test-classes").toAbsolutePath().toString()),
            FullDisk.class.getName());
    Process process;
    try {
      process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      assumeTrue(false, "skipped: no small file system of this user's own: " + e.getMessage());
      throw e;
    }
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    int status = process.waitFor();
    assumeTrue(
        lines.contains("ready"),
        "skipped: this user may not mount a small file system (unshare -r -m, mount)");
    assertThat(status).as("%s", lines).isZero();
    return lines;
  }

  private static String location(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
