// SPDX-License-Identifier: Apache-2.0

/** Nitinol's log in System.Logger and SLF4J. */
module io.nitinol.samples.logbridge {
  requires io.nitinol.spi;
  requires static org.jspecify;
  requires static org.slf4j; // an application that logs by it has it

  provides io.nitinol.spi.log.v1.LogSink with
      io.nitinol.samples.logbridge.SystemLoggerSink,
      io.nitinol.samples.logbridge.Slf4jSink;
}
