// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static io.nitinol.net.nativeabi.ffi.NcclLimits.OPTIONAL_RECV_COMPLETION;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import org.jspecify.annotations.Nullable;

/**
 * How NCCL registers memory and moves data; named and written as {@link ExportNetSetup}. Steady
 * traffic allocates nothing here.
 */
final class NetData {
  private NetData() {}

  static int regMr4(long comm, long data, int size, int type, long registration) {
    return regMr8(comm, data, size, type, registration);
  }

  static int regMr8(long comm, long data, long size, int type, long registration) {
    try {
      CommSlot slot = ExportHandles.COMMS.get(comm);
      Memory memory = Memories.of(data, size, type);
      long made =
          slot instanceof SendSlot send
              ? send.register(memory, data)
              : slot.add(Exported.net().regMr(end(slot, comm), memory), data);
      NcclMemory.putLong(registration, made);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("regMr", e);
    }
  }

  static int regMrDmaBuf6(
      long comm, long data, long size, int type, long offset, int fd, long registration) {
    try {
      CommSlot slot = ExportHandles.COMMS.get(comm);
      var memory = Memories.of(data, size, type);
      var handle = Exported.net().regMrDmaBuf(end(slot, comm), memory, offset, fd);
      NcclMemory.putLong(registration, slot.add(handle, data));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("regMrDmaBuf", e);
    }
  }

  static int deregMr4(long comm, long registration) {
    try {
      CommSlot slot = ExportHandles.COMMS.get(comm);
      RegistrationSlot memory = ExportHandles.REGISTRATIONS.get(registration);
      if (slot instanceof SendSlot send) {
        send.deregister(memory);
      } else {
        slot.remove(memory);
        Exported.net().deregMr(end(slot, comm), memory.handle);
      }
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("deregMr", e);
    }
  }

  static int getDeviceMr7(long comm, long registration, long pointer) {
    try {
      RegistrationSlot memory = ExportHandles.REGISTRATIONS.get(registration);
      Comm end = end(ExportHandles.COMMS.get(comm), comm);
      NcclMemory.putLong(pointer, Exported.net().getDeviceMr(end, memory.handle));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("getDeviceMr", e);
    }
  }

  private static Comm end(CommSlot slot, long pointer) {
    return switch (slot) {
      case SendSlot send -> send.made();
      case RecvSlot recv -> recv.comm;
      default -> throw ExportHandles.COMMS.wrong(pointer, "a collComm");
    };
  }

  static int isend4(long comm, long data, int size, long registration, long request) {
    return send(comm, data, size, 0, registration, 0, request);
  }

  static int isend5(long comm, long data, int size, int tag, long registration, long request) {
    return send(comm, data, size, tag, registration, 0, request);
  }

  static int isend9(long comm, long data, long size, int tag, long registration, long request) {
    return send(comm, data, size, tag, registration, 0, request);
  }

  static int isend10(
      long comm, long data, long size, int tag, long registration, long profiler, long request) {
    return send(comm, data, size, tag, registration, profiler, request);
  }

  private static int send(
      long comm, long data, long size, int tag, long registration, long profiler, long request) {
    try {
      SendSlot slot = ExportHandles.send(comm);
      SendComm to = slot.comm();
      RegistrationSlot memory = ExportHandles.REGISTRATIONS.get(registration);
      Request made =
          to == null
              ? null
              : Exported.net().isend(to, memory.handle, data - memory.address, size, tag, profiler);
      NcclMemory.putLong(request, made == null ? 0 : slot.give(made, 1));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("isend", e);
    }
  }

