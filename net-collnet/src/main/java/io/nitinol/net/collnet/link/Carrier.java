// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network plugin that carries the groups' data: an instance of its own, found by its name among
 * those of this program, and one context of it. Safe for any thread.
 */
public final class Carrier implements AutoCloseable {
  /** A segment and the little that may come with it, in one message. */
  private static final long LEAST_MESSAGE_BYTES = 2L * Segments.MOST_BYTES;

  private final FoundNet found;
  private final NetContext context;
  private final List<Integer> devices;
  private final String others;
  private final DebugLogger logger;
  private int guests; // guarded by this; and whether it is closed
  private boolean closed;

  private Carrier(
      FoundNet found,
      NetContext context,
      List<Integer> devices,
      String others,
      DebugLogger logger) {
    this.found = found;
    this.context = context;
    this.devices = devices;
    this.others = others;
    this.logger = logger;
  }

  /**
   * Finds and starts a network plugin.
   *
   * @param name its name, in any case
   * @param commId the communicator's number; 0 for a switch
   * @param logger where the plugin writes its log
   * @return the carrier, until {@link #close}
   * @throws NetException with INVALID_USAGE when there is none of this name, naming those there
   *     are; or what its start throws
   */
  public static Carrier open(String name, long commId, DebugLogger logger) {
    return open(NetSearch.find(name), commId, logger);
  }

  /**
   * Starts a network plugin, or opens one more context of it.
   *
   * @param found the plugin; its contexts are opened and closed one at a time
   * @param commId the communicator's number; 0 for a switch
   * @param logger where the plugin writes its log
   * @return the carrier, until {@link #close}
   * @throws NetException that names the plugin, when it cannot be started or asked for its devices
   */
  public static Carrier open(FoundNet found, long commId, DebugLogger logger) {
    Net net = found.net();
    NetContext context = null;
    List<Integer> devices = new ArrayList<>();
    StringJoiner others = new StringJoiner(", ");
    try {
      context =
          inItsWorld(
              found,
              () -> {
                synchronized (net) { // init comes one at a time (NET-INIT-01)
                  return net.init(commId, NetCommConfig.DEFAULT, logger, null);
                }
              });
      if (context == null) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "init returned no context");
      }
      for (int i = 0, n = net.devices(); i < n; i++) {
        NetProperties device = net.getProperties(i);
        String why = whyNot(device);
        if (why == null) {
          devices.add(i);
        } else {
          others.add(why);
        }
      }
    } catch (RuntimeException | LinkageError e) {
      NetException failure = failure(found, e);
      if (context != null) {
        try {
          finish(found, context);
        } catch (RuntimeException | LinkageError unfinished) {
          failure.addSuppressed(unfinished);
        }
      }
      throw failure;
    }
    return new Carrier(found, context, List.copyOf(devices), others.toString(), logger);
  }

  /** Returns why a device carries nothing here; null: it does. */
  private static @Nullable String whyNot(@Nullable NetProperties device) {
    if (device == null) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "getProperties returned null");
    }
    if (!PointerType.HOST.in(device.ptrSupport())) {
      return device.name() + " (takes no host memory: ptrSupport " + device.ptrSupport() + ")";
    }
    if (device.netDeviceType() != NetDeviceType.HOST) {
      return device.name() + " (is not driven by the host: " + device.netDeviceType() + ")";
    }
    if (device.maxP2pBytes() < LEAST_MESSAGE_BYTES) {
      return ErrorText.of(
          "%s (maxP2pBytes is %d, expected at least %d)",
          device.name(), device.maxP2pBytes(), LEAST_MESSAGE_BYTES);
    }
    return null;
  }

  private static NetException failure(FoundNet found, Throwable cause) {
    return new NetException(
        cause instanceof NetException e ? e.result() : ResultCode.INTERNAL_ERROR,
        called(found) + " cannot be started: " + said(cause),
        cause);
  }

  private static String said(Throwable cause) {
    return cause instanceof NetException ? String.valueOf(cause.getMessage()) : cause.toString();
  }

  private static String called(FoundNet found) {
    return "the network plugin " + found + " for the switch's data (NITINOL_COLLNET_NET, --net)";
  }

  /** Calls into a plugin as it expects it, with its own loader as the thread's. */
  private static <T extends @Nullable Object> T inItsWorld(FoundNet found, Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader callers = thread.getContextClassLoader();
    thread.setContextClassLoader(found.loader());
    try {
      return call.get();
    } finally {
      thread.setContextClassLoader(callers);
    }
  }

  private static void finish(FoundNet found, NetContext context) {
    inItsWorld(
        found,
        () -> {
          synchronized (found.net()) { // as init (NET-INIT-01)
            found.net().finalizeContext(context);
          }
          return null;
        });
  }

  /**
   * Returns the plugin.
   *
   * @return the instance, started
   */
  public Net net() {
    return found.net();
  }

  /**
   * Returns whether connect and accept may wait for the peer.
   *
   * @return true of version 4
   */
  boolean mayWait() {
    return found.mayWait();
  }

  DebugLogger logger() {
    return logger;
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
   * Returns the devices that can carry data: they move host memory, in messages as long as a
   * segment.
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
      throw new NetException(ResultCode.INVALID_USAGE, whyNone());
    }
    String name = interfaceOf(local);
    for (int device : devices) {
      if (net().getProperties(device).name().equals(name)) {
        return device;
      }
    }
    return devices.get(hint >= 0 && hint < devices.size() ? hint : 0);
  }

  /**
   * Says that there is no device to carry data by, and why.
   *
   * @return a sentence
   */
  public String whyNone() {
    return called(found)
        + " has no device"
        + (others.isEmpty() ? "" : " that can be used: " + others);
  }

  /**
   * Returns the properties of a device.
   *
   * @param device its number in the plugin
   * @return what the plugin says of it
   */
  public NetProperties properties(int device) {
    return net().getProperties(device);
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

  /** Takes note of a thread inside the plugin, which leaves by {@link #leave}. */
  synchronized void enter() {
    guests++;
  }

  /** The last one ends the context, if that was to be ended meanwhile. */
  void leave() {
    synchronized (this) {
      guests--;
      if (guests > 0 || !closed) {
        return;
      }
    }
    finish(found, context);
  }

  /**
   * Ends the context; comms and listeners in it are closed by then. Where a thread still waits in
   * the plugin for a peer that nobody waits for any more, that thread does it.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (guests > 0) {
        return;
      }
    }
    finish(found, context);
  }

  @Override
  public String toString() {
    return found.toString();
  }
}
