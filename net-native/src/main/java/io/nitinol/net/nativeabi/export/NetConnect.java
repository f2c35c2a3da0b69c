// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.DeviceHandleLayout;
import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How NCCL connects and closes; named and written as {@link ExportNetSetup}. */
final class NetConnect {
  /** The contract has calls of version 4 end within 60 s (NET-V4-02). */
  private static final long ACCEPT = TimeUnit.SECONDS.toNanos(55);

  /** A full queue of receives, and a flush of each. */
  static final int REQUESTS_OF_RECV = 2 * Net.MAX_REQUESTS;

  private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

  private NetConnect() {}

  /**
   * Up to version 4, connect is called once. It waits for what comes at once, but not for the other
   * side to accept.
   */
  static int connect4(int device, long handle, long comm) {
    try {
      HandleBuffer whole = HandleBuffer.forConnect(handle, NcclLimits.handleSize(4));
      boolean over = true;
      try {
        NetContext context = NetContexts.of(NetCommConfig.DEFAULT);
        long begin = System.nanoTime();
        long made = advance(context, device, whole, 0);
        while (made == 0 && System.nanoTime() - begin < SendSlot.SOON) {
          LockSupport.parkNanos(PAUSE);
          made = advance(context, device, whole, 0);
        }
        if (made == 0) {
          SendSlot early = new SendSlot(requestsOfSend(most(device)));
          ExportHandles.COMMS.add(early);
          made = early.id;
          over = false;
          ExportConnecting.goOn(context, device, whole, early);
        }
        NcclMemory.putLong(comm, made);
      } finally {
        if (over) {
          whole.release();
        }
      }
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("connect", e);
    }
  }

  static int connect5(int device, long handle, long comm) {
    return connect7(device, handle, comm, 0);
  }

  static int connect7(int device, long handle, long comm, long deviceHandle) {
    return connect10(device, 0, handle, comm, deviceHandle);
  }

  static int connect10(int device, long config, long handle, long comm, long deviceHandle) {
    try {
      NetContext context = NetContexts.of(NetContexts.config(config));
      return connect(context, device, handle, comm, deviceHandle);
    } catch (Throwable e) {
      return ExportFailures.tell("connect", e);
    }
  }

  static int connect11(long context, int device, long handle, long comm, long deviceHandle) {
    try {
      NetContext own = ExportHandles.context(context, false).context;
      return connect(own, device, handle, comm, deviceHandle);
    } catch (Throwable e) {
      return ExportFailures.tell("connect", e);
    }
  }

  private static int connect(
      NetContext context, int device, long handle, long comm, long deviceHandle) {
    HandleBuffer whole = HandleBuffer.forConnect(handle, Net.HANDLE_MAXSIZE);
    long made = -1;
    try {
      made = advance(context, device, whole, deviceHandle);
    } finally {
      whole.giveBack();
      if (made == 0) {
        whole.keep();
      } else {
        whole.release();
      }
    }
    NcclMemory.putLong(comm, made);
    return 0;
  }

  /** Returns the pointer of the comm, or 0 where there is none yet. */
  private static long advance(
      NetContext context, int device, HandleBuffer handle, long deviceHandle) {
    @Nullable DeviceHandle[] offload = readHandle(deviceHandle);
    SendComm made = Exported.net().connect(context, device, handle.bytes(), offload);
    if (made == null) {
      return 0;
    }
    try {
      writeHandle(offload[0], deviceHandle);
      SendSlot slot = new SendSlot(made, requestsOfSend(most(device)));
      ExportHandles.COMMS.add(slot);
      return slot.id;
    } catch (Throwable e) {
      Exported.net().closeSend(made);
      throw e;
    }
  }

  /** Up to version 4, accept waits. */
  static int accept4(long listener, long comm) {
    try {
      ListenSlot slot = ExportHandles.listener(listener, false);
      NcclMemory.putLong(comm, awaitAccept(() -> advance(slot, 0)));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("accept", e);
    }
  }

  static int accept5(long listener, long comm) {
    return accept7(listener, comm, 0);
  }

