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
    String name = text("hostname");
    String boot = boot();
    return name == null || boot == null ? null : (name + "/" + boot).replaceAll("\\s", "_");
  }

  /**
   * Returns the id of the host's boot, the same in all processes of the host, containers included;
   * null where the system has none.
   */
  public static @Nullable String boot() {
    return text("random/boot_id");
  }

  private static @Nullable String text(String name) {
    try {
      return Files.readString(Path.of("/proc/sys/kernel", name)).strip();
    } catch (IOException e) {
      return null;
    }
  }
}
