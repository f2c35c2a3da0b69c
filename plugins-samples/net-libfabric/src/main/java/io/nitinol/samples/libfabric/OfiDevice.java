// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Domain;
import io.nitinol.samples.libfabric.fabric.FabricInfo;
import io.nitinol.samples.libfabric.fabric.RegionCache;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A device of the plugin: one domain of the provider, opened when the first comm needs it. */
@AnyThread
final class OfiDevice {
  /** How many comms can exist at once: each has an endpoint, with descriptors of its own. */
  private static final int MAX_COMMS = 128;

  private static final long LONGEST = 1L << 30;
  private static final int UNKNOWN_SPEED = 10_000;
  private static final long MEGA = 1_000_000;

  private final Object plugin;
  private final int index;
  private final FabricInfo info;
  private final boolean registers;
  private final long longest;
  private final NetProperties properties;
  private @Nullable Domain domain;
  private @Nullable RegionCache cache;

  /**
   * Makes a device; opens nothing.
   *
   * @param plugin whose device it is
   * @param index its number
   * @param info what libfabric offers
   * @param register whether memory is registered in any case
   */
  OfiDevice(Object plugin, int index, FabricInfo info, boolean register) {
    this.plugin = plugin;
    this.index = index;
    this.info = info;
    this.registers = register || info.needsLocal();
    this.longest = Math.min(info.longestMessage(), LONGEST);
    this.properties =
        new NetProperties(
            info.domain(),
            pciPath(info.domain()),
            index,
            PointerType.HOST.mask(),
            false,
            false,
            speed(info.speed() / MEGA),
            0,
            0f,
            MAX_COMMS,
            OfiCommEnd.PIECES,
            NetDeviceType.HOST,
            0,
            VirtualDevice.physical(index),
            longest,
            longest,
            1,
            NetProperties.ID_UNDEFINED,
            NetProperties.ID_UNDEFINED);
  }

  private static int speed(long megabits) {
    return megabits <= 0 ? UNKNOWN_SPEED : Math.clamp(megabits, 1, Integer.MAX_VALUE);
  }

  private static @Nullable String pciPath(String domain) {
    for (String kind : List.of("net", "infiniband")) {
      Path device = Path.of("/sys/class", kind, domain.replace("/", "_"), "device");
      if (Files.exists(device)) {
        try {
          return device.toRealPath().toString();
        } catch (IOException e) {
          return null; // it has just gone
        }
      }
    }
    return null;
  }

  /** Returns whether it is a device of {@code other}. */
  @SuppressWarnings("ReferenceEquality") // asked for each call, and each is made once
  boolean isOf(Object other) {
    return plugin == other;
  }

  int index() {
    return index;
  }

  FabricInfo info() {
    return info;
  }

  String label() {
    return "device " + index + " (" + info.label() + ")";
  }

  long longestMessage() {
    return longest;
  }

  NetProperties properties() {
    return properties;
  }

  /**
   * Returns the domain, which stays open for the process.
   *
   * @throws io.nitinol.spi.NetException SYSTEM_ERROR where libfabric refuses; tried again next time
   */
  synchronized Domain domain() {
    Domain open = domain;
    if (open == null) {
      open = Domain.open(info);
      cache = registers ? new RegionCache(open) : null;
      domain = open;
    }
    return open;
  }

  /** Returns the registrations of the domain; null where the provider needs none. */
  synchronized @Nullable RegionCache cache() {
    return cache;
  }
}
