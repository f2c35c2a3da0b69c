// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.nativeabi.ffi.PropertiesLayout;
import io.nitinol.net.nativeabi.ffi.PropertyField;
import io.nitinol.net.nativeabi.ffi.VirtualDeviceLayout;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** The properties of a device, as a native plugin of any version writes them. */
public final class PropertiesTarget implements FuzzTarget {
  private final NativeWords words = new NativeWords();

  @Override
  public void run(byte[] input) {
    if (input.length < 2) {
      return;
    }
    int versions = 12 - PropertiesLayout.OLDEST + 1;
    PropertiesLayout layout =
        PropertiesLayout.of(PropertiesLayout.OLDEST + (input[0] & 0xff) % versions);
    PropertyField limit =
        (input[0] & 0x80) == 0 ? PropertyField.MAX_P2P_BYTES : PropertyField.MAX_COLL_BYTES;
    MemorySegment struct =
        words.place(Arrays.copyOfRange(input, 2, input.length), layout.byteSize());
    words.point(struct, layout.offset(PropertyField.NAME), input[1] & 0xf);
    words.point(struct, layout.offset(PropertyField.PCI_PATH), input[1] >>> 4 & 0xf);
    NetProperties read;
    try {
      read = new PropertiesReader(layout, struct, 1, limit).read();
    } catch (PropertiesReader.Unusable e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
      return;
    }
    FuzzTarget.require(!read.name().isBlank(), "no name");
    FuzzTarget.require(read.name().length() < PropertiesReader.MAX_TEXT, "a long name");
    FuzzTarget.require(read.speed() >= 0 && read.latency() >= 0 && read.maxComms() >= 0, "" + read);
    FuzzTarget.require(read.maxRecvs() >= 1 && read.maxMultiRequestSize() >= 1, "" + read);
    FuzzTarget.require(read.maxP2pBytes() > 0 && read.maxCollBytes() > 0, "" + read);
    FuzzTarget.require(
        read.virtualDevice().devices().size()
            <= Math.max(1, VirtualDeviceLayout.maxDevices(Math.max(9, layout.version()))),
        "" + read);
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(PropertiesReader.class, PropertiesLayout.class, MemoryMap.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(seed(0), seed(2), seed(4), seed(5), seed(6), seed(8), seed(9));
  }

  /** A struct of version 3 and so many later, of a plugin that has nothing to hide. */
  private static byte[] seed(int later) {
    PropertiesLayout layout = PropertiesLayout.of(PropertiesLayout.OLDEST + later);
    byte[] bytes = new byte[2 + (int) layout.byteSize()];
    bytes[0] = (byte) later;
    bytes[1] = 0x11;
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    for (PropertyField field : PropertyField.values()) {
      if (layout.has(field) && field != PropertyField.NAME && field != PropertyField.PCI_PATH) {
        int at = 2 + (int) layout.offset(field);
        switch (field) {
          case LATENCY -> out.putFloat(at, 1.5f);
          case NET_DEVICE_TYPE, V_PROPS -> out.putInt(at, 0);
          case RAIL_ID, PLANE_ID -> out.putShort(at, (short) -1);
          case GUID, MAX_P2P_BYTES, MAX_COLL_BYTES -> out.putLong(at, 1 << 20);
          default -> out.putInt(at, 1);
        }
      }
    }
    return bytes;
  }

  @Override
  public long mostAllocated() {
    return 8 << 20; // the map of all memory
  }
}
