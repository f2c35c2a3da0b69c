// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.ffi.NetFunction.FLUSH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IFLUSH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IRECV;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IRECV_CONSUMED;
import static io.nitinol.net.nativeabi.ffi.NetFunction.ISEND;
import static io.nitinol.net.nativeabi.ffi.NetFunction.TEST;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.net.nativeabi.plugin.NativeRequest.Kind;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The messages of a native network plugin. Nothing here allocates once a comm is warm. */
final class NativeTransfers {
  private final NativePlugin<NetFunction> plugin;
  private final int version;

  // Read once, after init: the struct does not change any more.
  private final MemorySegment isend;
  private final MemorySegment irecv;
  private final MemorySegment iflush;
  private final MemorySegment test;
  private final MemorySegment irecvConsumed;

  /** Reads the functions of a plugin that is initialized. */
  NativeTransfers(NativePlugin<NetFunction> plugin) {
    this.plugin = plugin;
    this.version = plugin.table().version();
    this.isend = plugin.function(ISEND);
    this.irecv = plugin.function(IRECV);
    this.iflush = plugin.function(version <= 3 ? FLUSH : IFLUSH);
    this.test = plugin.function(TEST);
    this.irecvConsumed = plugin.function(IRECV_CONSUMED);
  }

  /**
   * Ends a receive that is complete.
   *
   * @param request one that the plugin has kept; it is the comm's again, whatever the plugin says
   */
  void irecvConsumed(NativeRecvComm comm, int n, NativeRequest request) {
    int result = NativeCalls.pip(irecvConsumed, comm.address, n, request.address());
    comm.release(request);
    if (result != 0) {
      throw comm.failed(plugin.failure(result, IRECV_CONSUMED, comm.device.where()));
    }
  }

  boolean hasIrecvConsumed() {
    return irecvConsumed.address() != 0;
  }

  /** Sends; the tag counts from version 5 on, the profiler handle from version 10 on. */
  @Nullable NativeRequest isend(
      NativeSendComm comm,
      @Nullable MemoryHandle mr,
      long offset,
      long length,
      int tag,
      long profilerHandle) {
    comm.requireWorking();
    NativeRegistration memory = Registrations.of(comm, mr);
    long data = memory.at(offset, length);
    requireLength(comm, length);
    long request = comm.scratch.request(0);
    long mhandle = memory.mhandle;
    int result;
    if (version >= 10) {
      result =
          NativeCalls.pplippp(
              isend, comm.address, data, length, tag, mhandle, profilerHandle, request);
    } else if (version == 9) {
      result = NativeCalls.pplipp(isend, comm.address, data, length, tag, mhandle, request);
    } else if (version >= 5) {
      result = NativeCalls.ppiipp(isend, comm.address, data, (int) length, tag, mhandle, request);
    } else {
      result = NativeCalls.ppipp(isend, comm.address, data, (int) length, mhandle, request);
    }
    return begun(comm, result, ISEND, Kind.SEND, 1);
  }

  /** Receives one message, up to version 4. */
  @Nullable NativeRequest irecv(
      NativeRecvComm comm, @Nullable MemoryHandle mr, long offset, long length) {
    comm.requireWorking();
    NativeRegistration memory = Registrations.of(comm, mr);
    long data = memory.at(offset, length);
    memory.requireWritable();
    requireLength(comm, length);
    long request = comm.scratch.request(0);
    int result =
        NativeCalls.ppipp(irecv, comm.address, data, (int) length, memory.mhandle, request);
    NativeRequest begun = begun(comm, result, IRECV, Kind.RECV, 1);
    if (begun != null) {
      begun.room(0, length);
    }
    return begun;
  }

  /**
   * Receives, from version 5 on; profiler handles count from version 10 on, hints from version 9
   * on.
   */
  @Nullable NativeRequest irecv(
      NativeRecvComm comm,
      int n,
      @Nullable MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    comm.requireWorking();
    requirePieces(comm, n, 1, mrs.length, offsets.length, lengths.length, tags.length);
    if (profilerHandles != null && profilerHandles.length < n) {
      throw wrong("profiler handles: expected " + n + ", got " + profilerHandles.length);
    }
    if ((hints & ~(int) NcclLimits.OPTIONAL_RECV_COMPLETION) != 0) {
      throw wrong("hints of irecv: expected 0 or 1, got " + hints);
    }
    NativeScratch scratch = comm.scratch;
    for (int i = 0; i < n; i++) {
      NativeRegistration memory = Registrations.of(comm, mrs[i]);
      memory.requireWritable();
      requireLength(comm, lengths[i]);
      scratch.piece(i, memory.at(offsets[i], lengths[i]), lengths[i], memory.mhandle);
      scratch.tag(i, tags[i]);
      scratch.phandle(i, profilerHandles == null ? 0 : profilerHandles[i]);
    }
    long request = scratch.request(hints);
    int result;
    if (version >= 10) {
      result =
          NativeCalls.pipppppp(
              irecv,
              comm.address,
              n,
              scratch.data(),
              scratch.wideSizes(),
              scratch.tags(),
              scratch.mhandles(),
              scratch.phandles(),
              request);
    } else {
      result =
          NativeCalls.pippppp(
              irecv,
              comm.address,
              n,
              scratch.data(),
              version == 9 ? scratch.wideSizes() : scratch.narrowSizes(),
              scratch.tags(),
              scratch.mhandles(),
              request);
    }
    NativeRequest begun = begun(comm, result, IRECV, Kind.RECV, n);
    if (begun != null) {
      for (int i = 0; i < n; i++) {
        begun.room(i, lengths[i]);
      }
    }
    return begun;
  }

