// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A network plugin of any version, called as its own interface has it. */
final class VersionedNet {
  final Object net;
  final int version;
  NetContext context;
  NetProfiler profiler;
  NetCommConfig config = NetCommConfig.DEFAULT;
  DeviceHandle[] offload = new DeviceHandle[1];

  VersionedNet(Object net, int version) {
    this.net = net;
    this.version = version;
  }

  void init(DebugLogger logger) {
    if (version <= 9) {
      call("init", logger);
    } else if (version == 10) {
      call("init", logger, profiler);
    } else {
      context = (NetContext) call("init", 77L, config, logger, profiler);
    }
  }

  int devices() {
    return (int) call("devices");
  }

  Object property(int device, String name) {
    Object properties = call("getProperties", device);
    try {
      return properties.getClass().getMethod(name).invoke(properties);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  MemorySegment handle(Arena arena) {
    return arena.allocate(NcclLimits.handleSize(version), 8);
  }

  ListenComm listen(int device, MemorySegment handle) {
    return (ListenComm)
        (version <= 10 ? call("listen", device, handle) : call("listen", context, device, handle));
  }

  SendComm connect(int device, MemorySegment handle) {
    if (version <= 6) {
      return (SendComm) call("connect", device, handle);
    }
    if (version <= 9) {
      return (SendComm) call("connect", device, handle, offload);
    }
    return (SendComm)
        (version == 10
            ? call("connect", device, config, handle, offload)
            : call("connect", context, device, handle, offload));
  }

  RecvComm accept(ListenComm listener) {
    return (RecvComm) (version <= 6 ? call("accept", listener) : call("accept", listener, offload));
  }

  MemoryHandle regMr(Comm comm, Memory memory) {
    return (MemoryHandle) call("regMr", comm, memory);
  }

  Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    if (version <= 4) {
      return (Request) call("isend", comm, mr, offset, length);
    }
    return (Request)
        (version <= 9
            ? call("isend", comm, mr, offset, length, tag)
            : call("isend", comm, mr, offset, length, tag, 99L));
  }

  Request irecv(
      RecvComm comm, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags, int hints) {
    int n = mrs.length;
    if (version <= 4) {
      return (Request) call("irecv", comm, mrs[0], offsets[0], lengths[0]);
    }
    if (version <= 8) {
      return (Request) call("irecv", comm, n, mrs, offsets, lengths, tags);
    }
    return (Request)
        (version == 9
            ? call("irecv", comm, n, mrs, offsets, lengths, tags, hints)
            : call("irecv", comm, n, mrs, offsets, lengths, tags, null, hints));
  }

  Request iflush(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return (Request)
        (version <= 4
            ? call("iflush", comm, mr, offset, length)
            : call(
                "iflush",
                comm,
                1,
                new MemoryHandle[] {mr},
                new long[] {offset},
                new long[] {length}));
  }

  boolean test(Request request, int[] sizes) {
    return (boolean) call("test", request, sizes);
  }

  Object call(String method, Object... arguments) {
    Method found =
        Arrays.stream(net.getClass().getInterfaces())
            .flatMap(face -> Arrays.stream(face.getMethods()))
            .filter(m -> m.getName().equals(method))
            .findFirst()
            .orElseThrow();
    try {
      return found.invoke(net, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new AssertionError(method + " of version " + version, e);
    }
  }

  /** Asks until there is an answer, or fails after a while. */
  static <T> T eventually(Supplier<T> question) {
    long until = System.nanoTime() + 20_000_000_000L;
    T answer;
    while ((answer = question.get()) == null) {
      if (System.nanoTime() > until) {
        throw new AssertionError("no answer within 20 s");
      }
      LockSupport.parkNanos(20_000);
    }
    return answer;
  }
}