  static int irecv4(long comm, long data, int size, long registration, long request) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      setPiece(slot, 0, data, size, registration);
      slot.tags[0] = 0;
      return post(slot, 1, null, 0, request);
    } catch (Throwable e) {
      return ExportFailures.tell("irecv", e);
    }
  }

  static int irecv5(
      long comm, int n, long data, long sizes, long tags, long registrations, long request) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      checkPieces(slot, n);
      for (int i = 0; i < n; i++) {
        setPiece(slot, i, at(data, i), intAt(sizes, i), at(registrations, i));
        slot.tags[i] = intAt(tags, i);
      }
      return post(slot, n, null, 0, request);
    } catch (Throwable e) {
      return ExportFailures.tell("irecv", e);
    }
  }

  static int irecv9(
      long comm, int n, long data, long sizes, long tags, long registrations, long request) {
    return irecv10(comm, n, data, sizes, tags, registrations, 0, request);
  }

  static int irecv10(
      long comm,
      int n,
      long data,
      long sizes,
      long tags,
      long registrations,
      long profilers,
      long request) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      checkPieces(slot, n);
      for (int i = 0; i < n; i++) {
        setPiece(slot, i, at(data, i), at(sizes, i), at(registrations, i));
        slot.tags[i] = intAt(tags, i);
        slot.profilerHandles[i] = profilers == 0 ? 0 : at(profilers, i);
      }
      boolean optional = NcclMemory.getLong(request) == OPTIONAL_RECV_COMPLETION;
      return post(
          slot,
          n,
          profilers == 0 ? null : slot.profilerHandles,
          optional ? Net.OPTIONAL_RECV_COMPLETION : 0,
          request);
    } catch (Throwable e) {
      return ExportFailures.tell("irecv", e);
    }
  }

  private static int post(
      RecvSlot slot, int n, long @Nullable [] profilers, int hints, long request) {
    Request made =
        Exported.net()
            .irecv(
                slot.comm,
                n,
                slot.handles,
                slot.offsets,
                slot.lengths,
                slot.tags,
                profilers,
                hints);
    NcclMemory.putLong(request, made == null ? 0 : slot.give(made, n));
    return 0;
  }

  static int irecvConsumed7(long comm, int n, long request) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      RequestSlot receive = ExportHandles.received(request);
      if (receive.owner != slot) {
        throw ExportHandles.REQUESTS.wrong(request, "of another comm");
      }
      Request consumed = receive.request;
      slot.takeBack(receive);
      if (consumed != null) {
        Exported.net().irecvConsumed(slot.comm, n, consumed);
      }
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("irecvConsumed", e);
    }
  }

  static int iflush4(long comm, long data, int size, long registration, long request) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      setPiece(slot, 0, data, size, registration);
      return flush(slot, 1, request);
    } catch (Throwable e) {
      return ExportFailures.tell("iflush", e);
    }
  }

  static int iflush5(long comm, int n, long data, long sizes, long registrations, long request) {
    try {
      RecvSlot slot = ExportHandles.recv(comm);
      checkPieces(slot, n);
      for (int i = 0; i < n; i++) {
        setPiece(slot, i, at(data, i), intAt(sizes, i), at(registrations, i));
      }
      return flush(slot, n, request);
    } catch (Throwable e) {
      return ExportFailures.tell("iflush", e);
    }
  }

  private static int flush(RecvSlot slot, int n, long request) {
    Request made = Exported.net().iflush(slot.comm, n, slot.handles, slot.offsets, slot.lengths);
    NcclMemory.putLong(request, made == null ? 0 : slot.give(made, 0));
    return 0;
  }

  static int test4(long request, long done, long sizes) {
    return ExportTests.test("test", request, done, sizes);
  }

  private static void checkPieces(CommSlot slot, int n) {
    if (n < 1 || n > slot.most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          n + " buffers in one call: the device takes 1 to " + slot.most + " (maxRecvs)");
    }
  }

  private static void setPiece(CommSlot slot, int i, long data, long size, long registration) {
    RegistrationSlot memory = ExportHandles.REGISTRATIONS.get(registration);
    slot.handles[i] = memory.handle;
    slot.offsets[i] = data - memory.address;
    slot.lengths[i] = size;
  }

  private static long at(long array, int i) {
    return NcclMemory.getLong(array + (long) i * Long.BYTES);
  }

  private static int intAt(long array, int i) {
    return NcclMemory.getInt(array + (long) i * Integer.BYTES);
  }
}
