// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.samples.libfabric.ffi.FabricCalls;
import io.nitinol.samples.libfabric.ffi.fabric_h;
import io.nitinol.samples.libfabric.ffi.fi_ops;
import io.nitinol.samples.libfabric.ffi.fi_ops_domain;
import io.nitinol.samples.libfabric.ffi.fi_ops_fabric;
import io.nitinol.samples.libfabric.ffi.fi_ops_mr;
import io.nitinol.samples.libfabric.ffi.fid_domain;
import io.nitinol.samples.libfabric.ffi.fid_fabric;
import io.nitinol.samples.libfabric.ffi.fid_mr;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/** A domain of libfabric, opened once and kept for the process. */
@AnyThread
public final class Domain implements RegionCache.Registrar {
  private final FabricInfo info;
  private final MemorySegment fid;
  private final MemorySegment ops;
  private final MemorySegment register;
  private final AtomicLong nextKey = new AtomicLong();

  private Domain(FabricInfo info, MemorySegment fid) {
    this.info = info;
    this.fid = fid;
    this.ops = fi_ops_domain.reinterpret(fid_domain.ops(fid));
    this.register = fi_ops_mr.reg(fi_ops_mr.reinterpret(fid_domain.mr(fid)));
  }

  /**
   * Opens a fabric and its domain.
   *
   * @param info which
   * @return the domain, which is never closed
   * @throws io.nitinol.spi.NetException SYSTEM_ERROR where libfabric refuses
   */
  public static Domain open(FabricInfo info) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ValueLayout.ADDRESS);
      int code = fabric_h.fi_fabric(info.fabricAttributes(), result, MemorySegment.NULL);
      if (code != 0) {
        throw FabricFailure.of("fi_fabric", code, info.label());
      }
      MemorySegment fabric = fid_fabric.reinterpret(result.get(ValueLayout.ADDRESS, 0));
      MemorySegment open = fi_ops_fabric.domain(fi_ops_fabric.reinterpret(fid_fabric.ops(fabric)));
      code =
          FabricCalls.open(open, fabric.address(), info.segment().address(), result.address(), 0);
      if (code != 0) {
        closeFid(fabric.address());
        throw FabricFailure.of("fi_domain", code, info.label());
      }
      return new Domain(info, fid_domain.reinterpret(result.get(ValueLayout.ADDRESS, 0)));
    }
  }

  /** {@return what it was opened by} */
  public FabricInfo info() {
    return info;
  }

  /** Opens a queue, a table of addresses or an endpoint; returns its address. */
  long open(String call, MemorySegment function, MemorySegment what) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
      int code = FabricCalls.open(function, fid.address(), what.address(), result.address(), 0);
      if (code != 0) {
        throw FabricFailure.of(call, code, info.label());
      }
      return result.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  MemorySegment ops() {
    return ops;
  }

  @Override
  public RegionCache.Region register(long address, long length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ValueLayout.ADDRESS);
      int code =
          FabricCalls.register(
              register,
              fid.address(),
              address,
              length,
              fabric_h.FI_SEND() | fabric_h.FI_RECV(),
              0,
              info.choosesKeys() ? 0 : nextKey.incrementAndGet(),
              0,
              result.address(),
              0);
      if (code != 0) {
        throw FabricFailure.of(
            "fi_mr_reg of " + length + " bytes (see ulimit -l)", code, info.label());
      }
      MemorySegment region = fid_mr.reinterpret(result.get(ValueLayout.ADDRESS, 0));
      return new RegionCache.Region(region.address(), fid_mr.mem_desc(region).address());
    }
  }

  @Override
  public void end(RegionCache.Region region) {
    int code = closeFid(region.fid());
    if (code != 0) {
      throw FabricFailure.of("fi_close of registered memory", code, info.label());
    }
  }

  /** Closes any object of libfabric; returns 0 or a negative error number. */
  static int closeFid(long address) {
    MemorySegment object = fidAt(address);
    return FabricCalls.close(fi_ops.close(ops(object)), address);
  }

  static MemorySegment fidAt(long address) {
    return io.nitinol.samples.libfabric.ffi.fid.reinterpret(MemorySegment.ofAddress(address));
  }

  static MemorySegment ops(MemorySegment object) {
    return fi_ops.reinterpret(io.nitinol.samples.libfabric.ffi.fid.ops(object));
  }
}
