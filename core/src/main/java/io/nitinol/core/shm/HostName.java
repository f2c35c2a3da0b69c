// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Names this host and its boot: two hosts may have one name, and process numbers and the kernel's
 * numbers of their namespaces repeat on other hosts, and after the next boot.
 */
@AnyThread
public final class HostName {
  private HostName() {}

  /**
   * Returns the host's name and the boot's id, with a slash between them and without white space;
   * null where the system has no {@code /proc} as Linux has it.
   */
  public static @Nullable String self() {
    try {
      Path kernel = Path.of("/proc/sys/kernel");
      String text =
          Files.readString(kernel.resolve("hostname")).strip()
              + "/"
              + Files.readString(kernel.resolve("random/boot_id")).strip();
      return text.replaceAll("\\s", "_");
    } catch (IOException e) {
      return null;
    }
  }
}
