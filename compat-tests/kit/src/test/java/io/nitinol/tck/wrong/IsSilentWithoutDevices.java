// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;

/** Finds no device and tells nobody what it looked for. */
@Breaks("NET-INIT-03")
public final class IsSilentWithoutDevices extends WrongNet {
  private static final DebugLogger NOWHERE =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return false;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {}
      };

  @Override
  public void init(DebugLogger logger) {
    net.init(NOWHERE);
  }

  @Override
  public int devices() {
    return 0;
  }
}
