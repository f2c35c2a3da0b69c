// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ShellWord;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user's configuration files and directories of plugins. */
final class SetupChecks {
  private static final String SYSTEM_FILE = "/etc/nccl.conf";
  private static final String HOME_FILE = "~/.nccl.conf";
  private static final String PLUGIN_PATH = "plugin path";

  private SetupChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(SYSTEM_FILE, () -> List.of(file(SYSTEM_FILE, SYSTEM_FILE, null))));
    found.addAll(DoctorCheck.run(HOME_FILE, () -> List.of(ofUser(host))));
    String path = host.settings().get(CoreVariables.PLUGIN_PATH);
    if (path.isEmpty()) {
      found.add(DoctorFinding.note(PLUGIN_PATH, CoreVariables.PLUGIN_PATH + " is not set"));
    }
    for (String entry : path.split(File.pathSeparator, -1)) {
      if (!entry.isBlank()) {
        found.addAll(DoctorCheck.run(PLUGIN_PATH, () -> List.of(entry(entry.strip()))));
      }
    }
    return found;
  }

  /** The file that a variable names is read instead of the one in the home directory. */
  static DoctorFinding ofUser(ExaminedHost host) {
    String variable = CoreVariables.CONF_FILE.name();
    String named = host.environment().getOrDefault(variable, "").strip();
    if (named.isEmpty()) {
      String home = Path.of(System.getProperty("user.home", ""), ".nccl.conf").toString();
      return file(HOME_FILE, home, ownAgain(home));
    }
    String mistake = host.settings().mistake(CoreVariables.CONF_FILE);
    return mistake == null
        ? DoctorFinding.ok(variable, named + ": read")
        : DoctorFinding.problem(
            variable,
            mistake,
            ErrorText.of("It is read instead of %s, and no job starts without it.", HOME_FILE),
            host.unset(CoreVariables.CONF_FILE));
  }

  /** Opens a file to its owner alone, since there may be a secret in it. */
  static String ownAgain(String file) {
    String word = ShellWord.quoted(file);
    return ErrorText.of(
        "chmod u+r %s # if it is another user's: sudo chown \"$USER\" %s", word, word);
  }

  /**
   * Judges a configuration file that may be absent.
   *
   * @param mend the command for a file that cannot be read; null for none
   */
  static DoctorFinding file(String name, String place, @Nullable String mend) {
    Path file = Path.of(place);
    if (!Files.exists(file)) {
      return DoctorFinding.note(name, "absent");
    }
    return Files.isReadable(file)
        ? DoctorFinding.ok(name, "read")
        : DoctorFinding.warning(
            name,
            "not readable",
            ErrorText.of(
                "What it sets does not count. It may hold a secret (%s), so do not open it to all.",
                CoreVariables.COMM_SECRET),
            mend);
  }

  /** Judges an entry, which is a jar, a native library, or a directory of jars or classes. */
  static DoctorFinding entry(String name) throws IOException {
    Path entry;
    try {
      entry = Path.of(name);
    } catch (InvalidPathException e) {
      return DoctorFinding.warning(
          PLUGIN_PATH,
          ErrorText.of("%s: not a path: %s", name, e.getMessage()),
          "No plugin comes from there.",
          null);
    }
    if (!Files.exists(entry)) {
      return DoctorFinding.warning(
          PLUGIN_PATH, name + ": no such file or directory", "No plugin comes from there.", null);
    }
    if (!Files.isDirectory(entry)) {
      return DoctorFinding.ok(PLUGIN_PATH, name + ": a file");
    }
    try (Stream<Path> files = Files.list(entry)) {
      long count = files.filter(file -> file.toString().endsWith(".jar")).count();
      return DoctorFinding.ok(
          PLUGIN_PATH,
          count == 0
              ? name + ": a directory" // of classes, or with plugins in directories of their own
              : ErrorText.of("%s: %d %s", name, count, count == 1 ? "jar" : "jars"));
    } catch (IOException e) {
      throw new IOException(ErrorText.of("cannot list %s: %s", name, ErrorText.reason(e)), e);
    }
  }
}
