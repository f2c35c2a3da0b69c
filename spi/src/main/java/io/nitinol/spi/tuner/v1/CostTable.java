// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.tuner.v1;

import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.util.Arrays;

/**
 * The expected costs of one operation, for each algorithm and protocol, in microseconds; mirrors
 * the {@code collCostTable} of {@code ncclTuner}. The framework fills it in, a tuner changes what
 * it knows better, and the cheapest way is taken. Belongs to the caller, for the time of one call.
 */
public final class CostTable {
  /** The cost of what cannot be done; {@code NCCL_ALGO_PROTO_IGNORE}. */
  public static final double IGNORE = -1;

  private static final int PROTOCOLS = Protocol.values().length;

  private final double[] micros = new double[Algorithm.values().length * PROTOCOLS];
  private int channels;

  /** Creates a table in which nothing can be done. */
  public CostTable() {
    clear();
  }

  /** Makes everything impossible and leaves the number of channels open. */
  public void clear() {
    Arrays.fill(micros, IGNORE);
    channels = 0;
  }

  /**
   * Returns a cost.
   *
   * @param algorithm which algorithm
   * @param protocol with which protocol
   * @return microseconds, or {@link #IGNORE} where that is not possible
   */
  public double get(Algorithm algorithm, Protocol protocol) {
    return micros[index(algorithm, protocol)];
  }

  /**
   * Sets a cost. A tuner that wants one way to be taken sets it to 0.
   *
   * @param algorithm which algorithm
   * @param protocol with which protocol
   * @param cost microseconds, or {@link #IGNORE}
   * @throws IllegalArgumentException when the cost is negative and not {@link #IGNORE}, or is no
   *     number
   */
  public void set(Algorithm algorithm, Protocol protocol, double cost) {
    if (!(cost >= 0) && cost != IGNORE) {
      throw new IllegalArgumentException(
          "the cost of " + algorithm + "/" + protocol + " is " + cost + "; expected 0 or more us");
    }
    micros[index(algorithm, protocol)] = cost;
  }

  /**
   * Returns how many channels the tuner wants.
   *
   * @return 0 where it does not care
   */
  public int channels() {
    return channels;
  }

  /**
   * Sets how many channels to use; the framework stays within what the communicator has.
   *
   * @param wanted from 1, or 0 to leave it open
   * @throws IllegalArgumentException when it is negative
   */
  public void setChannels(int wanted) {
    if (wanted < 0) {
      throw new IllegalArgumentException("channels " + wanted + "; expected 0 or more");
    }
    channels = wanted;
  }

  private static int index(Algorithm algorithm, Protocol protocol) {
    return algorithm.ordinal() * PROTOCOLS + protocol.ordinal();
  }
}
