// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.fuzz.ScratchFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Configuration files: the first word on a variable counts, and every other line is reported. */
public final class SettingsTarget implements FuzzTarget {
  private final ScratchFile file = new ScratchFile("conf");

  @Override
  public void run(byte[] input) {
    file.write(input);
    Settings settings =
        Settings.load(
            Map.of("NCCL_CONF_FILE", file.path().toString()),
            null,
            Path.of("/nonexistent/nccl.conf"));
    Map<String, String> expected = new HashMap<>();
    int mistakes = 0;
    for (String line : new String(input, StandardCharsets.UTF_8).lines().toList()) {
      String text = line.strip();
      if (text.isEmpty() || text.charAt(0) == '#') {
        continue;
      }
      int equals = text.indexOf('=');
      if (text.indexOf('\ufffd') >= 0 || equals < 0 || text.substring(0, equals).isBlank()) {
        mistakes++;
      } else if (!text.substring(0, equals).strip().equals("NCCL_CONF_FILE")) {
        expected.putIfAbsent(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
      }
    }
    expected.forEach((name, value) ->
        FuzzTarget.require(value.equals(settings.raw(name)), "another value of " + name));
    FuzzTarget.require(settings.names().size() == expected.size() + 1, "other variables");
    FuzzTarget.require(settings.fileMistakes().size() == mistakes, "other mistakes");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(Settings.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        "# text\nNCCL_NET=Socket\nNCCL_DEBUG = INFO\nx\n".getBytes(StandardCharsets.UTF_8));
  }
}
