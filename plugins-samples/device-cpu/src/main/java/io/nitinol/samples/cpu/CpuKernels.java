// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;

/** The kernels of a device: those of the best provider for host memory, run on a stream. */
final class CpuKernels implements DeviceKernels {
  private final CpuDevice device;
  private final KernelProvider provider;

  CpuKernels(CpuDevice device, KernelProvider provider) {
    this.device = device;
    this.provider = provider;
  }

  @Override
  public boolean supports(DeviceReduction reduction) {
    CpuFailures.notNull(reduction, "reduction");
    return true; // a provider of host kernels has all types and operators
  }

  ReduceFunction function(DeviceReduction reduction) {
    CpuFailures.notNull(reduction, "reduction");
    return reduction.preMultiplied()
        ? provider.preMulSum(reduction.type(), reduction.scalarBits())
        : provider.function(reduction.type(), reduction.op(), reduction.ranks());
  }

  @Override
  public void apply(
      DeviceStream stream,
      DeviceReduction reduction,
      KernelStep step,
      long left,
      long right,
      long dst,
      long count) {
    CpuStream own = device.stream(stream);
    CpuFailures.notNull(step, "step");
    ReduceFunction function = function(reduction);
    int width = reduction.type().size();
    if (count < 0 || count > Long.MAX_VALUE / width) {
      throw CpuFailures.invalid("%d elements", count);
    }
    long size = count * width;
    boolean unary = step == KernelStep.COPY || step == KernelStep.COPY_FINAL;
    MemorySegment a = unary ? MemorySegment.NULL : device.reach(left, size);
    MemorySegment b = device.reach(right, size);
    MemorySegment to = device.reach(dst, size);
    own.put(
        ElementWork.of(count, width, (from, n) -> run(function, step, a, b, to, from * width, n)));
  }

  private static void run(
      ReduceFunction function,
      KernelStep step,
      MemorySegment left,
      MemorySegment right,
      MemorySegment dst,
      long at,
      long count) {
    switch (step) {
      case COPY -> function.copy(right, at, dst, at, count);
      case COPY_FINAL -> function.copyFinal(right, at, dst, at, count);
      case REDUCE -> function.reduce(left, at, right, at, dst, at, count);
      case REDUCE_FINAL -> function.reduceFinal(left, at, right, at, dst, at, count);
      case COMBINE -> function.combine(left, at, right, at, dst, at, count);
      case COMBINE_FINAL -> function.combineFinal(left, at, right, at, dst, at, count);
    }
  }

  @Override
  public void copy(DeviceStream stream, long dst, long src, long size) {
    device.stream(stream).copy(dst, src, size);
  }
}
