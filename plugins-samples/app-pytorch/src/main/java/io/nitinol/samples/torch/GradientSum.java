// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

import io.nitinol.core.Communicator;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;

/**
 * Sums gradients over the ranks where they lie, in PyTorch's memory, in parts, each as soon as it
 * is computed. For one thread.
 */
interface GradientSum extends AutoCloseable {
  /**
   * Begins to sum a part, behind what the thread has given to PyTorch.
   *
   * @param first the first number of the part
   * @param count how many numbers it has
   */
  void start(long first, long count);

  /** Sees to it that the next step of PyTorch comes after all sums. */
  void finish();

  @Override
  void close();

  /**
   * Returns for how long the thread has done nothing but wait for sums, in nanoseconds.
   *
   * @return -1 on a GPU, where no thread waits and so none knows
   */
  default long waitNanos() {
    return -1;
  }

  /** As {@link HostGradientSum}. */
  static GradientSum onHost(Communicator communicator, long address, long count) {
    return new HostGradientSum(communicator, address, count);
  }

  /**
   * On a GPU the sums are work of a stream of their own, which waits by events for PyTorch's
   * stream, and the other way round at the end. No thread waits.
   *
   * @param pytorch the handle of PyTorch's stream
   */
  static GradientSum onDevice(
      Communicator communicator,
      DeviceProvider provider,
      Device device,
      long address,
      long count,
      long pytorch) {
    DeviceBuffer all = DeviceBuffer.of(device, address, count * Float.BYTES);
    DeviceStream computes = device.wrapStream(pytorch);
    DeviceStream sums = device.createStream(true);
    DeviceEvent computed = device.createEvent(false);
    DeviceEvent summed = device.createEvent(false);
    DeviceCommunicator group = DeviceCommunicator.join(communicator, provider, device);
    return new GradientSum() {
      @Override
      public void start(long first, long length) {
        computes.record(computed);
        sums.await(computed);
        DeviceBuffer part = all.slice(first * Float.BYTES, length * Float.BYTES);
        group.allReduce(part, part, length, DataType.FLOAT32, ReductionOp.SUM, sums);
      }

      @Override
      public void finish() {
        sums.record(summed);
        computes.await(summed);
      }

      @Override
      public void close() {
        try {
          group.await(
              sums); // throws where a rank is lost, when the stream has let go of all memory
        } finally {
          group.close();
          summed.close();
          computed.close();
          sums.close();
          computes.close();
        }
      }
    };
  }
}