  static int accept7(long listener, long comm, long deviceHandle) {
    try {
      ListenSlot slot = ExportHandles.listener(listener, false);
      NcclMemory.putLong(comm, advance(slot, deviceHandle));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("accept", e);
    }
  }

  private static long advance(ListenSlot listener, long deviceHandle) {
    Net net = Exported.net();
    @Nullable DeviceHandle[] offload = readHandle(deviceHandle);
    RecvComm made = net.accept(listener.comm, offload);
    if (made == null) {
      return 0;
    }
    try {
      writeHandle(offload[0], deviceHandle);
      boolean consumed = net.supports(OptionalOperation.IRECV_CONSUMED);
      RecvSlot slot = new RecvSlot(made, most(listener.device), REQUESTS_OF_RECV, consumed);
      ExportHandles.COMMS.add(slot);
      return slot.id;
    } catch (Throwable e) {
      net.closeRecv(made);
      throw e;
    }
  }

  private static int most(int device) {
    return PropertiesWriter.maxRecvs(Exported.net().getProperties(device));
  }

  /** Returns how many sends there are for a full queue of receives with {@code most} buffers. */
  static int requestsOfSend(int most) {
    return Net.MAX_REQUESTS * most;
  }

  private static long awaitAccept(LongSupplier step) {
    long begin = System.nanoTime();
    while (true) {
      long made = step.getAsLong();
      if (made != 0) {
        return made;
      }
      if (System.nanoTime() - begin > ACCEPT) {
        throw new NetException(
            ResultCode.TIMEOUT,
            "accept: nobody connected within " + TimeUnit.NANOSECONDS.toSeconds(ACCEPT) + " s");
      }
      LockSupport.parkNanos(PAUSE);
    }
  }

  /** Reads what {@code ncclNetDeviceHandle_v7_t**} points to; either pointer may be null. */
  private static @Nullable DeviceHandle[] readHandle(long pointer) {
    long at = pointer == 0 ? 0 : NcclMemory.getLong(pointer);
    if (at == 0) {
      return new @Nullable DeviceHandle[1];
    }
    int type = NcclMemory.getInt(at + DeviceHandleLayout.TYPE);
    return new @Nullable DeviceHandle[] {
      new DeviceHandle(
          NetDeviceType.ofCode(type)
              .orElseThrow(() ->
                  new NetException(
                      ResultCode.INVALID_ARGUMENT, "netDeviceType " + type + " is unknown")),
          NcclMemory.getInt(at + DeviceHandleLayout.VERSION),
          NcclMemory.getLong(at + DeviceHandleLayout.HANDLE),
          NcclMemory.getLong(at + DeviceHandleLayout.SIZE),
          NcclMemory.getInt(at + DeviceHandleLayout.NEEDS_PROXY_PROGRESS) != 0)
    };
  }

  /** Fills the host's struct, or takes it out where the plugin does not offload. */
  private static void writeHandle(@Nullable DeviceHandle handle, long pointer) {
    long at = pointer == 0 ? 0 : NcclMemory.getLong(pointer);
    if (pointer != 0 && handle == null) {
      NcclMemory.putLong(pointer, 0);
    } else if (at != 0 && handle != null) {
      NcclMemory.putInt(at + DeviceHandleLayout.TYPE, handle.type().code());
      NcclMemory.putInt(at + DeviceHandleLayout.VERSION, handle.version());
      NcclMemory.putLong(at + DeviceHandleLayout.HANDLE, handle.handle());
      NcclMemory.putLong(at + DeviceHandleLayout.SIZE, handle.size());
      NcclMemory.putInt(
          at + DeviceHandleLayout.NEEDS_PROXY_PROGRESS, handle.needsProxyProgress() ? 1 : 0);
    }
  }

  static int closeSend4(long comm) {
    try {
      ExportHandles.send(comm).close();
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("closeSend", e);
    }
  }

  static int closeRecv4(long comm) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      slot.end();
      Exported.net().closeRecv(slot.comm);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("closeRecv", e);
    }
  }
}
