// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.recording;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank of a communicator moves to a file, a JSON object to a line. A file that
 * cannot be written any more is given up with a warning; the run goes on.
 */
@AnyThread
public final class TransferLog implements TransferRecorder, AutoCloseable {
  /** How many communicators of one rank may have a file of the same name, with a number behind. */
  private static final int MOST_FILES = 1000;

  private final Path file;
  private final DebugLogger logger;
  private final StringBuilder line = new StringBuilder();
  private @Nullable Writer out;

  private TransferLog(Path file, Writer out, DebugLogger logger) {
    this.file = file;
    this.out = out;
    this.logger = logger;
  }

  /**
   * Creates the file of one rank, if {@code NITINOL_TRANSFER_LOG} names one.
   *
   * @return null where the variable is not set, or, with a warning, where there can be no file
   */
  public static @Nullable TransferLog open(Settings settings, int rank, DebugLogger logger) {
    String named = settings.get(CoreVariables.TRANSFER_LOG);
    if (named.isEmpty()) {
      return null;
    }
    String text =
        named.contains("%r") ? named.replace("%r", Integer.toString(rank)) : named + "." + rank;
    try {
      for (int number = 1; number <= MOST_FILES; number++) {
        Path path = Path.of(number == 1 ? text : text + "-" + number);
        try {
          BufferedWriter out =
              Files.newBufferedWriter(
                  path,
                  StandardCharsets.US_ASCII,
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE);
          return new TransferLog(path, out, logger);
        } catch (FileAlreadyExistsException e) {
          if (number == MOST_FILES) {
            throw e;
          }
        }
      }
    } catch (IOException | InvalidPathException e) {
      logger.warn(
          "recording",
          ErrorText.of(
              "NITINOL_TRANSFER_LOG=%s: %s cannot be created: %s",
              named, text, ErrorText.reason(e)));
    }
    return null;
  }

  @Override
  public synchronized void record(Transfer transfer) {
    Writer to = out;
    if (to == null) {
      return;
    }
    line.setLength(0);
    line.append('{');
    TransferText.json(transfer, line);
    line.append("}\n");
    try {
      to.append(line);
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private void giveUp(IOException why) {
    out = null;
    logger.warn(
        "recording",
        ErrorText.of("%s cannot be written any more: %s", file, ErrorText.reason(why)));
  }

  /** Writes what is left and closes the file. */
  @Override
  public synchronized void close() {
    Writer to = out;
    out = null;
    if (to != null) {
      try {
        to.close();
      } catch (IOException e) {
        giveUp(e);
      }
    }
  }
}
