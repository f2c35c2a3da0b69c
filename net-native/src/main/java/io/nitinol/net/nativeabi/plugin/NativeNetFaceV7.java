// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** The operations that versions 7 to 12 have alike beyond those. */
abstract class NativeNetFaceV7 extends NativeNetFace {

  NativeNetFaceV7(NativePlugin<NetFunction> plugin) {
    super(plugin);
  }

  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return net.registrations().registerDmaBuf(net.own(comm), memory, offset, fd);
  }

  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return net.transfers().iflush(net.own(comm), n, mrs, offsets, lengths);
  }

  public long getDeviceMr(Comm comm, MemoryHandle handle) {
    return net.getDeviceMr(comm, handle);
  }

  public void irecvConsumed(RecvComm comm, int n, Request request) {
    net.irecvConsumed(comm, n, request);
  }

  public boolean supports(OptionalOperation operation) {
    return net.supports(operation);
  }
}
