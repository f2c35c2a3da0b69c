// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import org.jspecify.annotations.Nullable;

/** Device providers whose local kernels are wrong. */
public final class DeviceKernelMistakes {
  private DeviceKernelMistakes() {}

  private static final int STREAM = 0;
  private static final int REDUCTION = 1;
  private static final int STEP = 2;
  private static final int LEFT = 3;
  private static final int RIGHT = 4;
  private static final int DST = 5;
  private static final int COUNT = 6;

  /** Supports reductions of a few ranks. */
  @Breaks("DEVKERNEL-01")
  public static final class SupportsFewRanks extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceKernels.class, "supports")
              && call.argument(0) instanceof DeviceReduction reduction
              && reduction.ranks() > 100
          ? false
          : call.proceed();
    }
  }

  /** Forgets to divide where two partial results meet. */
  @Breaks("DEVKERNEL-02")
  public static final class ForgetsTheDivision extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean last =
          call.is(DeviceKernels.class, "apply") && call.argument(STEP) == KernelStep.COMBINE_FINAL;
      return (last ? call.with(STEP, KernelStep.COMBINE) : call).proceed();
    }
  }

  /** Multiplies partial results once more. */
  @Breaks("DEVKERNEL-02")
  public static final class ScalesPartialResults extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean combines =
          call.is(DeviceKernels.class, "apply") && call.argument(STEP) == KernelStep.COMBINE;
      DeviceReduction reduction = combines ? call.argument(REDUCTION) : null;
      return (reduction != null && reduction.preMultiplied()
              ? call.with(STEP, KernelStep.REDUCE)
              : call)
          .proceed();
    }
  }

  /** Forgets the last element where the result lies badly. */
  @Breaks(value = "DEVKERNEL-03", also = "DEVKERNEL-07")
  public static final class ForgetsTheLast extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean odd =
          call.is(DeviceKernels.class, "apply")
              && call.number(DST) % 16 != 0
              && call.number(RIGHT) % 16 != 0
              && call.number(DST) != call.number(RIGHT)
              && call.number(COUNT) > 4
              && call.number(COUNT) < 300;
      return (odd ? call.with(COUNT, call.number(COUNT) - 1) : call).proceed();
    }
  }

  /** Reads the right operand after it has written over half of it. */
  @Breaks("DEVKERNEL-04")
  public static final class WritesOverTheRight extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceKernels.class, "apply")
          && call.number(DST) == call.number(RIGHT)
          && call.number(LEFT) != call.number(RIGHT)
          && call.argument(STEP) == KernelStep.REDUCE
          && call.number(COUNT) > 100) {
        DeviceKernels kernels = call.on(DeviceKernels.class);
        kernels.copy(call.argument(STREAM), call.number(DST), call.number(LEFT), 64);
      }
      return call.proceed();
    }
  }

  /** Takes operands in the memory of devices only. */
  @Breaks("DEVKERNEL-05")
  public static final class TakesDeviceMemoryOnly extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceKernels.class, "apply")) {
        MemoryRange range = find(call.number(RIGHT));
        if (range != null && range.kind() == MemoryKind.HOST) {
          throw failure(DeviceFailure.INVALID_ARGUMENT);
        }
      }
      return call.proceed();
    }
  }

  /** Copies sixteen bytes at a time, and the rest only where there is little. */
  @Breaks("DEVKERNEL-06")
  public static final class CopiesBySixteen extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean many =
          call.is(DeviceKernels.class, "copy") && call.number(3) > 32 && call.number(3) < 80;
      return (many ? call.with(3, call.number(3) & ~15L) : call).proceed();
    }
  }

  /** Takes a negative count for nothing to do. */
  @Breaks("DEVKERNEL-07")
  public static final class NegativeCountIsNothing extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceKernels.class, "apply") && call.number(COUNT) < 0
          ? null
          : call.proceed();
    }
  }

  /** Reduces at once, without regard to the stream. */
  @Breaks("DEVKERNEL-08")
  public static final class KernelsRunAtOnce extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceKernels.class, "apply")
          && call.argument(STREAM) instanceof DeviceStream stream
          && call.number(COUNT) == 2000
          && !stream.isCapturing()) {
        DeviceStream own = stream.device().createStream(false);
        Object answer = call.with(STREAM, own).proceed();
        own.synchronize(1_000_000_000);
        own.close();
        return answer;
      }
      return call.proceed();
    }
  }
}
