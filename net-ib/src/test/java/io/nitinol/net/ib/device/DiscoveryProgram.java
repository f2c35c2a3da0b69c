// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.RecordingLog;

/** Prints what is found, in a process that may less than the test. */
final class DiscoveryProgram {
  private DiscoveryProgram() {}

  public static void main(String[] arguments) {
    RecordingLog log = new RecordingLog();
    System.out.println(
        IbDeviceDiscovery.find(new Object(), IbOptions.read(Settings.process()), log).reason());
    log.warnings.forEach(System.out::println);
  }
}
