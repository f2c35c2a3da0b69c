// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.PieceLayout;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** The operations of {@code ncclCollNet}; named and written as {@link ExportNetSetup}. */
final class CollNetData {
  private CollNetData() {}

  static int regMr4(long comm, long data, int size, int type, long registration) {
    return regMr8(comm, data, size, type, registration);
  }

  static int regMr8(long comm, long data, long size, int type, long registration) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      var handle = Exported.collNet().regMr(slot.comm, Memories.of(data, size, type));
      NcclMemory.putLong(registration, slot.add(handle, data));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet regMr", e);
    }
  }

  static int regMrDmaBuf6(
      long comm, long data, long size, int type, long offset, int fd, long registration) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      var memory = Memories.of(data, size, type);
      var handle = Exported.collNet().regMrDmaBuf(slot.comm, memory, offset, fd);
      NcclMemory.putLong(registration, slot.add(handle, data));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet regMrDmaBuf", e);
    }
  }

  static int deregMr4(long comm, long registration) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      RegistrationSlot memory = ExportHandles.REGISTRATIONS.get(registration);
      slot.remove(memory);
      Exported.collNet().deregMr(slot.comm, memory.handle);
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet deregMr", e);
    }
  }

  static int iallreduce4(
      long comm,
      long send,
      long recv,
      int count,
      int dataType,
      int op,
      long sendRegistration,
      long recvRegistration,
      long request) {
    return iallreduce9(
        comm, send, recv, count, dataType, op, sendRegistration, recvRegistration, request);
  }

  static int iallreduce9(
      long comm,
      long send,
      long recv,
      long count,
      int dataType,
      int op,
      long sendRegistration,
      long recvRegistration,
      long request) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      RegistrationSlot from = ExportHandles.REGISTRATIONS.get(sendRegistration);
      RegistrationSlot to = ExportHandles.REGISTRATIONS.get(recvRegistration);
      Request made =
          Exported.collNet()
              .iallreduce(
                  slot.comm,
                  from.handle,
                  send - from.address,
                  to.handle,
                  recv - to.address,
                  count,
                  type(dataType),
                  operator(op));
      return give(slot, made, request);
    } catch (Throwable e) {
      return ExportFailures.tell("iallreduce", e);
    }
  }

  static int iallgather8(
      int version,
      long comm,
      long send,
      int n,
      long pieces,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      long sendRegistration,
      long request) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      RegistrationSlot from = ExportHandles.REGISTRATIONS.get(sendRegistration);
      setPieces(slot, version, n, pieces);
      Request made =
          Exported.collNet()
              .iallgather(
                  slot.comm,
                  from.handle,
                  send - from.address,
                  n,
                  slot.handles,
                  slot.offsets,
                  slot.lengths,
                  bytesPerRank,
                  windowOffset,
                  windowBytes);
      return give(slot, made, request);
    } catch (Throwable e) {
      return ExportFailures.tell("iallgather", e);
    }
  }

  static int ireducescatter8(
      int version,
      long comm,
      int n,
      long pieces,
      long recv,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      int dataType,
      int op,
      long recvRegistration,
      long request) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      RegistrationSlot to = ExportHandles.REGISTRATIONS.get(recvRegistration);
      setPieces(slot, version, n, pieces);
      Request made =
          Exported.collNet()
              .ireducescatter(
                  slot.comm,
                  n,
                  slot.handles,
                  slot.offsets,
                  slot.lengths,
                  to.handle,
                  recv - to.address,
                  bytesPerRank,
                  windowOffset,
                  windowBytes,
                  type(dataType),
                  operator(op));
      return give(slot, made, request);
    } catch (Throwable e) {
      return ExportFailures.tell("ireducescatter", e);
    }
  }

  static int iflush4(long comm, long data, int size, long registration, long request) {
    try {
      CollSlot slot = ExportHandles.coll(comm);
      RegistrationSlot memory = ExportHandles.REGISTRATIONS.get(registration);
      Request made =
          Exported.collNet().iflush(slot.comm, memory.handle, data - memory.address, size);
      NcclMemory.putLong(request, made == null ? 0 : slot.give(made, 0));
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell("collNet iflush", e);
    }
  }

  static int test4(long request, long done, long size) {
    return ExportTests.test("collNet test", request, done, size);
  }

  private static int give(CollSlot slot, @Nullable Request made, long request) {
    NcclMemory.putLong(request, made == null ? 0 : slot.give(made, 1));
    return 0;
  }

  private static void setPieces(CollSlot slot, int version, int n, long pieces) {
    if (n < 1 || n > slot.most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          n + " pieces in one operation: expected 1 to " + slot.most + ", the number of ranks");
    }
    for (int i = 0; i < n; i++) {
      long piece = pieces + i * PieceLayout.BYTES;
      RegistrationSlot memory =
          ExportHandles.REGISTRATIONS.get(NcclMemory.getLong(piece + PieceLayout.MHANDLE));
      slot.handles[i] = memory.handle;
      slot.offsets[i] = NcclMemory.getLong(piece + PieceLayout.ADDRESS) - memory.address;
      slot.lengths[i] =
          version == 8
              ? Integer.toUnsignedLong(NcclMemory.getInt(piece + PieceLayout.SIZE))
              : NcclMemory.getLong(piece + PieceLayout.SIZE);
    }
  }

  private static DataType type(int code) {
    DataType type = DataType.ofCode(code);
    if (type == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "data type " + code + " is unknown");
    }
    return type;
  }

  private static ReductionOp operator(int code) {
    ReductionOp operator = ReductionOp.ofCode(code);
    if (operator == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "operator " + code + " is unknown");
    }
    return operator;
  }
}
