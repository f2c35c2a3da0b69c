// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.logbridge;

import io.nitinol.spi.log.v1.LogLine;
import io.nitinol.spi.log.v1.LogSink;

/** Hands the log to {@link System.Logger}, behind which java.util.logging is or another. */
public final class SystemLoggerSink implements LogSink {

  /** Creates the sink; for ServiceLoader. */
  public SystemLoggerSink() {}

  @Override
  public String name() {
    return "system";
  }

  @Override
  public void write(LogLine line) {
    System.Logger.Level at =
        switch (line.level()) {
          case WARN -> System.Logger.Level.WARNING;
          case TRACE -> System.Logger.Level.TRACE;
          default -> System.Logger.Level.INFO;
        };
    System.getLogger(LoggerName.of(line)).log(at, LoggerName.text(line));
  }
}
