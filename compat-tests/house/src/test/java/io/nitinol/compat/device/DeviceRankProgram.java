// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.device;

import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.DeviceBuffer;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.core.DeviceWindow;
import io.nitinol.core.Devices;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** One rank on the CPU twin as a process of its own; it reports on standard output. */
final class DeviceRankProgram {
  private static final int COUNT = 10_000;

  private DeviceRankProgram() {}

  /** Arguments: rank, nRanks, unique id, then what to do. */
  public static void main(String[] args) {
    int rank = Integer.parseInt(args[0]);
    int nRanks = Integer.parseInt(args[1]);
    UniqueId id = UniqueId.parse(args[2]);
    try {
      DeviceProvider provider = Devices.provider();
      Device device = provider.devices().get(rank % provider.devices().size());
      try (DeviceStream stream = device.createStream(false);
          DeviceMemory memory = device.allocate(4L * COUNT);
          DeviceCommunicator comm =
              DeviceCommunicator.init(id, nRanks, rank, CommConfig.standard(), provider, device)) {
        say("joined: " + comm.describe());
        switch (args[3]) {
          case "verify" -> verify(comm, stream, memory);
          case "endless" -> endless(comm, stream, memory);
          case "foreign" -> foreign(comm, stream, memory);
          default -> throw new IllegalArgumentException(args[3]);
        }
      }
    } catch (CommException e) {
      say("failed " + e.result() + " " + e.failedRank() + " " + e.getMessage());
      System.exit(3);
    }
    say("closed");
  }

  private static void verify(DeviceCommunicator comm, DeviceStream stream, DeviceMemory memory) {
    MemorySegment data = Objects.requireNonNull(memory.segment());
    DeviceBuffer buffer = DeviceBuffer.of(memory);
    for (int round = 0; round < 6; round++) {
      boolean windowed = round >= 3;
      for (int i = 0; i < COUNT; i++) {
        data.setAtIndex(ValueLayout.JAVA_INT, i, comm.rank() + i + round);
      }
      DeviceWindow window = windowed ? comm.register(buffer) : null;
      comm.allReduce(buffer, buffer, COUNT, DataType.INT32, ReductionOp.SUM, stream);
      comm.await(stream);
      int n = comm.size();
      for (int i = 0; i < COUNT; i++) {
        int expected = n * (n - 1) / 2 + n * (i + round);
        if (data.getAtIndex(ValueLayout.JAVA_INT, i) != expected) {
          throw new AssertionError("element " + i + " of round " + round);
        }
      }
      if (window != null) {
        window.close();
      }
    }
    say("right");
  }

  /** Reduces for ever, and prints a line after the first time. */
  private static void endless(DeviceCommunicator comm, DeviceStream stream, DeviceMemory memory) {
    DeviceBuffer buffer = DeviceBuffer.of(memory);
    for (long round = 0; ; round++) {
      comm.allReduce(buffer, buffer, COUNT, DataType.INT8, ReductionOp.MAX, stream);
      comm.await(stream);
      if (round == 0) {
        say("running");
      }
    }
  }

  /** As another library: it waits for the stream by itself, and asks only then. */
  private static void foreign(DeviceCommunicator comm, DeviceStream stream, DeviceMemory memory) {
    DeviceBuffer buffer = DeviceBuffer.of(memory);
    for (long round = 0; ; round++) {
      comm.allReduce(buffer, buffer, COUNT, DataType.INT8, ReductionOp.MAX, stream);
      if (!stream.synchronize(Long.MAX_VALUE)) {
        throw new AssertionError("the stream is not done");
      }
      comm.check();
      if (round == 0) {
        say("running");
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
