// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.ReductionOp;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** An application that names no network: prints a digest of the bits of some all-reduces. */
final class DigestRank {
  private static final int[] COUNTS = {1, 1000, 300_001, 2_000_003};

  private DigestRank() {}

  /** Runs: rank, number of ranks, id. */
  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(args[0]);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (Communicator comm =
        Communicator.init(UniqueId.parse(args[2]), Integer.parseInt(args[1]), rank)) {
      for (int count : COUNTS) {
        SplittableRandom random = new SplittableRandom(31L * count + rank);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = (float) random.nextDouble(-1e6, 1e6);
        }
        comm.blocking().allReduce(values, ReductionOp.SUM);
        ByteBuffer bits = ByteBuffer.allocate(count * Float.BYTES);
        bits.asFloatBuffer().put(values);
        digest.update(bits);
      }
    }
    System.out.println("digest " + HexFormat.of().formatHex(digest.digest()));
  }
}
