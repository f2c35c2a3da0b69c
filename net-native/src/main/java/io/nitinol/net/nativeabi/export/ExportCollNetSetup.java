// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.spi.DataType;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What NCCL calls of {@code ncclCollNet} but for operations; named and written as {@link
 * ExportNetSetup}. Where the network has no collective network beside it, {@code init} succeeds and
 * there are no devices, which is how a plugin says so.
 */
final class ExportCollNetSetup {
  private static @Nullable NetContext common;

  private ExportCollNetSetup() {}

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
      return ExportFailures.tell("collNet init", e);
    }
  }

  static int init11(int version, long context, long commId, long logger) {
    try {
      SelectedNet selected = Exported.select(logger);
      NativeExport.fillCollNet(version);
      PluginSession<CollNet> session = selected.beginCollNet(commId);
      long pointer = 0;
      if (session == null) {
        tellThatThereIsNone();
      } else {
        ContextSlot slot = new ContextSlot(session, true);
        ExportHandles.CONTEXTS.add(slot);
        pointer = slot.id;
      }
      NcclMemory.putLong(context, pointer);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet init", e);
    }
  }

  private static void tellThatThereIsNone() {
    Exported.LOGGER.info(
        LogSubsystem.INIT,
        "net-nitinol",
        ErrorText.of(
            "NET/Nitinol: no devices for collectives: %s comes with no collective network, "
                + "and %s names none",
            Exported.net().name(), CoreVariables.COLLNET));
  }

  /** Hosts up to version 10 initialize once and know no contexts. */
  private static synchronized NetContext commonContext() {
    NetContext context = common;
    if (context == null) {
      PluginSession<CollNet> session = Exported.select(0).beginCollNet(0);
      if (session == null) {
        throw new NetException(
            ResultCode.INVALID_USAGE, "there is no collective network beside this network");
      }
      context = session.context(); // for ever
      common = context;
    }
    return context;
  }

  static int devices4(long count) {
    try {
      CollNet net = Exported.collNetOrNull();
      NcclMemory.putInt(count, net == null ? 0 : net.devices());
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet devices", e);
    }
  }

  static int getProperties4(int version, int device, long properties) {
    try {
      PropertiesWriter.write(Exported.collNet().getProperties(device), version, properties);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet getProperties", e);
    }
  }

  static int makeVDevice9(int version, long device, long parts) {
    try {
      VirtualDevice devices = new VirtualDevice(ExportNetSetup.parts(version, parts));
      NcclMemory.putInt(device, Exported.collNet().makeVDevice(devices));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet makeVDevice", e);
    }
  }

  static int reduceSupport4(int dataType, int op, long supported) {
    try {
      // A type or an operator that is not known here is one that the network cannot reduce.
      DataType type = DataType.ofCode(dataType);
      ReductionOp operator = ReductionOp.ofCode(op);
      boolean can =
          type != null && operator != null && Exported.collNet().reduceSupport(type, operator);
      NcclMemory.putInt(supported, can ? 1 : 0);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet reduceSupport", e);
    }
  }

  static int finalize11(long context) {
    try {
      ContextSlot.finish(context, true);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet finalize", e);
    }
  }

  static int listen4(int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, NcclLimits.handleSize(4));
      return listen(commonContext(), device, whole, listener);
    } catch (Throwable e) {
      return ExportFailures.tell("collNet listen", e);
    }
  }

  static int listen5(int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, CollNet.HANDLE_MAXSIZE);
      return listen(commonContext(), device, whole, listener);
    } catch (Throwable e) {
      return ExportFailures.tell("collNet listen", e);
    }
  }

  static int listen11(long context, int device, long handle, long listener) {
    try {
      HandleBuffer whole = HandleBuffer.forListen(handle, CollNet.HANDLE_MAXSIZE);
      return listen(ExportHandles.context(context, true).context, device, whole, listener);
    } catch (Throwable e) {
      return ExportFailures.tell("collNet listen", e);
    }
  }

  private static int listen(NetContext context, int device, HandleBuffer handle, long listener) {
    CollNet net = Exported.collNet();
    ListenSlot slot;
    try {
      slot = new ListenSlot(net.listen(context, device, handle.bytes()), device, true);
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

  static int connect4(int version, long handles, int nranks, int rank, long listener, long comm) {
    try {
      if (nranks < 1) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "a group of " + nranks + " ranks");
      }
      ListenSlot own = ExportHandles.listener(listener, true);
      HandleBuffer[] all = new HandleBuffer[nranks];
      for (int i = 0; i < nranks; i++) {
        long handle = NcclMemory.getLong(handles + (long) i * Long.BYTES);
        all[i] = HandleBuffer.forConnect(handle, NcclLimits.handleSize(version));
      }
      CollComm made = connect(all, rank, own);
      CollSlot slot = new CollSlot(made, nranks, 2 * CollNet.MAX_REQUESTS);
      ExportHandles.COMMS.add(slot);
      NcclMemory.putLong(comm, slot.id);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet connect", e);
    }
  }

  private static CollComm connect(HandleBuffer[] handles, int rank, ListenSlot own) {
    MemorySegment[] bytes = new MemorySegment[handles.length];
    for (int i = 0; i < handles.length; i++) {
      bytes[i] = handles[i].bytes();
    }
    try {
      return Exported.collNet().connect(bytes, handles.length, rank, own.comm);
    } finally {
      for (HandleBuffer handle : handles) {
        handle.release();
      }
    }
  }

  static int closeColl4(long comm) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      slot.end();
      Exported.collNet().closeColl(slot.comm);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("closeColl", e);
    }
  }

  static int closeListen4(long listener) {
    try {
      ListenSlot slot = ExportHandles.listener(listener, true);
      ExportHandles.LISTENERS.remove(slot);
      Exported.collNet().closeListen(slot.comm);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet closeListen", e);
    }
  }
}
