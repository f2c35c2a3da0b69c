// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.Communicator;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.Devices;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** All ranks add up their vectors, in the memory of a device each. */
final class DeviceAllReduce {
  public static void main(String[] args) {
    DeviceProvider provider = Devices.provider(); // NITINOL_DEVICE may name another one
    try (Communicator communicator = Communicator.fromEnvironment()) {
      int rank = communicator.rank();
      Device device = provider.devices().get(rank % provider.devices().size());
      long count = 1_000_000;
      long bytes = count * Float.BYTES;
      // The device communicator last: it is closed first, while everything that it uses is there.
      try (DeviceMemory values = device.allocate(bytes);
          DeviceMemory pinned = device.allocateHost(bytes);
          DeviceStream stream = device.createStream(false);
          DeviceCommunicator comm = DeviceCommunicator.join(communicator, provider, device)) {
        MemorySegment host = pinned.segment();
        for (long i = 0; i < count; i++) {
          host.setAtIndex(ValueLayout.JAVA_FLOAT, i, rank + 1);
        }
        DeviceBuffer buffer = DeviceBuffer.of(values);
        stream.copy(values.address(), pinned.address(), bytes);
        comm.allReduce(buffer, buffer, count, DataType.FLOAT32, ReductionOp.SUM, stream);
        stream.copy(pinned.address(), values.address(), bytes);
        comm.await(stream);
        System.out.println(
            "rank " + rank + " of " + communicator.size() + ": every element is "
                + host.getAtIndex(ValueLayout.JAVA_FLOAT, count - 1));
      }
    }
  }
}
