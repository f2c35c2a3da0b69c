// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.guest.Guest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The two devices of the RDMA guest, which a cable of its kernel connects. */
final class ChaosIbDevices {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  /** The end of the cable that the first device is on. */
  private static final String CABLE = "veth0";

  private static final int ACTIVE_SECONDS = 60;

  private ChaosIbDevices() {}

  /** Returns whether this machine is the guest. */
  static boolean areHere() {
    return Guest.DEVICES.stream().allMatch(name -> Files.exists(DEVICES.resolve(name)));
  }

  /** Returns the device of a rank: ranks of one half and of the other are on different ones. */
  static String of(boolean isNear) {
    return Guest.DEVICES.get(isNear ? 0 : 1);
  }

  /** Pulls the cable out, or puts it in again and waits until both devices can be used. */
  static void cable(boolean in) throws IOException, InterruptedException {
    List<String> command = List.of("ip", "link", "set", CABLE, in ? "up" : "down");
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + status);
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ACTIVE_SECONDS);
    while (in && !Guest.DEVICES.stream().allMatch(ChaosIbDevices::isActive)) {
      if (System.nanoTime() - deadline >= 0) {
        throw new IOException("a device is not active again in " + ACTIVE_SECONDS + " s");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static boolean isActive(String device) {
    try {
      return Files.readString(DEVICES.resolve(device).resolve("ports/1/state")).contains("ACTIVE");
    } catch (IOException e) {
      return false;
    }
  }
}
