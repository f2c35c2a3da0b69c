// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import java.lang.foreign.MemorySegment;

/** The local kernels of a device. */
final class CudaKernels implements DeviceKernels {
  /** Blocks for each processor: two run on it at once, and four rounds even out their lengths. */
  private static final int BLOCKS_PER_PROCESSOR = 8;

  /** What a block moves before it would go round again: four times 16 bytes a thread. */
  private static final long BYTES_PER_BLOCK = 4 * 16 * LaunchArguments.THREADS;

  private final CudaDevice device;
  private final CudaContext context;
  private final KernelModules modules;

  CudaKernels(CudaDevice device, KernelModules modules) {
    this.device = device;
    this.context = device.context();
    this.modules = modules;
  }

  @Override
  public boolean supports(DeviceReduction reduction) {
    CudaFailures.notNull(reduction, "reduction");
    return device.hasKernels();
  }

  private void requireKernels() {
    if (!device.hasKernels()) {
      throw CudaFailures.of(
          DeviceFailure.UNSUPPORTED, "%s is older than the kernels' targets", context.name());
    }
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
    CudaStream own = device.stream(stream);
    CudaFailures.notNull(step, "step");
    int width = CudaFailures.notNull(reduction, "reduction").type().size();
    requireKernels();
    if (count < 0 || count > Long.MAX_VALUE / width) {
      throw CudaFailures.invalid("%d elements", count);
    }
    boolean unary = step == KernelStep.COPY || step == KernelStep.COPY_FINAL;
    requireAligned(unary ? 0 : left, width);
    requireAligned(right, width);
    requireAligned(dst, width);
    if (count == 0) {
      return;
    }
    boolean pushed = context.enter();
    try {
      applyHere(own, reduction, step, left, right, dst, count);
    } finally {
      context.leave(pushed);
    }
  }

  /** Kernels want elements at multiples of their size. */
  static void requireAligned(long address, int width) {
    if ((address & (width - 1)) != 0) {
      throw CudaFailures.invalid("elements of %d bytes at 0x%x", width, address);
    }
  }

  /** Puts a step into a stream; the thread is in the context, and the count is above 0. */
  void applyHere(
      CudaStream stream,
      DeviceReduction reduction,
      KernelStep step,
      long left,
      long right,
      long dst,
      long count) {
    int operator = Operators.number(reduction);
    long size = count * reduction.type().size();
    boolean unary = step == KernelStep.COPY || step == KernelStep.COPY_FINAL;
    if (unary && operator != Operators.SCALED) {
      if (right != dst) {
        copyHere(stream, dst, right, size);
      }
      return;
    }
    launch(stream, reduction, operator, step, left, right, dst, count);
  }

  private void launch(
      CudaStream stream,
      DeviceReduction reduction,
      int operator,
      KernelStep step,
      long left,
      long right,
      long dst,
      long count) {
    MemorySegment function = modules.reduction(KernelFamily.LOCAL, reduction.type(), operator);
    boolean unary = step == KernelStep.COPY || step == KernelStep.COPY_FINAL;
    LaunchArguments arguments =
        unary
            ? stream.local().fill(1, right, 0, dst, count)
            : stream.local().fill(2, left, right, dst, count);
    if (operator == Operators.SCALED) {
      stream.local().scale(Operators.scalar(reduction), scaled(step), divisor(step, reduction));
    }
    arguments.launch(context, function, blocks(count * reduction.type().size()), stream.handle());
  }

  /** Returns which sources are contributions that are not yet multiplied, a bit for each. */
  private static int scaled(KernelStep step) {
    return switch (step) {
      case COPY, COPY_FINAL -> 1;
      case REDUCE, REDUCE_FINAL -> 2;
      case COMBINE, COMBINE_FINAL -> 0;
    };
  }

  private static int divisor(KernelStep step, DeviceReduction reduction) {
    return switch (step) {
      case COPY, REDUCE, COMBINE -> 1;
      case COPY_FINAL, REDUCE_FINAL, COMBINE_FINAL -> Operators.divisor(reduction);
    };
  }

  @Override
  public void copy(DeviceStream stream, long dst, long src, long size) {
    CudaStream own = device.stream(stream);
    requireKernels();
    if (size < 0) {
      throw CudaFailures.invalid("the size is negative: %d", size);
    }
    if (size == 0) {
      return;
    }
    boolean pushed = context.enter();
    try {
      copyHere(own, dst, src, size);
    } finally {
      context.leave(pushed);
    }
  }

  private void copyHere(CudaStream stream, long dst, long src, long size) {
    MemorySegment function = modules.move(KernelFamily.LOCAL, 0);
    stream
        .local()
        .fill(1, src, 0, dst, size)
        .launch(context, function, blocks(size), stream.handle());
  }

  private int blocks(long size) {
    long wanted = (size + BYTES_PER_BLOCK - 1) / BYTES_PER_BLOCK;
    return (int) Math.max(1, Math.min(wanted, (long) BLOCKS_PER_PROCESSOR * device.processors()));
  }
}
