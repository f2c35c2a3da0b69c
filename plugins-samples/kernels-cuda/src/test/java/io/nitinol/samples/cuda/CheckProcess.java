// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static io.nitinol.samples.cuda.CheckBench.require;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two ranks in two processes, which tell each other by a socket what ranks exchange. */
final class CheckProcess {
  /** The first argument of the program in the second process. */
  static final String ROLE = "rank-1";

  private static final int COUNT = 100_000;

  private CheckProcess() {}

  /** Runs both ranks: this process is rank 0 and starts the other one. */
  static void run(CheckBench bench) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(60_000);
      ProcessHandle.Info info = ProcessHandle.current().info();
      List<String> command = new ArrayList<>();
      command.add(info.command().orElseThrow());
      String[] arguments = info.arguments().orElseThrow();
      // Those of this program are the last ones.
      for (String argument : arguments) {
        command.add(argument);
        if (argument.endsWith(CudaCheck.class.getSimpleName())) {
          break;
        }
      }
      command.add(ROLE);
      command.add(Integer.toString(server.getLocalPort()));
      Process other = new ProcessBuilder(command).inheritIO().start();
      try (Socket socket = server.accept()) {
        rank(bench, 0, socket);
        require(other.waitFor(30, TimeUnit.SECONDS), "the other process does not end");
        require(other.exitValue() == 0, "the other process failed: %d", other.exitValue());
      } finally {
        other.destroyForcibly();
      }
    }
  }

  /** Runs rank 1. */
  static void child(CheckBench bench, int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      rank(bench, 1, socket);
    }
  }

  private static TeamExchange exchange(int rank, Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    return mine -> {
      try {
        out.writeInt(mine.length);
        out.write(mine);
        out.flush();
        byte[] theirs = new byte[in.readInt()];
        in.readFully(theirs);
        return rank == 0 ? new byte[][] {mine, theirs} : new byte[][] {theirs, mine};
      } catch (IOException e) {
        throw new IllegalStateException("the other process is gone", e);
      }
    };
  }

  private static void rank(CheckBench bench, int rank, Socket socket) throws IOException {
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    TeamExchange exchange = exchange(rank, socket);
    CudaDevice device = bench.device();
    DeviceReduction sum = DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, 2);
    try (CudaTeam team =
            device.joinTeam(
                new DeviceTeamConfig(rank, List.of(0, 1), 16, exchange), TeamSizes.DEFAULT);
        DeviceStream stream = device.createStream(false);
        DeviceMemory in = device.allocate(4L * COUNT);
        DeviceMemory out = device.allocate(4L * COUNT);
        TeamWindow inputs = team.openWindow(in.address(), in.size());
        TeamWindow outputs = team.openWindow(out.address(), out.size())) {
      require(inputs.size() == outputs.size(), "sizes of windows");
      float[] data = new float[COUNT];
      for (int i = 0; i < COUNT; i++) {
        data[i] = (i % 1000) * (rank + 1);
      }
      for (KernelFamily family :
          List.of(KernelFamily.LL, KernelFamily.LL128, KernelFamily.DIRECT, KernelFamily.RING)) {
        bench.put(in.address(), MemorySegment.ofArray(data).toArray(ValueLayout.JAVA_BYTE));
        stream.fill(out.address(), (byte) 0xff, out.size());
        CheckBench.finish(stream, "a fill");
        team.choice().force(family);
        team.allReduce(stream, sum, in.address(), out.address(), COUNT);
        CheckBench.finish(stream, "two processes, " + family);
        MemorySegment got = MemorySegment.ofArray(bench.get(out.address(), 4 * COUNT));
        for (int i = 0; i < COUNT; i++) {
          float is = got.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
          require(
              is == (i % 1000) * 3, "WRONG %s in two processes: element %d is %f", family, i, is);
        }
      }
      // Through stages, and then read by the other process in a window.
      TransferCheck check = new TransferCheck(bench);
      try (TransferCheck.End end = TransferCheck.End.open(team, stream)) {
        transfers(check, end);
        try (TeamWindow sent = end.window()) {
          require(sent.size() == end.out().size(), "size of a window");
          transfers(check, end);
        }
        transfers(check, end);
      }
    }
  }

  private static void transfers(TransferCheck check, TransferCheck.End end) {
    for (int number = 0; number < TransferCheck.cases(); number++) {
      List<TeamTransfer> list = check.prepare(end, number);
      TransferCheck.launch(end, list);
      CheckBench.finish(end.stream(), "transfers between processes, case " + number);
      check.verify();
    }
  }
}
