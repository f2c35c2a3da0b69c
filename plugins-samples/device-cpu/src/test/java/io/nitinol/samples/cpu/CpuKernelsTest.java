// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static io.nitinol.samples.cpu.Twin.assertFails;
import static io.nitinol.samples.cpu.Twin.bytesOf;
import static io.nitinol.samples.cpu.Twin.device;
import static io.nitinol.samples.cpu.Twin.fillRandomly;
import static io.nitinol.samples.cpu.Twin.finish;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Local kernels against the scalar ones; names of rules are SPEC.md's. */
class CpuKernelsTest {
  private static final int COUNT = 70_001; // more than one piece of the widest type

  /** DEVKERNEL-01 to DEVKERNEL-04. */
  @ParameterizedTest
  @EnumSource
  void givesWhatTheScalarKernelsGive(DataType type) {
    long size = (long) COUNT * type.size();
    try (DeviceMemory left = device(0).allocate(size + 16);
        DeviceMemory right = device(0).allocateHost(size + 16);
        DeviceMemory dst = device(0).allocate(size + 16);
        DeviceStream stream = device(0).createStream(false);
        Arena arena = Arena.ofConfined()) {
      fillRandomly(bytesOf(left), 1);
      fillRandomly(bytesOf(right), 2);
      for (DeviceReduction reduction : reductions(type)) {
        assertThat(device(0).kernels().supports(reduction)).isTrue();
        ReduceFunction function = function(reduction);
        for (KernelStep step : KernelStep.values()) {
          fillRandomly(bytesOf(dst), 3);
          MemorySegment expected = arena.allocate(size + 16).copyFrom(bytesOf(dst));
          run(function, step, bytesOf(left), bytesOf(right), expected);
          device(0)
              .kernels()
              .apply(
                  stream,
                  reduction,
                  step,
                  left.address() + 1,
                  right.address() + 3,
                  dst.address() + 5,
                  COUNT);
          finish(stream);
          assertThat(bytesOf(dst).mismatch(expected)).as("%s %s", reduction, step).isEqualTo(-1);
        }
      }
    }
  }

  private static List<DeviceReduction> reductions(DataType type) {
    List<DeviceReduction> all = new ArrayList<>();
    for (ReductionOp op : ReductionOp.values()) {
      all.add(DeviceReduction.of(type, op, 3));
    }
    all.add(DeviceReduction.preMulSum(type, 3, 0x4142));
    return all;
  }

  private static ReduceFunction function(DeviceReduction reduction) {
    return reduction.preMultiplied()
        ? ScalarKernels.instance().preMulSum(reduction.type(), reduction.scalarBits())
        : ScalarKernels.instance().function(reduction.type(), reduction.op(), reduction.ranks());
  }

  private static void run(
      ReduceFunction f, KernelStep step, MemorySegment a, MemorySegment b, MemorySegment dst) {
    switch (step) {
      case COPY -> f.copy(b, 3, dst, 5, COUNT);
      case COPY_FINAL -> f.copyFinal(b, 3, dst, 5, COUNT);
      case REDUCE -> f.reduce(a, 1, b, 3, dst, 5, COUNT);
      case REDUCE_FINAL -> f.reduceFinal(a, 1, b, 3, dst, 5, COUNT);
      case COMBINE -> f.combine(a, 1, b, 3, dst, 5, COUNT);
      case COMBINE_FINAL -> f.combineFinal(a, 1, b, 3, dst, 5, COUNT);
    }
  }

  /** DEVKERNEL-07. */
  @Test
  void refusesWrongArguments() {
    DeviceReduction sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, 1);
    try (DeviceMemory memory = device(0).allocate(8);
        DeviceStream far = device(1).createStream(false);
        DeviceStream stream = device(0).createStream(false)) {
      long a = memory.address();
      assertFails(
          DeviceFailure.INVALID_ARGUMENT,
          () -> device(0).kernels().apply(far, sum, KernelStep.COMBINE, a, a, a, 1));
      for (long count : new long[] {-1, 3, Long.MAX_VALUE}) {
        assertFails(
            DeviceFailure.INVALID_ARGUMENT,
            () -> device(0).kernels().apply(stream, sum, KernelStep.COMBINE, a, a, a, count));
      }
    }
  }
}
