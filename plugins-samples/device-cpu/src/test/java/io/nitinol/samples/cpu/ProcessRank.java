// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Rank 1 of a team of two processes: meets rank 0 through its standard streams, line by line in
 * hexadecimal digits, after a handle of its memory, adds 1 to a million numbers, and then waits in
 * an operation that rank 0 never launches.
 */
final class ProcessRank {
  static final int COUNT = 1_000_000;
  static final DeviceReduction SUM = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, 2);

  private ProcessRank() {}

  public static void main(String[] arguments) {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    DeviceTeamConfig config =
        new DeviceTeamConfig(
            1, List.of(0, 1), DeviceTeamConfig.DEFAULT_BLOCKS, exchange(1, in, System.out));
    Device device = new CpuDeviceProvider().devices().get(1);
    DeviceMemory memory = device.allocate(COUNT * 4L);
    System.out.println(HexFormat.of().formatHex(device.exportMemory(memory.address(), 1)));
    DeviceTeam team = device.joinTeam(config);
    for (int i = 0; i < COUNT; i++) {
      Objects.requireNonNull(memory.segment()).setAtIndex(ValueLayout.JAVA_INT, i, 1);
    }
    DeviceStream stream = device.createStream(false);
    team.openWindow(memory.address(), memory.size());
    team.allReduce(stream, SUM, memory.address(), memory.address(), COUNT);
    team.allReduce(stream, SUM, memory.address(), memory.address(), 1);
    stream.synchronize(TimeUnit.MINUTES.toNanos(2)); // until it is killed
  }

  /** An exchange of two ranks over a pair of streams. */
  static TeamExchange exchange(int rank, BufferedReader in, PrintStream out) {
    return mine -> {
      try {
        out.println(HexFormat.of().formatHex(mine));
        out.flush();
        String line = in.readLine();
        if (line == null) {
          throw new IllegalStateException("the other rank has gone");
        }
        byte[] other = HexFormat.of().parseHex(line);
        return rank == 0 ? new byte[][] {mine, other} : new byte[][] {other, mine};
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
