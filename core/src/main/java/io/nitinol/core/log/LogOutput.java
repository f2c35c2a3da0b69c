// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where log lines go: each in one write, whole. */
final class LogOutput {
  private static final String HOST = hostName();
  private static final Pattern PLACEHOLDER = Pattern.compile("%[hp%]");

  /** What every line begins with. */
  static final String HOST_AND_PID = HOST + ":" + ProcessHandle.current().pid();

  private final OutputStream standard;
  private @Nullable OutputStream file;

  LogOutput(OutputStream standard) {
    this.standard = standard;
  }

  /** Replaces %h, %p and %% in a file name. */
  static String expand(String name) {
    return PLACEHOLDER
        .matcher(name)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                switch (found.group()) {
                  case "%h" -> HOST;
                  case "%p" -> String.valueOf(ProcessHandle.current().pid());
                  default -> "%";
                }));
  }

  /** Sends what follows to the end of {@code path}. */
  synchronized void open(Path path) throws IOException {
    file = OutputFile.append(path);
  }

  synchronized void write(byte[] line) {
    OutputStream to = file;
    if (to != null) {
      try {
        to.write(line);
        return;
      } catch (IOException e) {
        // A full disk must not cost the lines that report what happened, nor stop the thread that
        // logs them.
        file = null;
        writeStandard(
            (HOST_AND_PID
                    + " NCCL WARN the log's file fails, the log goes on here: "
                    + ErrorText.reason(e)
                    + "\n")
                .getBytes(StandardCharsets.UTF_8));
        closeQuietly(to);
      }
    }
    writeStandard(line);
  }

  private void writeStandard(byte[] line) {
    try {
      standard.write(line);
      standard.flush();
    } catch (IOException noOutputIsLeft) {
      return;
    }
  }

  private static void closeQuietly(OutputStream broken) {
    try {
      broken.close();
    } catch (IOException alreadyReported) {
      return;
    }
  }

  /** Returns the host's name up to the first dot, as NCCL prints it, without asking any server. */
  private static String hostName() {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      int dot = name.indexOf('.');
      return dot < 0 ? name : name.substring(0, dot);
    } catch (IOException noProc) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "localhost";
      }
    }
  }
}
