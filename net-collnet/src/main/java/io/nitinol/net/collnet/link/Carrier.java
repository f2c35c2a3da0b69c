// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The network plugin that carries the groups' data: an instance of its own, found by its name among
 * the version 12 plugins of this program, and one context of it. Safe for any thread.
 */
public final class Carrier implements AutoCloseable {
  private final Net net;
  private final NetContext context;
  private final List<Integer> devices;

  private Carrier(Net net, NetContext context, List<Integer> devices) {
    this.net = net;
    this.context = context;
    this.devices = devices;
  }

  /**
   * Finds and starts a network plugin.
   *
   * @param name its name, in any case
   * @param commId the communicator's number; 0 for a switch
   * @param logger where the plugin writes its log
   * @return the carrier, until {@link #close}
   * @throws NetException with INVALID_USAGE when there is none of this name, naming those there
   *     are, or what its start throws
   */
  public static Carrier open(String name, long commId, DebugLogger logger) {
    return open(find(name), commId, logger);
  }

  /**
   * Starts a network plugin, or opens one more context of it.
   *
   * @param net the plugin
   * @param commId the communicator's number; 0 for a switch
   * @param logger where the plugin writes its log
   * @return the carrier, until {@link #close}
   */
  public static Carrier open(Net net, long commId, DebugLogger logger) {
    NetContext context = net.init(commId, NetCommConfig.DEFAULT, logger, null);
    List<Integer> devices = new ArrayList<>();
    try {
      for (int i = 0, n = net.devices(); i < n; i++) {
        if ((net.getProperties(i).ptrSupport() & PointerType.HOST.mask()) != 0) {
          devices.add(i);
        }
      }
    } catch (NetException e) {
      net.finalizeContext(context);
      throw e;
    }
    return new Carrier(net, context, List.copyOf(devices));
  }

  /**
   * Finds a network plugin.
   *
   * @param name its name, in any case
   * @return a new instance, not started
   * @throws NetException with INVALID_USAGE when there is none of this name
   */
  public static Net find(String name) {
    List<String> there = new ArrayList<>();
    List<ClassLoader> loaders = new ArrayList<>();
    loaders.add(Carrier.class.getClassLoader());
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null && !context.equals(Carrier.class.getClassLoader())) {
      loaders.add(context); // where this plugin came from a directory, the networks are here
    }
    for (ClassLoader loader : loaders) {
      for (ServiceLoader.Provider<Net> each : providers(loader)) {
        Net net = each.get();
        if (net.name().equalsIgnoreCase(name)) {
          return net;
        }
        if (!there.contains(net.name())) {
          there.add(net.name());
        }
      }
    }
    throw new NetException(
        ResultCode.INVALID_USAGE,
        "NITINOL_COLLNET_NET, or nitinol switch --net: there is no network plugin "
            + name
            + " of version 12 to carry the switch's data; there are: "
            + (there.isEmpty() ? "none" : String.join(", ", there)));
  }

  private static List<ServiceLoader.Provider<Net>> providers(@Nullable ClassLoader loader) {
    try {
      return ServiceLoader.load(Net.class, loader).stream().toList();
    } catch (ServiceConfigurationError e) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "the network plugins cannot be listed: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the plugin.
   *
   * @return the instance, started
   */
  public Net net() {
    return net;
  }

  /**
   * Returns the context.
   *
   * @return the context to listen and connect in
   */
  public NetContext context() {
    return context;
  }

  /**
   * Returns the devices that move host memory.
   *
   * @return their numbers in the plugin
   */
  public List<Integer> devices() {
    return devices;
  }

  /**
   * Returns the device for a connection of which one's own address is known: the one that is named
   * like the network interface with this address, else the {@code hint}, else the first.
   *
   * @param local this side's address; null: not known
   * @param hint the number among {@link #devices} to take otherwise, from 0
   * @return the device's number in the plugin
   * @throws NetException with INVALID_USAGE when there is no device
   */
  public int deviceAt(@Nullable InetAddress local, int hint) {
    if (devices.isEmpty()) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "NITINOL_COLLNET_NET: " + net.name() + " has no devices");
    }
    String name = interfaceOf(local);
    for (int device : devices) {
      if (net.getProperties(device).name().equals(name)) {
        return device;
      }
    }
    return devices.get(hint >= 0 && hint < devices.size() ? hint : 0);
  }

  /**
   * Returns the properties of a device.
   *
   * @param device its number in the plugin
   * @return what the plugin says of it
   */
  public NetProperties properties(int device) {
    return net.getProperties(device);
  }

  private static @Nullable String interfaceOf(@Nullable InetAddress local) {
    if (local == null || local.isAnyLocalAddress()) {
      return null;
    }
    try {
      NetworkInterface found = NetworkInterface.getByInetAddress(local);
      return found == null ? null : found.getName();
    } catch (SocketException e) {
      return null; // the interfaces cannot be listed: the hint counts
    }
  }

  /** Ends the context; comms and listeners in it are closed by then. */
  @Override
  public void close() {
    net.finalizeContext(context);
  }
}
