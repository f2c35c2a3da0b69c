// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.launch;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.spi.ReductionOp;

/** A program as the first page shows it: a rank that its launcher has made. */
final class LaunchedProgram {
  private LaunchedProgram() {}

  /** An argument makes it call a second time, which no launcher serves; "again", if one fails. */
  @SuppressWarnings("SystemOut") // the test listens
  public static void main(String[] args) {
    try (Communicator communicator = Communicator.fromEnvironment()) {
      int[] sum = {communicator.rank() + 1};
      communicator.blocking().allReduce(sum, ReductionOp.SUM);
      System.out.println(
          "rank %d of %d: %d".formatted(communicator.rank(), communicator.size(), sum[0]));
      if (args.length > 0) {
        Communicator.fromEnvironment().close();
      }
    } catch (CommException e) {
      System.out.println("failed: " + e);
      if (args.length > 0 && args[0].equals("again")) {
        again();
      }
    }
  }

  @SuppressWarnings("SystemOut") // the test listens
  private static void again() {
    try {
      Communicator.fromEnvironment().close();
    } catch (CommException e) {
      System.out.println("failed: " + e);
    }
  }
}
