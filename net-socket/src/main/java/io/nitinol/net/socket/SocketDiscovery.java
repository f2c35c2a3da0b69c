// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.config.ProcessorDefaults;
import io.nitinol.net.socket.request.Chunks;
import io.nitinol.net.socket.stream.StreamChoice;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.SocketInterface;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the devices: one per network interface that NCCL's search order yields, at most 16. */
final class SocketDiscovery {
  private static final int MAX_DEVICES = 16;
  private static final int UNKNOWN_SPEED = 10_000;

  /** The speed of loopback, which copies each byte twice, in Mb/s. */
  private static final int LOOPBACK_SPEED = 32_000;

  /** ARPHRD_LOOPBACK of {@code if_arp.h}, as sysfs shows the type of an interface. */
  private static final String LOOPBACK_TYPE = "772";

  private static final int MAX_COMMS = 65_536;

  /** NCCL's value for networks without collective operations. */
  private static final long MAX_COLL_BYTES = 512L << 20;

  /** Where the kernel describes network interfaces. */
  static final Path SYSFS = Path.of("/sys/class/net");

  private SocketDiscovery() {}

  static List<SocketDevice> find(Settings settings, Path sysfs, DebugLogger logger) {
    List<SocketDevice> devices = new ArrayList<>();
    for (SocketInterface found :
        InterfaceSearch.find(settings, rootAddress(settings), MAX_DEVICES)) {
      int index = devices.size();
      devices.add(
          new SocketDevice(
              index,
              found.address(),
              describe(index, found.name(), sysfs),
              StreamChoice.of(
                  settings, ProcessorDefaults.here(), sysfs.resolve(found.name()), logger)));
    }
    return List.copyOf(devices);
  }

  /**
   * Returns the address that NCCL_COMM_ID names, whose subnet NCCL prefers; null where it names
   * none.
   */
  private static @Nullable InetAddress rootAddress(Settings settings) {
    String id = settings.raw("NCCL_COMM_ID");
    int colon = id == null ? -1 : id.lastIndexOf(':');
    if (id == null || colon <= 0) {
      return null;
    }
    String host = id.substring(0, colon);
    try {
      return InetAddress.ofLiteral(
          host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host);
    } catch (IllegalArgumentException e) {
      return null; // a name; only the bootstrap needs to look it up
    }
  }

  static NetProperties describe(int index, String name, Path sysfs) {
    return new NetProperties(
        name,
        pciPath(sysfs.resolve(name)),
        index,
        PointerType.HOST.mask(),
        false,
        false,
        speed(sysfs.resolve(name)),
        0,
        0f,
        MAX_COMMS,
        1,
        NetDeviceType.HOST,
        0,
        VirtualDevice.physical(index),
        Chunks.MOST_BYTES,
        MAX_COLL_BYTES,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }

  /**
   * Reads the speed in Mb/s. Where the kernel does not know it, 10 Gb/s are assumed, as in NCCL;
   * but loopback is faster, and algorithms that are chosen by cost should not take it for a slow
   * wire.
   */
  private static int speed(Path device) {
    try {
      int speed = Integer.parseInt(Files.readString(device.resolve("speed")).strip());
      return speed > 0 ? speed : UNKNOWN_SPEED;
    } catch (IOException | NumberFormatException e) {
      // Virtual interfaces and interfaces that are down have no readable speed.
      return isLoopback(device) ? LOOPBACK_SPEED : UNKNOWN_SPEED;
    }
  }

  private static boolean isLoopback(Path device) {
    try {
      return Files.readString(device.resolve("type")).strip().equals(LOOPBACK_TYPE);
    } catch (IOException e) {
      return false; // without sysfs the type is not known
    }
  }

  private static @Nullable String pciPath(Path device) {
    try {
      return device.resolve("device").toRealPath().toString();
    } catch (IOException e) {
      return null; // a virtual interface has no device behind it
    }
  }
}
