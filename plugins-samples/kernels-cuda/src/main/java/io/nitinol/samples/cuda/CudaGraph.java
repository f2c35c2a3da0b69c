// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceGraph;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;

/** An executable graph of the driver. */
final class CudaGraph implements DeviceGraph {
  private final Device device;
  private final CudaContext context;
  private final MemorySegment handle;
  private final AtomicBoolean closed = new AtomicBoolean();

  private CudaGraph(Device device, CudaContext context, MemorySegment handle) {
    this.device = device;
    this.context = context;
    this.handle = handle;
  }

  /**
   * Makes a captured graph executable and takes it to the device, so that the first launch does
   * not. The thread is in the context of the device.
   */
  static CudaGraph instantiate(
      Device device, CudaContext context, MemorySegment graph, MemorySegment stream) {
    try {
      MemorySegment out = CudaContext.scratch();
      context.check(cuda_h.cuGraphInstantiateWithFlags(out, graph, 0), "cuGraphInstantiate");
      MemorySegment executable = out.get(ValueLayout.ADDRESS, 0);
      int result = cuda_h.cuGraphUpload(executable, stream);
      if (result != 0) {
        context.check(cuda_h.cuGraphExecDestroy(executable), "cuGraphExecDestroy");
        throw context.failure(result, "cuGraphUpload", "");
      }
      return new CudaGraph(device, context, executable);
    } finally {
      context.check(cuda_h.cuGraphDestroy(graph), "cuGraphDestroy");
    }
  }

  /** {@return the {@code CUgraphExec}} */
  MemorySegment handle() {
    return handle;
  }

  void requireOpen() {
    if (closed.get()) {
      throw CudaFailures.state("the graph is closed");
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      context.release("cuGraphExecDestroy", "", () -> cuda_h.cuGraphExecDestroy(handle));
    }
  }
}
