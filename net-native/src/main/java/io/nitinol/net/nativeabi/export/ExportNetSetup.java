// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.ffi.VirtualDeviceLayout;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions that NCCL calls before there are connections. A method is named by the member of
 * the struct and the first version that has it so; pointers are longs. Nothing is thrown: a failure
 * is logged, and its code returned.
 */
final class ExportNetSetup {
  private ExportNetSetup() {}

  static int init4(int version, long logger) {
    return initOnce(version, logger, 0);
  }

  static int init10(int version, long logger, long profiler) {
    return initOnce(version, logger, profiler);
  }

  private static int initOnce(int version, long logger, long profiler) {
    try {
      Exported.select(logger);
      NetContexts.start(HostProfiler.of(profiler));
      NativeExport.fillNet(version);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("init", e);
    }
  }

  static int init11(
      int version, long context, long commId, long config, long logger, long profiler) {
    try {
      NetCommConfig asked = NetContexts.config(config);
      NetProfiler events = HostProfiler.of(profiler);
      SelectedNet selected = Exported.select(logger);
      NativeExport.fillNet(version);
      ContextSlot slot = new ContextSlot(selected.begin(commId, asked, events), false);
      ExportHandles.CONTEXTS.add(slot);
      NcclMemory.putLong(context, slot.id);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("init", e);
    }
  }

  static int devices4(long count) {
    try {
      NcclMemory.putInt(count, Exported.net().devices());
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("devices", e);
    }
  }

  static int getProperties4(int version, int device, long properties) {
    try {
      PropertiesWriter.write(Exported.net().getProperties(device), version, properties);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("getProperties", e);
    }
  }

  static int makeVDevice9(int version, long device, long parts) {
    try {
      List<Integer> devices = parts(version, parts);
      NcclMemory.putInt(device, Exported.net().makeVDevice(new VirtualDevice(devices)));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("makeVDevice", e);
    }
  }

  /** Reads an {@code ncclNetVDeviceProps_vN_t}. */
  static List<Integer> parts(int version, long parts) {
    int count = NcclMemory.getInt(parts + VirtualDeviceLayout.NDEVS);
    int most = VirtualDeviceLayout.maxDevices(version);
    if (count < 1 || count > most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "ndevs of a virtual device: expected 1 to " + most + ", got " + count);
    }
    List<Integer> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(NcclMemory.getInt(parts + VirtualDeviceLayout.DEVS + (long) i * Integer.BYTES));
    }
    return devices;
  }

  static int finalize11(long context) {
    try {
      ContextSlot.finish(context, false);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("finalize", e);
    }
  }

  static int setNetAttr11(long context, long attributes) {
    try {
      NetAttributes read = AttributesReader.read(attributes);
      Exported.net().setNetAttr(ExportHandles.context(context, false).context, read);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("setNetAttr", e);
    }
  }

  static int listen4(int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, NcclLimits.handleSize(4));
      return listen(NetContexts.of(NetCommConfig.DEFAULT), device, whole, listener);
    } catch (Throwable e) {
      return ExportFailures.tell("listen", e);
    }
  }

  static int listen5(int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, Net.HANDLE_MAXSIZE);
      return listen(NetContexts.of(NetCommConfig.DEFAULT), device, whole, listener);
    } catch (Throwable e) {
      return ExportFailures.tell("listen", e);
    }
  }

  static int listen11(long context, int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, Net.HANDLE_MAXSIZE);
      return listen(ExportHandles.context(context, false).context, device, whole, listener);
    } catch (Throwable e) {
      return ExportFailures.tell("listen", e);
    }
  }

  private static int listen(NetContext context, int device, HandleBuffer handle, long listener) {
    Net net = Exported.net();
    ListenSlot slot;
    try {
      slot = new ListenSlot(net.listen(context, device, handle.bytes()), device, false);
      try {
        handle.giveBack();
      } catch (NetException e) {
        net.closeListen(slot.comm);
        throw e;
      }
    } finally {
      handle.release();
    }
    ExportHandles.LISTENERS.add(slot);
    NcclMemory.putLong(listener, slot.id);
    return 0;
  }

  static int closeListen4(long listener) {
    try {
      ListenSlot slot = ExportHandles.listener(listener, false);
      ExportHandles.LISTENERS.remove(slot);
      Exported.net().closeListen(slot.comm);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("closeListen", e);
    }
  }
}
