// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One rank of a job that gets stuck in its second collective, as its last argument has it. */
final class DiagnosedRank {
  private DiagnosedRank() {}

  /**
   * Reduces once, waits for a byte on standard input, and makes the second call: all ranks the
   * same, but rank 1 none where the fourth argument is absent, another count where it is count, and
   * another collective where it is collective. Where it is sends, 1,500 batches lie between the
   * two, more than are kept; where it is exit, a rank that fails exits without closing anything;
   * where it is steady, all ranks call again and again until the test ends them; and where it is
   * split, they have a second communicator, made by a split, while they wait.
   *
   * <p>With a fifth argument a rank that has failed keeps its communicator until the test ends it.
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    try (Arena arena = Arena.ofShared();
        Communicator comm =
            Communicator.init(UniqueId.parse(args[2]), Integer.parseInt(args[1]), rank)) {
      MemorySegment buffer = arena.allocate(64, 64);
      comm.allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM).await();
      try (Communicator split = args[3].equals("split") ? comm.split(0, rank) : null) {
        System.out.println(split == null ? "ready" : "ready, and split");
        System.in.read();
      }
      if (args[3].equals("sends")) {
        for (int i = 0; i < 1500; i++) {
          Work work =
              rank == 0
                  ? comm.send(buffer, 16, DataType.FLOAT32, 1)
                  : comm.recv(buffer, 16, DataType.FLOAT32, 0);
          work.await();
        }
      }
      if (args[3].equals("steady")) {
        while (true) {
          comm.allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM).await();
        }
      }
      try {
        call(comm, buffer, rank == 1 ? args[3] : "same", args[3].equals("exit"));
      } catch (CommException e) {
        if (args.length > 4) {
          System.out.println("keeps: " + e.getMessage());
          System.in.read(); // the test ends this process
        }
        throw e;
      }
      System.out.println("unexpected: nothing was wrong");
    } catch (CommException e) {
      System.out.println("failed: " + e.getMessage());
    }
    System.out.println("end");
  }

  private static void call(Communicator comm, MemorySegment buffer, String deed, boolean exits)
      throws IOException {
    switch (deed) {
      case "absent", "exit", "sends" -> System.in.read(); // the test ends this process
      case "count" -> comm.allReduce(buffer, buffer, 8, DataType.FLOAT32, ReductionOp.SUM).await();
      case "collective" -> comm.broadcast(buffer, buffer, 16, DataType.FLOAT32, 0).await();
      default -> reduce(comm, buffer, exits);
    }
  }

  private static void reduce(Communicator comm, MemorySegment buffer, boolean exits) {
    try {
      comm.allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM).await();
    } catch (CommException e) {
      if (exits) {
        System.exit(1);
      }
      throw e;
    }
  }
}
