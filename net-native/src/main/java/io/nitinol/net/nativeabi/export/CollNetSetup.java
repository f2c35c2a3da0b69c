// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DataType;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.VirtualDevice;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What NCCL calls of {@code ncclCollNet} but for operations; named and written as {@link NetSetup}.
 * Where the network has no collective network beside it, {@code init} succeeds and there are no
 * devices, which is how a plugin says so.
 */
final class CollNetSetup {
  private static @Nullable NetContext common;

  private CollNetSetup() {}

  static int init4(int version, long logger) {
    try {
      Exported.select(logger);
      if (Exported.collNetOrNull() == null) {
        tellThatThereIsNone();
      } else {
        commonContext();
      }
      NativeExport.fillCollNet(version);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet init", e);
    }
  }

  static int init11(int version, long context, long commId, long logger) {
    try {
      Exported.select(logger);
      CollNet net = Exported.collNetOrNull();
      long pointer = 0;
      if (net == null) {
        tellThatThereIsNone();
      } else {
        ContextSlot slot = new ContextSlot(net, net.init(commId, Exported.LOGGER));
        Handles.CONTEXTS.add(slot);
        pointer = slot.id;
      }
      NativeExport.fillCollNet(version);
      NativeMemory.putLong(context, pointer);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet init", e);
    }
  }

  private static void tellThatThereIsNone() {
    Exported.LOGGER.info(
        LogSubsystem.INIT,
        "net-nitinol",
        "NET/Nitinol: no devices for collectives: "
            + Exported.net().name()
            + " comes with no collective network, and "
            + CoreVariables.COLLNET
            + " names none");
  }

  /** Hosts up to version 10 initialize once and know no contexts. */
  private static synchronized NetContext commonContext() {
    NetContext context = common;
    if (context == null) {
      context = Exported.collNet().init(0, Exported.LOGGER);
      common = context;
    }
    return context;
  }

  static int devices4(long count) {
    try {
      CollNet net = Exported.collNetOrNull();
      NativeMemory.putInt(count, net == null ? 0 : net.devices());
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet devices", e);
    }
  }

  static int getProperties4(int version, int device, long properties) {
    try {
      PropertiesWriter.write(Exported.collNet().getProperties(device), version, properties);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet getProperties", e);
    }
  }

  static int makeVDevice9(int version, long device, long parts) {
    try {
      VirtualDevice devices = new VirtualDevice(NetSetup.parts(version, parts));
      NativeMemory.putInt(device, Exported.collNet().makeVDevice(devices));
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet makeVDevice", e);
    }
  }

  static int reduceSupport4(int dataType, int op, long supported) {
    try {
      // A type or an operator that is not known here is one that the network cannot reduce.
      DataType type = DataType.ofCode(dataType);
      ReductionOp operator = ReductionOp.ofCode(op);
      boolean can =
          type != null && operator != null && Exported.collNet().reduceSupport(type, operator);
      NativeMemory.putInt(supported, can ? 1 : 0);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet reduceSupport", e);
    }
  }

  static int finalize11(long context) {
    try {
      ContextSlot.finish(context, true);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet finalize", e);
    }
  }

  static int listen4(int device, long handle, long listener) {
    try {
      return listen(commonContext(), device, HandleBuffer.forListen(handle, 64), listener);
    } catch (Throwable e) {
      return Failures.tell("collNet listen", e);
    }
  }

  static int listen5(int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, CollNet.HANDLE_MAXSIZE);
      return listen(commonContext(), device, whole, listener);
    } catch (Throwable e) {
      return Failures.tell("collNet listen", e);
    }
  }

  static int listen11(long context, int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, CollNet.HANDLE_MAXSIZE);
      return listen(Handles.context(context, true).context, device, whole, listener);
    } catch (Throwable e) {
      return Failures.tell("collNet listen", e);
    }
  }

  private static int listen(NetContext context, int device, HandleBuffer handle, long listener) {
    CollNet net = Exported.collNet();
    ListenSlot slot = new ListenSlot(net.listen(context, device, handle.bytes()), device, true);
    try {
      handle.giveBack();
    } catch (NetException e) {
      net.closeListen(slot.comm);
      throw e;
    }
    Handles.LISTENERS.add(slot);
    NativeMemory.putLong(listener, slot.id);
    return 0;
  }

  static int connect4(int version, long handles, int nranks, int rank, long listener, long comm) {
    try {
      if (nranks < 1) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "a group of " + nranks + " ranks");
      }
      ListenSlot own = Handles.listener(listener, true);
      MemorySegment[] all = new MemorySegment[nranks];
      for (int i = 0; i < nranks; i++) {
        long handle = NativeMemory.getLong(handles + (long) i * Long.BYTES);
        int size = version == 4 ? 64 : CollNet.HANDLE_MAXSIZE;
        all[i] = HandleBuffer.forConnect(handle, size).bytes();
      }
      CollNet net = Exported.collNet();
      int pieces = Math.max(nranks, 1);
      CollSlot slot =
          new CollSlot(net.connect(all, nranks, rank, own.comm), pieces, 2 * CollNet.MAX_REQUESTS);
      Handles.COMMS.add(slot);
      NativeMemory.putLong(comm, slot.id);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet connect", e);
    }
  }

  static int closeColl4(long comm) {
    try {
      CollSlot slot = Handles.coll(comm);
      slot.end();
      Exported.collNet().closeColl(slot.comm);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("closeColl", e);
    }
  }

  static int closeListen4(long listener) {
    try {
      ListenSlot slot = Handles.listener(listener, true);
      Handles.LISTENERS.remove(slot);
      Exported.collNet().closeListen(slot.comm);
      return 0;
    } catch (Throwable e) {
      return Failures.tell("collNet closeListen", e);
    }
  }
}
