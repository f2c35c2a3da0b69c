// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection that the plugin made: its address, what calls on it write their arguments
 * into, its requests and its registrations. Used by one thread at a time, but for the
 * registrations.
 */
abstract sealed class NativeEnd implements Comm
    permits NativeSendComm, NativeRecvComm, NativeCollComm {
  final Object plugin;
  final long address;
  final DeviceFacts device;
  final NativeScratch scratch;
  final Set<NativeRegistration> registrations = ConcurrentHashMap.newKeySet();

  private NativeRequest[] idle;
  private int idleCount;
  private @Nullable NetException failure;
  private boolean closed;

  NativeEnd(Object plugin, long address, DeviceFacts device, NativeScratch scratch) {
    this.plugin = plugin;
    this.address = address;
    this.device = device;
    this.scratch = scratch;
    this.idle = new NativeRequest[NcclLimits.MAX_REQUESTS * device.maxRecvs()];
  }

  /** Fails unless the comm is open and sound. */
  final void requireWorking() {
    if (closed) {
      throw closed();
    }
    if (failure != null) {
      throw new NetException(
          failure.result(), "the comm has failed before: " + failure.getMessage(), failure);
    }
  }

  /** Fails unless the comm is open, sound or not. */
  final void requireOpen() {
    if (closed) {
      throw closed();
    }
  }

  final boolean isOpen() {
    return !closed;
  }

  /** Takes the comm out of use: nothing but the plugin's own close follows. */
  final void close() {
    closed = true;
  }

  /**
   * Remembers that a call failed: after anything but INVALID_ARGUMENT, none on this comm may be
   * trusted to end (NET-ERR-05).
   */
  final NetException failed(NetException e) {
    if (e.result() != ResultCode.INVALID_ARGUMENT && failure == null) {
      failure = e;
    }
    return e;
  }

  /** Returns an idle request, made busy; they are made once and kept. */
  final NativeRequest take(long request, NativeRequest.Kind kind, int pieces) {
    NativeRequest taken = idleCount > 0 ? idle[--idleCount] : new NativeRequest(this);
    taken.begin(request, kind, pieces);
    return taken;
  }

  /** Takes note that a request is complete. */
  void completed(NativeRequest request) {
    release(request);
  }

  /** Takes back a request that is dead. */
  final void release(NativeRequest request) {
    request.end();
    if (idleCount == idle.length) {
      idle = Arrays.copyOf(idle, idle.length * 2); // the plugin has room for more than it must
    }
    idle[idleCount++] = request;
  }

  private static NetException closed() {
    return new NetException(ResultCode.INVALID_ARGUMENT, "the comm is closed");
  }
}
