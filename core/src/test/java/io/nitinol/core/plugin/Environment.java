// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.config.Settings;
import java.nio.file.Path;
import java.util.Map;

/** Settings as a process with these environment variables, and no file, would have them. */
final class Environment {
  private Environment() {}

  static Settings of(Map<String, String> variables) {
    return Settings.load(variables, null, Path.of("/nonexistent/nccl.conf"));
  }
}
