// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Devices;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the kind of device that {@code --device} names. */
public final class PerfDeviceChoice {
  private static final String VARIABLE = "NITINOL_DEVICE";

  /** The words of core for the same choice, and where it was found. */
  private static final Pattern ASKED = Pattern.compile("^" + VARIABLE + "=\\S+( \\([^)]*\\))?");

  private PerfDeviceChoice() {}

  /**
   * Returns the provider, which has a device.
   *
   * @throws CommandFailure with {@link ExitStatus#USAGE} where there is none of that name, or it
   *     cannot work here; the message lists those that were found
   */
  public static DeviceProvider named(String name) {
    Settings settings = Settings.of(Map.of(VARIABLE, name)); // the plugins are the process's
    Log silent = new Log(Settings.of(Map.of(CoreVariables.DEBUG.name(), "NONE")));
    try {
      return Devices.provider(CommConfig.standard().withSettings(settings).withLogger(silent));
    } catch (CommException e) {
      String option = Matcher.quoteReplacement("--device " + name);
      String message = ASKED.matcher(String.valueOf(e.getMessage())).replaceFirst(option);
      throw CommandFailure.usage(message);
    }
  }
}
