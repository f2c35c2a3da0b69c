// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A process that makes a communicator of its own, uses and closes it, again and again. */
final class ClosingRank {
  /** So that some looks see the communicator and others its end. */
  private static final long USED_NANOS = 50_000_000;

  private ClosingRank() {}

  /** Goes on until a byte comes on standard input. */
  public static void main(String[] args) throws IOException {
    System.out.println("ready");
    for (int round = 1; System.in.available() == 0; round++) {
      try (Arena arena = Arena.ofShared();
          UniqueId id = UniqueId.create(Settings.process(), Log.process());
          Communicator comm = Communicator.init(id, 1, 0)) {
        MemorySegment buffer = arena.allocate(64, 64);
        long begin = System.nanoTime();
        do {
          comm.allReduce(buffer, buffer, 16, DataType.FLOAT32, ReductionOp.SUM).await();
        } while (System.nanoTime() - begin < USED_NANOS);
      }
      if (round % 50 == 0) {
        System.out.println("round " + round);
      }
    }
    System.out.println("end");
  }
}
