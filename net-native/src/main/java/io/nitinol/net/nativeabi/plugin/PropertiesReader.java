// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.ffi.PropertyField.FORCE_FLUSH;
import static io.nitinol.net.nativeabi.ffi.PropertyField.GUID;
import static io.nitinol.net.nativeabi.ffi.PropertyField.LATENCY;
import static io.nitinol.net.nativeabi.ffi.PropertyField.MAX_COLL_BYTES;
import static io.nitinol.net.nativeabi.ffi.PropertyField.MAX_COMMS;
import static io.nitinol.net.nativeabi.ffi.PropertyField.MAX_MULTI_REQUEST_SIZE;
import static io.nitinol.net.nativeabi.ffi.PropertyField.MAX_P2P_BYTES;
import static io.nitinol.net.nativeabi.ffi.PropertyField.MAX_RECVS;
import static io.nitinol.net.nativeabi.ffi.PropertyField.NAME;
import static io.nitinol.net.nativeabi.ffi.PropertyField.NET_DEVICE_TYPE;
import static io.nitinol.net.nativeabi.ffi.PropertyField.NET_DEVICE_VERSION;
import static io.nitinol.net.nativeabi.ffi.PropertyField.PCI_PATH;
import static io.nitinol.net.nativeabi.ffi.PropertyField.PLANE_ID;
import static io.nitinol.net.nativeabi.ffi.PropertyField.PORT;
import static io.nitinol.net.nativeabi.ffi.PropertyField.PTR_SUPPORT;
import static io.nitinol.net.nativeabi.ffi.PropertyField.RAIL_ID;
import static io.nitinol.net.nativeabi.ffi.PropertyField.REG_IS_GLOBAL;
import static io.nitinol.net.nativeabi.ffi.PropertyField.SPEED;
import static io.nitinol.net.nativeabi.ffi.PropertyField.V_PROPS;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.ffi.PropertiesLayout;
import io.nitinol.net.nativeabi.ffi.PropertyField;
import io.nitinol.net.nativeabi.ffi.VirtualDeviceLayout;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties that a plugin wrote into a struct of any version, and refuses those that
 * nothing can have: the sign of a plugin built for another version than it says.
 */
final class PropertiesReader {
  /** How long a name or path is at the most, in bytes. */
  static final int MAX_TEXT = 4096;

  private static final int TYPES =
      PointerType.HOST.mask() | PointerType.CUDA.mask() | PointerType.DMABUF.mask();

  private final PropertiesLayout layout;
  private final MemorySegment struct;
  private final int device;
  private final PropertyField limit;
  private final MemoryMap memory = MemoryMap.now();

  /**
   * Prepares to read.
   *
   * @param limit which of the two limits of operations counts: what NCCL does not read of a plugin
   *     of this kind may be anything
   */
  PropertiesReader(PropertiesLayout layout, MemorySegment struct, int device, PropertyField limit) {
    this.layout = layout;
    this.struct = struct;
    this.device = device;
    this.limit = limit;
  }

