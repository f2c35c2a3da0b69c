// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.spi.config.Settings;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.CollInstance;
import io.nitinol.tck.session.NetInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Changes the file of settings after the plugin's constructor has run. A process reads the settings
 * once, so their value then shows when they were read.
 */
public final class ReadingSettings {
  /** The variable whose value identifies the state of the file. */
  public static final String PROBE = "NITINOL_TCK_PROBE";

  /** The variable that names the file. */
  public static final String FILE = "NCCL_CONF_FILE";

  /** In the file when the process starts. */
  public static final String EARLY = "before the constructor";

  /** In the file once the constructor has run. */
  public static final String LATER = "after the constructor";

  private ReadingSettings() {}

  static void run(String reference, Lane lane, SoloReport report) throws Throwable {
    PluginUnderTest plugin = PluginUnderTest.ofReference(reference);
    if (lane.kind() == Kind.NET) {
      NetInstance.create(plugin, lane).name();
    } else {
      CollInstance.create(plugin, lane).name();
    }
    rewrite(Path.of(System.getenv(FILE)));
    report.say("read", String.valueOf(Settings.process().raw(PROBE)));
  }

  private static void rewrite(Path file) throws IOException {
    Files.writeString(file, PROBE + "=" + LATER + "\n");
  }
}
