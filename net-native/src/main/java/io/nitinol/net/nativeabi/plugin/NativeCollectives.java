// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IALLGATHER;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IALLREDUCE;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IFLUSH;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IREDUCESCATTER;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.TEST;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.net.nativeabi.plugin.NativeRequest.Kind;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The operations of a native collective network. */
final class NativeCollectives {
  /** How many pieces one window may lie in. */
  static final int MAX_PIECES = 128;

  private static final long MAX_PIECE_V8 = 0xFFFF_FFFFL;

  private final NativePlugin<CollNetFunction> plugin;
  private final int version;
  private final MemorySegment iallreduce;
  private final MemorySegment iallgather;
  private final MemorySegment ireducescatter;
  private final MemorySegment iflush;
  private final MemorySegment test;

  /** Reads the functions of a plugin that is initialized. */
  NativeCollectives(NativePlugin<CollNetFunction> plugin) {
    this.plugin = plugin;
    this.version = plugin.table().version();
    this.iallreduce = plugin.function(IALLREDUCE);
    this.iallgather = plugin.function(IALLGATHER);
    this.ireducescatter = plugin.function(IREDUCESCATTER);
    this.iflush = plugin.function(IFLUSH);
    this.test = plugin.function(TEST);
  }

  @Nullable NativeRequest iallreduce(
      NativeCollComm comm,
      @Nullable MemoryHandle sendMr,
      long sendOffset,
      @Nullable MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    comm.requireWorking();
    if (count < 0
        || count > comm.device.maxMessage() / dataType.size()
        || (version <= 8 && count > Integer.MAX_VALUE)) {
      throw wrong(
          ErrorText.of(
              "count: at most %s bytes, asked for were %s elements of %s",
              comm.device.maxMessage(), count, dataType));
    }
    refuseAverage(op);
    long bytes = count * dataType.size();
    NativeRegistration send = Registrations.of(comm, sendMr);
    NativeRegistration recv = Registrations.of(comm, recvMr);
    long from = send.at(sendOffset, bytes);
    long to = recv.at(recvOffset, bytes);
    recv.requireWritable();
    long request = comm.scratch.request(0);
    int result =
        version >= 9
            ? CollCalls.pppliippp(
                iallreduce,
                comm.address,
                from,
                to,
                count,
                dataType.code(),
                op.code(),
                send.mhandle,
                recv.mhandle,
                request)
            : CollCalls.pppiiippp(
                iallreduce,
                comm.address,
                from,
                to,
                (int) count,
                dataType.code(),
                op.code(),
                send.mhandle,
                recv.mhandle,
                request);
    return begun(comm, result, IALLREDUCE, Kind.COLLECTIVE);
  }

  @Nullable NativeRequest iallgather(
      NativeCollComm comm,
      @Nullable MemoryHandle sendMr,
      long sendOffset,
      int n,
      @Nullable MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    comm.requireWorking();
    require(IALLGATHER, iallgather);
    requireWindow(comm, bytesPerRank, windowOffset, windowBytes);
    NativeRegistration send = Registrations.of(comm, sendMr);
    long from = send.at(sendOffset, comm.own(bytesPerRank, windowOffset, windowBytes));
    long pieces = pieces(comm, n, recvMrs, recvOffsets, recvLengths, windowBytes, true);
    long request = comm.scratch.request(0);
    int result =
        CollCalls.ppiplllpp(
            iallgather,
            comm.address,
            from,
            n,
            pieces,
            bytesPerRank,
            windowOffset,
            windowBytes,
            send.mhandle,
            request);
    return begun(comm, result, IALLGATHER, Kind.COLLECTIVE);
  }

  @Nullable NativeRequest ireducescatter(
      NativeCollComm comm,
      int n,
      @Nullable MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      @Nullable MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    comm.requireWorking();
    require(IREDUCESCATTER, ireducescatter);
    refuseAverage(op);
    requireWindow(comm, bytesPerRank, windowOffset, windowBytes);
    if ((bytesPerRank | windowOffset | windowBytes) % dataType.size() != 0) {
      throw wrong(
          ErrorText.of(
              "window %s+%s of %s bytes of each rank cuts elements of %s",
              windowOffset, windowBytes, bytesPerRank, dataType));
    }
    NativeRegistration recv = Registrations.of(comm, recvMr);
    recv.requireWritable();
    long to = recv.at(recvOffset, comm.own(bytesPerRank, windowOffset, windowBytes));
    long pieces = pieces(comm, n, sendMrs, sendOffsets, sendLengths, windowBytes, false);
    long request = comm.scratch.request(0);
    int result =
        CollCalls.pippllliipp(
            ireducescatter,
            comm.address,
            n,
            pieces,
            to,
            bytesPerRank,
            windowOffset,
            windowBytes,
            dataType.code(),
            op.code(),
            recv.mhandle,
            request);
    return begun(comm, result, IREDUCESCATTER, Kind.COLLECTIVE);
  }

