// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;

/** Has a setting in a constant. */
@Breaks("SET-08")
public final class ReadsSettingsWhenLoaded extends WrongNet {
  private static final Settings SETTINGS = Settings.process();

  @Override
  public void init(DebugLogger logger) {
    logger.info(LogSubsystem.INIT, "wrong", "settings: " + SETTINGS.names().size());
    net.init(logger);
  }
}
