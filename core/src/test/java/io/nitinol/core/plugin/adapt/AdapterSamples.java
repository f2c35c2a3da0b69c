// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/** Arguments and answers of every type that the interfaces have. */
final class AdapterSamples {
  private AdapterSamples() {}

  /** Any token. */
  static final class Token
      implements ListenComm, SendComm, RecvComm, CollComm, MemoryHandle, NetContext, Request {}

  /** Returns the operations of an interface. */
  static List<Method> operations(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(m -> !Modifier.isStatic(m.getModifiers()))
        .toList();
  }

  /** Returns a value of a type, different for different {@code i} where the type allows. */
  static Object of(Class<?> type, int i) {
    if (type == int.class) {
      return i;
    } else if (type == long.class) {
      return 1000L + i;
    } else if (type == boolean.class) {
      return true;
    } else if (type == String.class) {
      return "name " + i;
    } else if (type == void.class) {
      return null;
    } else if (type == int[].class) {
      return new int[] {i};
    } else if (type == long[].class) {
      return new long[] {i};
    } else if (type == MemoryHandle[].class) {
      return new MemoryHandle[] {new Token()};
    } else if (type == DeviceHandle[].class) {
      return new DeviceHandle[] {new DeviceHandle(NetDeviceType.UNPACK, 7, i, i, true)};
    } else if (type == MemorySegment.class) {
      return Arena.ofAuto().allocate(128);
    } else if (type == MemorySegment[].class) {
      return new MemorySegment[] {Arena.ofAuto().allocate(128)};
    } else if (type == Memory.class) {
      return Memory.ofHost(Arena.ofAuto().allocate(16));
    } else if (type == DataType.class) {
      return DataType.FLOAT16;
    } else if (type == ReductionOp.class) {
      return ReductionOp.MAX;
    } else if (type == OptionalOperation.class) {
      return OptionalOperation.GET_DEVICE_MR;
    } else if (type == VirtualDevice.class) {
      return new VirtualDevice(List.of(0, 1, 2, 3));
    } else if (type == NetCommConfig.class) {
      return new NetCommConfig(i);
    } else if (type == NetAttributes.class) {
      NetAttributes.Flows flows = new NetAttributes.Flows(i, 1, 1, 1);
      return new NetAttributes(flows, flows, 1, 2, 3);
    } else if (type == NetProfiler.class) {
      return (NetProfiler) (kind, event, parent, pluginId, data) -> 0;
    } else if (type == DebugLogger.class) {
      return new SilentLog();
    } else if (type.isAssignableFrom(Token.class)) {
      return new Token();
    }
    throw new AssertionError("no sample of " + type);
  }

  private static final class SilentLog implements DebugLogger {
    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return false;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {}
  }
}
