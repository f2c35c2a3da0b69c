// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.nitinol.net.nativeabi.ffi.PropertiesLayout;
import io.nitinol.net.nativeabi.ffi.PropertyField;
import io.nitinol.net.nativeabi.ffi.VirtualDeviceLayout;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a native plugin, network or collective.
 *
 * @param <F> the functions of its struct
 */
final class NativeDevices<F extends Enum<F>> {
  /** More than that is not a number of network cards. */
  private static final int MAX_DEVICES = 4096;

  private final NativePlugin<F> plugin;
  private final F devices;
  private final F getProperties;
  private final @Nullable F pciPath;
  private final @Nullable F ptrSupport;
  private final F makeVDevice;
  private final List<F> required;
  private final PropertyField limit;
  private final ToLongFunction<NetProperties> longest;
  private final Map<Integer, DeviceFacts> facts = new ConcurrentHashMap<>();
  private volatile int count = -1;

  /**
   * Creates the devices of {@code plugin}, without a call.
   *
   * @param pciPath the functions by which a struct without properties is asked; null elsewhere
   * @param required what a plugin with devices must have
   * @param limit the field that says how many bytes one operation may have
   * @param longest finds out how many that are
   */
  NativeDevices(
      NativePlugin<F> plugin,
      F devices,
      F getProperties,
      @Nullable F pciPath,
      @Nullable F ptrSupport,
      F makeVDevice,
      List<F> required,
      PropertyField limit,
      ToLongFunction<NetProperties> longest) {
    this.plugin = plugin;
    this.devices = devices;
    this.getProperties = getProperties;
    this.pciPath = pciPath;
    this.ptrSupport = ptrSupport;
    this.makeVDevice = makeVDevice;
    this.required = required;
    this.limit = limit;
    this.longest = longest;
  }

  /** Returns the number of devices; a plugin that has some must have all functions, too. */
  int count() {
    if (!plugin.has(devices)) {
      plugin.requireCode(List.of(devices));
    }
    int found;
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Integer.BYTES);
      plugin.check(NativeCalls.p(plugin.function(devices), out.address()), devices, "");
      plugin.requireIntact(out, devices, "", "the number");
      found = out.bytes().get(JAVA_INT, 0);
    }
    if (found < 0 || found > MAX_DEVICES) {
      throw plugin.defect(devices, "", "says that there are " + found);
    }
    if (found > 0 && count < 0) {
      plugin.requireCode(required);
    }
    count = found;
    return found;
  }

  /** Returns what a device is; fields that the struct lacks as NCCL takes them to be. */
  NetProperties properties(int device) {
    require(device);
    if (pciPath != null && ptrSupport != null) {
      return asked(device, pciPath, ptrSupport);
    }
    PropertiesLayout layout = PropertiesLayout.of(plugin.table().version());
    String where = " on device " + device;
    NetProperties properties;
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory struct = new GuardedMemory(arena, layout.byteSize());
      plugin.check(
          NativeCalls.ip(plugin.function(getProperties), device, struct.address()),
          getProperties,
          where);
      plugin.requireIntact(struct, getProperties, where, "the properties");
      properties = new PropertiesReader(layout, struct.bytes(), device, limit).read();
    } catch (PropertiesReader.Unusable e) {
      throw plugin.defect(
          getProperties, where, "gives properties that cannot be: " + e.getMessage());
    }
    return properties;
  }

  /** Returns what the calls on a device's comms depend on. */
  DeviceFacts facts(int device) {
    DeviceFacts known = facts.get(device);
    if (known == null) {
      NetProperties properties = properties(device);
      known =
          new DeviceFacts(
              device,
              properties.name(),
              properties.ptrSupport(),
              properties.maxRecvs(),
              properties.regIsGlobal(),
              longest.applyAsLong(properties));
      facts.put(device, known);
    }
    return known;
  }

  /** Makes several devices one; returns its number. */
  int makeVDevice(VirtualDevice parts) {
    int version = plugin.table().version();
    if (!plugin.has(makeVDevice)) {
      throw new NetException(
          ResultCode.INVALID_USAGE, plugin + " does not make several devices one");
    }
    if (parts.devices().size() > VirtualDeviceLayout.maxDevices(version)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "a virtual device of version %s has at most %s devices, asked for was %s",
              version, VirtualDeviceLayout.maxDevices(version), parts.devices()));
    }
    parts.devices().forEach(this::require);
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory made = new GuardedMemory(arena, Integer.BYTES);
      GuardedMemory struct = new GuardedMemory(arena, VirtualDeviceLayout.byteSize(version));
      made.bytes().set(JAVA_INT, 0, -1);
      struct.bytes().set(JAVA_INT, VirtualDeviceLayout.NDEVS, parts.devices().size());
      for (int i = 0; i < parts.devices().size(); i++) {
        struct
            .bytes()
            .set(
                JAVA_INT,
                VirtualDeviceLayout.DEVS + (long) i * Integer.BYTES,
                parts.devices().get(i));
      }
      String where = " of devices " + parts.devices();
      plugin.check(
          NativeCalls.pp(plugin.function(makeVDevice), made.address(), struct.address()),
          makeVDevice,
          where);
      plugin.requireIntact(made, makeVDevice, where, "the number");
      plugin.requireIntact(struct, makeVDevice, where, "the device's parts");
      int number = made.bytes().get(JAVA_INT, 0);
      int now = count();
      if (number < 0 || number >= now) {
        throw plugin.defect(
            makeVDevice, where, "made device " + number + ", and there are " + now + " in all");
      }
      return number;
    }
  }

  /** Refuses the number of a device that is not there. */
  void require(int device) {
    int there = count < 0 ? count() : count;
    if (device < 0 || device >= there) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "device " + device + " of " + plugin + ": there are " + there);
    }
  }

  /** Version 2 has no struct: what it does not tell is as in NCCL of its time. */
  private NetProperties asked(int device, F path, F types) {
    String where = " on device " + device;
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory text = new GuardedMemory(arena, ADDRESS.byteSize());
      plugin.check(NativeCalls.ip(plugin.function(path), device, text.address()), path, where);
      plugin.requireIntact(text, path, where, "the pointer");
      MemorySegment address = text.bytes().get(ADDRESS, 0);
      String pci = null;
      if (address.address() != 0) {
        pci = MemoryMap.now().text(address.address(), PropertiesReader.MAX_TEXT);
        if (pci == null) {
          throw plugin.defect(path, where, "gives a pointer that is no text");
        }
      }
      GuardedMemory mask = new GuardedMemory(arena, Integer.BYTES);
      plugin.check(NativeCalls.ip(plugin.function(types), device, mask.address()), types, where);
      plugin.requireIntact(mask, types, where, "the types");
      return PropertiesReader.old(
          plugin.name() + device, pci, mask.bytes().get(JAVA_INT, 0), device);
    }
  }
}
