// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.plugin.NativeRequest.Kind;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Begins and ends operations, of a network or a collective network. */
final class NativeCompletion {
  /**
   * What a size is before a test of a receive: NCCL does not need the sizes of messages, so there
   * are plugins that do not write them.
   */
  private static final int UNWRITTEN = -1;

  /** A message of this length would be reported as {@link #UNWRITTEN}. */
  private static final long AMBIGUOUS = 0xffff_ffffL;

  private NativeCompletion() {}

  /** Returns the request that a call left in the comm's scratch; null where it left none. */
  static <F extends Enum<F>> @Nullable NativeRequest begun(
      NativePlugin<F> plugin, NativeEnd comm, int result, F function, Kind kind, int pieces) {
    if (result != 0) {
      throw comm.failed(plugin.failure(result, function, comm.device.where()));
    }
    long request = comm.scratch.request();
    if (request == 0) {
      return null;
    }
    if (request == NcclLimits.OPTIONAL_RECV_COMPLETION) {
      throw comm.failed(
          plugin.defect(
              function, comm.device.where(), "left the caller's hint where the request belongs"));
    }
    return comm.take(request, kind, pieces);
  }

  /** Asks whether an operation is complete. */
  static <F extends Enum<F>> boolean test(
      NativePlugin<F> plugin,
      F function,
      MemorySegment address,
      NativeRequest request,
      int @Nullable [] sizes) {
    NativeEnd comm = request.comm;
    comm.requireWorking();
    if (!request.isLive()) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "the request is dead");
    }
    boolean flush = request.kind() == Kind.FLUSH;
    boolean receive = request.kind() == Kind.RECV;
    int pieces = request.pieces();
    if (sizes != null && !flush && sizes.length < pieces) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "sizes: expected room for " + pieces + ", got " + sizes.length);
    }
    NativeScratch scratch = comm.scratch;
    // As NCCL does: it asks for no sizes after a flush, and plugins may rely on it elsewhere.
    int result =
        NativeCalls.ppp(
            address,
            request.address(),
            scratch.done(),
            flush ? 0 : scratch.sizes(pieces, receive ? UNWRITTEN : 0));
    if (result != 0) {
      NetException failure = comm.failed(plugin.failure(result, function, comm.device.where()));
      if (failure.result() != ResultCode.INVALID_ARGUMENT) {
        comm.release(request);
      }
      throw failure;
    }
    if (!scratch.isDone()) {
      return false;
    }
    comm.completed(request);
    if (sizes != null && !flush) {
      for (int i = 0; i < pieces; i++) {
        int size = scratch.size(i);
        if (receive && size == UNWRITTEN && request.room(i) < AMBIGUOUS) {
          plugin.tellOfSizes(function);
          size = (int) request.room(i);
        }
        sizes[i] = size;
      }
    }
    return true;
  }
}