  /** Flushes one piece, up to version 4; in versions 2 and 3 the call itself waits for it. */
  @Nullable NativeRequest iflush(
      NativeRecvComm comm, @Nullable MemoryHandle mr, long offset, long length) {
    comm.requireWorking();
    NativeRegistration memory = Registrations.of(comm, mr);
    long data = memory.at(offset, length);
    if (length == 0 || memory.memory.type() == PointerType.HOST) {
      return null; // what the CPU reads needs no flush, and NCCL asks for none
    }
    requireFlush();
    if (version <= 3) {
      int result = NativeCalls.ppip(iflush, comm.address, data, (int) length, memory.mhandle);
      if (result != 0) {
        throw comm.failed(plugin.failure(result, FLUSH, comm.device.where()));
      }
      return null;
    }
    long request = comm.scratch.request(0);
    int result =
        NativeCalls.ppipp(iflush, comm.address, data, (int) length, memory.mhandle, request);
    return begun(comm, result, IFLUSH, Kind.FLUSH, 1);
  }

  /** Flushes the pieces of a receive, from version 5 on. */
  @Nullable NativeRequest iflush(
      NativeRecvComm comm, int n, @Nullable MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    comm.requireWorking();
    requirePieces(comm, n, 0, mrs.length, offsets.length, lengths.length, n);
    NativeScratch scratch = comm.scratch;
    boolean needed = false;
    for (int i = 0; i < n; i++) {
      NativeRegistration memory = Registrations.of(comm, mrs[i]);
      scratch.piece(i, memory.at(offsets[i], lengths[i]), lengths[i], memory.mhandle);
      if (lengths[i] > Integer.MAX_VALUE) {
        throw wrong(
            ErrorText.of(
                "the length of a flush is an int in C, in every version; asked for were %s bytes",
                lengths[i]));
      }
      needed |= lengths[i] > 0 && memory.memory.type() != PointerType.HOST;
    }
    if (!needed) {
      return null;
    }
    requireFlush();
    long request = scratch.request(0);
    int result =
        NativeCalls.pipppp(
            iflush,
            comm.address,
            n,
            scratch.data(),
            scratch.narrowSizes(),
            scratch.mhandles(),
            request);
    return begun(comm, result, IFLUSH, Kind.FLUSH, n);
  }

  boolean test(NativeRequest request, int @Nullable [] sizes) {
    return NativeCompletion.test(plugin, TEST, test, request, sizes);
  }

  private @Nullable NativeRequest begun(
      NativeEnd comm, int result, NetFunction function, Kind kind, int pieces) {
    return NativeCompletion.begun(plugin, comm, result, function, kind, pieces);
  }

  private void requireLength(NativeEnd comm, long length) {
    if (length > comm.device.maxMessage()) {
      throw wrong(
          ErrorText.of(
              "message of %s bytes: device %s of %s takes at most %s",
              length, comm.device.device(), plugin, comm.device.maxMessage()));
    }
  }

  private void requireFlush() {
    if (iflush.address() == 0) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          plugin + " takes device memory and has no " + (version <= 3 ? FLUSH : IFLUSH));
    }
  }

  private static void requirePieces(
      NativeEnd comm, int n, int least, int mrs, int offsets, int lengths, int tags) {
    int most = comm.device.maxRecvs();
    if (n < least || n > most) {
      throw wrong("pieces: expected " + least + " to " + most + ", got " + n);
    }
    if (mrs < n || offsets < n || lengths < n || tags < n) {
      throw wrong("an array is shorter than the " + n + " pieces");
    }
  }

  private static NetException wrong(String message) {
    return new NetException(ResultCode.INVALID_ARGUMENT, message);
  }
}
