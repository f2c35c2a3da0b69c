// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.tuner.v1;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that influences how collectives are done; mirrors {@code ncclTuner}. Found by {@link
 * java.util.ServiceLoader} and in {@code NITINOL_PLUGIN_PATH}; {@code NCCL_TUNER_PLUGIN} chooses
 * one by its name.
 *
 * <p>All ranks of a communicator must come to the same choice, each on its own: for the same
 * arguments a tuner sets the same costs on every rank, or the communicator fails with an error that
 * reports what each rank chose. All ranks need a tuner of the same name.
 */
public interface Tuner {

  /** A tuner's state for one communicator; a class of the tuner's own. */
  interface Context {}

  /**
   * Returns a short ASCII name.
   *
   * @return the same name always
   */
  String name();

  /**
   * Returns why this tuner can be of no use here, found out without a communicator.
   *
   * @return the reason, human-readable; null where it can be used, as far as it knows
   */
  default @Nullable String unavailable() {
    return null;
  }

  /**
   * Begins with a communicator; mirrors {@code init} up to {@code ncclTuner_v4}.
   *
   * @param ranks how many ranks it has
   * @param nodes on how many hosts they are
   * @param logger where to log
   * @return what the other calls for this communicator are given
   * @throws RuntimeException when the tuner cannot be used; the framework warns and goes on without
   */
  Context init(int ranks, int nodes, DebugLogger logger);

  /**
   * Begins with a communicator of which more is told; mirrors {@code init} of {@code ncclTuner_v5}.
   * The framework calls this one, which leads to the other.
   *
   * @param shape what the communicator is like
   * @param logger where to log
   * @return what the other calls for this communicator are given
   * @throws RuntimeException when the tuner cannot be used; the framework warns and goes on without
   */
  default Context init(CommShape shape, DebugLogger logger) {
    return init(shape.ranks(), shape.nodes(), logger);
  }

  /**
   * Changes the costs of one operation; mirrors {@code getCollInfo}. Called before each operation,
   * by one thread at a time per context: it should take well under a microsecond and not allocate.
   *
   * @param context what {@link #init} returned
   * @param collective what is to be done
   * @param bytes of the larger of the two buffers of a rank
   * @param operations how many operations are fused into this one, 1 or more
   * @param table the framework's own costs, to be changed
   * @throws RuntimeException fails the communicator on all ranks, naming the tuner: what the other
   *     ranks were told by theirs is not known
   */
  void tune(Context context, Collective collective, long bytes, int operations, CostTable table);

  /**
   * Ends with a communicator; mirrors {@code destroy}.
   *
   * @param context what {@link #init} returned, not used any more
   */
  void destroy(Context context);
}
