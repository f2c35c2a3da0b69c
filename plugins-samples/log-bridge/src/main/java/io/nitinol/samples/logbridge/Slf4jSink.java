// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.logbridge;

import io.nitinol.spi.log.v1.LogLine;
import io.nitinol.spi.log.v1.LogSink;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLoggerFactory;

/** Hands the log to SLF4J, which the application has. */
public final class Slf4jSink implements LogSink {

  /** Creates the sink; for ServiceLoader. SLF4J is first used for a line. */
  public Slf4jSink() {}

  @Override
  public String name() {
    return "slf4j";
  }

  @Override
  public void write(LogLine line) {
    ILoggerFactory loggers = LoggerFactory.getILoggerFactory();
    if (loggers instanceof NOPLoggerFactory) {
      // It would drop every line; thrown, this sends them to standard error.
      throw new IllegalStateException(
          "SLF4J found no provider on the path; expected one, such as logback-classic");
    }
    Level at =
        switch (line.level()) {
          case WARN -> Level.WARN;
          case TRACE -> Level.TRACE;
          default -> Level.INFO;
        };
    loggers.getLogger(LoggerName.of(line)).atLevel(at).log(LoggerName.text(line));
  }
}