  /** Properties that nothing can have. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(PropertyField field, String what) {
      super(field + " " + what);
    }
  }

  NetProperties read() throws Unusable {
    String name = text(NAME);
    if (name == null || name.isBlank()) {
      throw new Unusable(NAME, "is " + (name == null ? "null" : "blank"));
    }
    float latency = layout.has(LATENCY) ? struct.get(JAVA_FLOAT, layout.offset(LATENCY)) : 0;
    if (!(latency >= 0) || Float.isInfinite(latency)) {
      throw new Unusable(LATENCY, "is " + latency + " microseconds");
    }
    int types = number(PTR_SUPPORT, 0);
    if ((types & ~TYPES) != 0 || (types & TYPES) == 0) {
      throw new Unusable(PTR_SUPPORT, "is 0x" + Integer.toHexString(types));
    }
    return new NetProperties(
        name,
        text(PCI_PATH),
        struct.get(JAVA_LONG, layout.offset(GUID)),
        types,
        number(REG_IS_GLOBAL, 0) != 0,
        number(FORCE_FLUSH, 0) != 0,
        atLeast(SPEED, 0, 0),
        number(PORT, 0),
        latency,
        atLeast(MAX_COMMS, 0, 0),
        Math.min(atLeast(MAX_RECVS, 1, 1), NcclLimits.MAX_RECVS),
        deviceType(),
        number(NET_DEVICE_VERSION, 0),
        virtualDevice(),
        bytes(MAX_P2P_BYTES, NcclLimits.MAX_INT_MESSAGE),
        bytes(MAX_COLL_BYTES, NcclLimits.MAX_INT_COLLECTIVE),
        Math.max(1, atLeast(MAX_MULTI_REQUEST_SIZE, 0, 1)),
        id(RAIL_ID),
        id(PLANE_ID));
  }

  /** Returns the properties of a device of version 2, which tells only two of them. */
  static NetProperties old(String name, @Nullable String pciPath, int ptrSupport, int device) {
    return new NetProperties(
        name,
        pciPath,
        device,
        ptrSupport,
        false,
        false,
        OLD_SPEED,
        0,
        0,
        OLD_COMMS,
        1,
        NetDeviceType.HOST,
        0,
        VirtualDevice.physical(device),
        NcclLimits.MAX_INT_MESSAGE,
        NcclLimits.MAX_INT_COLLECTIVE,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }

  /** Megabits per second: what is taken for a network that does not tell. */
  private static final int OLD_SPEED = 10_000;

  private static final int OLD_COMMS = 65_536;

  private @Nullable String text(PropertyField field) throws Unusable {
    long address = struct.get(ADDRESS, layout.offset(field)).address();
    if (address == 0) {
      return null;
    }
    String text = memory.text(address, MAX_TEXT);
    if (text == null) {
      throw new Unusable(field, "is 0x" + Long.toHexString(address) + ", where there is no text");
    }
    return text;
  }

  private int number(PropertyField field, int absent) {
    return layout.has(field) ? struct.get(JAVA_INT, layout.offset(field)) : absent;
  }

  private int atLeast(PropertyField field, int least, int absent) throws Unusable {
    int number = number(field, absent);
    if (number < least) {
      throw new Unusable(field, "is " + number + ", expected at least " + least);
    }
    return number;
  }

  private short id(PropertyField field) {
    return layout.has(field)
        ? struct.get(JAVA_SHORT, layout.offset(field))
        : NetProperties.ID_UNDEFINED;
  }

  private long bytes(PropertyField field, long absent) throws Unusable {
    if (!layout.has(field)) {
      return absent;
    }
    long bytes = struct.get(JAVA_LONG, layout.offset(field));
    if (bytes <= 0 || bytes > NcclLimits.MAX_MESSAGE) {
      if (field != limit) {
        return absent;
      }
      throw new Unusable(
          field,
          "is " + Long.toUnsignedString(bytes) + ", expected 1 to " + NcclLimits.MAX_MESSAGE);
    }
    return bytes;
  }

  private NetDeviceType deviceType() throws Unusable {
    int code = number(NET_DEVICE_TYPE, NetDeviceType.HOST.code());
    return NetDeviceType.ofCode(code)
        .orElseThrow(() -> new Unusable(NET_DEVICE_TYPE, "is " + code));
  }

  private VirtualDevice virtualDevice() throws Unusable {
    if (!layout.has(V_PROPS)) {
      return VirtualDevice.physical(device);
    }
    long at = layout.offset(V_PROPS);
    int count = struct.get(JAVA_INT, at + VirtualDeviceLayout.NDEVS);
    int most = VirtualDeviceLayout.maxDevices(layout.version());
    if (count == 0) {
      return VirtualDevice.physical(device); // left alone, as by plugins without virtual devices
    }
    if (count < 0 || count > most) {
      throw new Unusable(V_PROPS, "has ndevs " + count + ", expected 1 to " + most);
    }
    List<Integer> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(struct.get(JAVA_INT, at + VirtualDeviceLayout.DEVS + (long) i * Integer.BYTES));
    }
    try {
      return new VirtualDevice(devices);
    } catch (IllegalArgumentException e) {
      throw new Unusable(V_PROPS, "has devs " + devices);
    }
  }
}
