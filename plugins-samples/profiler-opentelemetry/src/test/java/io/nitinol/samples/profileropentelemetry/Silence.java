// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;

/** A log that nobody reads. */
final class Silence implements DebugLogger {
  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return false;
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {}
}
