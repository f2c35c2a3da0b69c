// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.toolkit.ErrorText;
import java.util.List;

/**
 * Which types a collective network reduces with which operators; mirrors NCCL's {@code
 * collNetSupportMatrix}. Averages and pre-multiplied sums are sums for the network: who sends and
 * receives scales. Immutable.
 *
 * @param bits one for each pair
 */
public record NetworkReductions(long bits) {
  /** Nothing at all. */
  public static final NetworkReductions NONE = new NetworkReductions(0);

  private static final List<ReductionOp> OPERATORS =
      List.of(ReductionOp.SUM, ReductionOp.PROD, ReductionOp.MAX, ReductionOp.MIN);

  /** Asks a plugin; one that cannot be asked about a pair does not reduce it. */
  static NetworkReductions of(CollNet net, DebugLogger logger) {
    long bits = 0;
    for (DataType type : DataType.values()) {
      for (ReductionOp op : OPERATORS) {
        try {
          bits |= net.reduceSupport(type, op) ? bit(type, op) : 0;
        } catch (RuntimeException e) {
          logger.info(
              LogSubsystem.COLL,
              "CollNet",
              ErrorText.of(
                  "%s could not be asked whether it reduces %s by %s: %s",
                  net.name(), type, op, e));
        }
      }
    }
    return new NetworkReductions(bits);
  }

  /** Returns what this and {@code other}, of another member, both reduce. */
  NetworkReductions and(NetworkReductions other) {
    return new NetworkReductions(bits & other.bits);
  }

  /**
   * Returns whether the network does its part of a reduction.
   *
   * @param op the operator's code, as in messages
   */
  public boolean reduces(DataType type, int op) {
    return op < CollectiveCall.FIRST_OF_HOST && (bits & bit(type, operator(op))) != 0;
  }

  /** Returns what the network is to do of a reduction by the operator of code {@code op}. */
  static ReductionOp operator(int op) {
    ReductionOp known = ReductionOp.ofCode(op);
    return known == null || known == ReductionOp.AVG ? ReductionOp.SUM : known;
  }

  private static long bit(DataType type, ReductionOp op) {
    return 1L << (type.code() * OPERATORS.size() + op.code());
  }
}