  @Nullable NativeRequest iflush(
      NativeCollComm comm, @Nullable MemoryHandle mr, long offset, long length) {
    comm.requireWorking();
    NativeRegistration memory = Registrations.of(comm, mr);
    long data = memory.at(offset, length);
    if (length == 0 || memory.memory.type() == PointerType.HOST) {
      return null; // what the CPU reads needs no flush, and NCCL asks for none
    }
    if (length > Integer.MAX_VALUE) {
      throw wrong("the length of a flush is an int in C; asked for were " + length + " bytes");
    }
    if (iflush.address() == 0) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR, plugin + " takes device memory and has no " + IFLUSH);
    }
    long request = comm.scratch.request(0);
    int result =
        NativeCalls.ppipp(iflush, comm.address, data, (int) length, memory.mhandle, request);
    return begun(comm, result, IFLUSH, Kind.FLUSH);
  }

  boolean test(NativeRequest request, int @Nullable [] sizes) {
    return NativeCompletion.test(plugin, TEST, test, request, sizes);
  }

  private @Nullable NativeRequest begun(
      NativeCollComm comm, int result, CollNetFunction function, Kind kind) {
    return NativeCompletion.begun(plugin, comm, result, function, kind, 1);
  }

  /** Writes the pieces of a window as C structs; returns their address. */
  private long pieces(
      NativeCollComm comm,
      int n,
      @Nullable MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      long windowBytes,
      boolean written) {
    if (n < 1 || n > MAX_PIECES) {
      throw wrong("pieces: expected 1 to " + MAX_PIECES + ", got " + n);
    }
    if (mrs.length < n || offsets.length < n || lengths.length < n) {
      throw wrong("an array is shorter than the " + n + " pieces");
    }
    long together = 0;
    for (int i = 0; i < n; i++) {
      NativeRegistration memory = Registrations.of(comm, mrs[i]);
      if (written) {
        memory.requireWritable();
      }
      long address = memory.at(offsets[i], lengths[i]);
      if (version == 8 && lengths[i] > MAX_PIECE_V8) {
        throw wrong("the size of a piece has 32 bits in version 8, asked for were " + lengths[i]);
      }
      together += lengths[i];
      comm.scratch.part(i, memory.mhandle, address, lengths[i]);
    }
    if (together != windowBytes) {
      throw wrong("the pieces have " + together + " bytes, the window " + windowBytes);
    }
    return comm.scratch.parts();
  }

  private void requireWindow(NativeCollComm comm, long bytesPerRank, long offset, long bytes) {
    if (bytesPerRank < 0 || offset < 0 || bytes < 0 || bytes > comm.device.maxMessage()) {
      throw wrong(
          ErrorText.of(
              "window %s+%s of %s bytes of each rank: %s takes at most %s",
              offset, bytes, bytesPerRank, plugin, comm.device.maxMessage()));
    }
    // Else the library would read or write behind the registered memory.
    if (bytesPerRank > Long.MAX_VALUE / comm.members
        || offset > bytesPerRank * comm.members - bytes) {
      throw wrong(
          ErrorText.of(
              "window %s+%s does not lie in the whole, of %s members and %s bytes of each",
              offset, bytes, comm.members, bytesPerRank));
    }
  }

  private void refuseAverage(ReductionOp op) {
    if (op == ReductionOp.AVG) {
      throw wrong("an average is a sum for the network: " + plugin + " is not asked for it");
    }
  }

  private void require(CollNetFunction function, MemorySegment address) {
    if (address.address() == 0) {
      throw new NetException(ResultCode.INVALID_USAGE, plugin + " has no " + function);
    }
  }

  private static NetException wrong(String message) {
    return new NetException(ResultCode.INVALID_ARGUMENT, message);
  }
}
