// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.HostAndPort;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.SocketInterface;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The trees that this process reaches: one for each switch that is named, or one for each device of
 * the network plugin if none is and ranks are switches themselves.
 */
@AnyThread
final class SwitchDevices {
  /** How many comms a device promises, all groups together (NET-DEV-09). */
  private static final int MAX_COMMS = 1_024;

  /** A device made of several, which reaches the switch of the first of them. */
  private record Made(int carried, VirtualDevice parts) {}

  private final Carrier carrier;
  private final List<HostAndPort> switches;
  private final List<Made> made = new CopyOnWriteArrayList<>();
  private final Settings settings;

  SwitchDevices(Carrier carrier, String switches, Settings settings) {
    this.carrier = carrier;
    this.switches = parse(switches);
    this.settings = settings;
  }

  /** Reads {@code host:port[,host:port]}. */
  static List<HostAndPort> parse(String text) {
    List<HostAndPort> places = new ArrayList<>();
    if (text.isBlank()) {
      return places;
    }
    for (String each : text.split(",", -1)) {
      String one = each.strip();
      try {
        places.add(HostAndPort.parse(one, 1));
      } catch (IllegalArgumentException e) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s=%s: '%s': %s, or several with commas between",
                CollNetVariables.SWITCH, text, one, e.getMessage()));
      }
    }
    return List.copyOf(places);
  }

  int count() {
    int physical = physical();
    return physical == 0 ? 0 : physical + made.size();
  }

  private int physical() {
    int carriers = carrier.devices().size();
    return carriers == 0 || switches.isEmpty() ? carriers : switches.size();
  }

  /** Returns the network plugin's device that carries a tree's data. */
  int carried(int device) {
    check(device);
    int physical = physical();
    return device < physical
        ? carrier.devices().get(device % carrier.devices().size())
        : made.get(device - physical).carried();
  }

  /** Returns where the switch of a tree is; null: ranks are switches themselves. */
  @Nullable InetSocketAddress switchAt(int device) {
    check(device);
    if (switches.isEmpty()) {
      return null;
    }
    HostAndPort place = switches.get(parts(device).devices().getFirst());
    InetSocketAddress address = new InetSocketAddress(place.host(), place.port());
    if (address.isUnresolved()) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "there is no host " + place.host() + " (" + CollNetVariables.SWITCH + ")");
    }
    return address;
  }

  /** Returns the address by which others reach a switch in this process. */
  InetAddress ownAddress(int device) {
    InetAddress named = addressOf(carrier.properties(carried(device)).name());
    if (named != null) {
      return named;
    }
    List<SocketInterface> found = InterfaceSearch.find(settings, null, 1);
    if (found.isEmpty()) {
      throw new NetException(ResultCode.SYSTEM_ERROR, InterfaceSearch.explain(settings));
    }
    return found.getFirst().address();
  }

  /** Returns the address of a network plugin's device that is named like an interface. */
  private @Nullable InetAddress addressOf(String name) {
    Settings only =
        Settings.of(
            Map.of(
                InterfaceSearch.IFNAME.name(),
                "=" + name,
                InterfaceSearch.FAMILY.name(),
                settings.get(InterfaceSearch.FAMILY)));
    List<SocketInterface> found = InterfaceSearch.find(only, null, 1);
    return found.isEmpty() ? null : found.getFirst().address();
  }

  private VirtualDevice parts(int device) {
    int physical = physical();
    return device < physical ? VirtualDevice.physical(device) : made.get(device - physical).parts();
  }

  /** Makes one device of several, if the network plugin does; returns its number (NET-VDEV-*). */
  synchronized int make(@Nullable VirtualDevice parts) {
    if (parts == null || parts.devices().size() > CollNet.MAX_DEVS_PER_NIC) {
      throw SwitchFailures.argument(
          parts + ", expected at most " + CollNet.MAX_DEVS_PER_NIC + " devices");
    }
    List<Integer> carried = new ArrayList<>();
    for (int device : parts.devices()) {
      if (device >= physical()) { // NET-VDEV-02
        throw SwitchFailures.argument("device " + device + ", expected one of " + physical());
      }
      if (!carried.contains(carried(device))) { // two switches may be reached by one device
        carried.add(carried(device));
      }
    }
    int number = count();
    made.add(new Made(carrier.net().makeVDevice(new VirtualDevice(carried)), parts));
    return number;
  }

  private void check(int device) {
    if (device < 0 || device >= count()) { // NET-DEV-03
      throw SwitchFailures.argument("device " + device + ", expected one of " + count());
    }
  }

  /**
   * Returns the properties of a tree, which are those of the device that carries it. The name is
   * the same, too, since NCCL joins a CollNet device with the network device of that name.
   */
  NetProperties properties(int device) {
    NetProperties net = carrier.properties(carried(device));
    return new NetProperties(
        net.name(),
        net.pciPath(),
        net.guid(),
        PointerType.HOST.mask(), // what is small is copied, and where a segment has several pieces
        false, // a registration is for one group's comms
        false,
        net.speed(),
        net.port(),
        net.latency(),
        Math.min(net.maxComms(), MAX_COMMS),
        1,
        NetDeviceType.HOST,
        0,
        parts(device),
        net.maxP2pBytes(),
        Descriptor.MOST_BYTES,
        1,
        net.railId(),
        net.planeId());
  }

  /** Describes a tree for the log. */
  String describe(int device) {
    String net = carrier.net().name() + "/" + carrier.properties(carried(device)).name();
    return "[" + device + "]" + net + (switches.isEmpty() ? "" : " via " + switches.get(device));
  }
}
