// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_mr;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.MemorySegment;

/** Registered memory. No request may name it any more when it is closed. */
public final class IbMemoryRegion implements AutoCloseable {
  private final VerbsContext context;
  private final MemorySegment region;
  private final int localKey;
  private final int remoteKey;
  private boolean closed;

  IbMemoryRegion(VerbsContext context, MemorySegment region) {
    this.context = context;
    this.region = ibv_mr.reinterpret(region);
    this.localKey = ibv_mr.lkey(this.region);
    this.remoteKey = ibv_mr.rkey(this.region);
  }

  /** {@return the device that it is registered with} */
  public VerbsContext context() {
    return context;
  }

  /** {@return the key by which local requests name it} */
  public int localKey() {
    return localKey;
  }

  /** {@return the key by which peers name it} */
  public int remoteKey() {
    return remoteKey;
  }

  /** {@return where the memory begins} */
  public long address() {
    return ibv_mr.addr(region).address();
  }

  /** {@return its length in bytes} */
  public long bytes() {
    return ibv_mr.length(region);
  }

  /**
   * Unpins the memory.
   *
   * @throws VerbsException where the driver refuses; it is registered no more for this object
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.free("ibv_dereg_mr", errno -> verbs_h.ibv_dereg_mr(errno, region));
  }
}
