// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides what becomes of something that a variable asks for by name and that cannot be had: an
 * error, or a warning that its user sees without asking for a log. This is the only place that
 * decides; {@code docs/environment.md} has the rule for users.
 *
 * <p>It is an error where data would go another way than asked, over another network or in the
 * clear, or where ranks would no longer do the same.
 */
@AnyThread
public final class UnmetRequest {
  /**
   * The variables whose value is refused: the network (as in NCCL) and the CollNet, the tuner, the
   * kernels and the devices, by which ranks could differ, and the file that may ask for any of them
   * or for encryption. A network that is asked to encrypt refuses by itself: see {@link
   * Variable#strict}.
   */
  private static final Set<Variable<?>> REFUSED =
      Set.of(
          CoreVariables.NET,
          CoreVariables.COLLNET,
          CoreVariables.TUNER_PLUGIN,
          CoreVariables.KERNELS,
          CoreVariables.DEVICE,
          CoreVariables.CONF_FILE);

  /** How many sentences are told unasked: some have numbers in them and differ each time. */
  private static final int MOST_TOLD = 100;

  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private UnmetRequest() {}

  /** Returns whether a request by {@code variable} that cannot be had is an error. */
  public static boolean isRefused(Settings settings, Variable<?> variable) {
    // Without the other variable there would be no CollNet anyway.
    return REFUSED.contains(variable)
        && (!variable.equals(CoreVariables.COLLNET) || settings.get(CoreVariables.COLLNET_ENABLE));
  }

  /**
   * Refuses a request, or tells of it.
   *
   * @param variable asks for it
   * @param sentence what is asked for, why it cannot be had and what is done instead
   * @throws NetException INVALID_USAGE with the sentence, where the request is refused
   */
  public static void report(
      Settings settings, DebugLogger logger, Variable<?> variable, String sentence) {
    if (isRefused(settings, variable)) {
      throw new NetException(ResultCode.INVALID_USAGE, sentence);
    }
    tell(settings, logger, sentence);
  }

  /**
   * Warns of what a user must hear, once in a process and also where there is no log. The first
   * rank of a host tells it; the others, which have the same variables, only warn in their log.
   */
  static void tell(Settings settings, DebugLogger logger, String sentence) {
    boolean first = isFirstOfHost(settings) && Log.isHeard(logger) && TOLD.size() < MOST_TOLD;
    if (first && TOLD.add(sentence)) {
      Log.tell(logger, "UnmetRequest", sentence);
    } else {
      logger.warn("UnmetRequest", sentence);
    }
  }

  /** Returns whether this process is the first rank of its host, or has no launcher. */
  static boolean isFirstOfHost(Settings settings) {
    return RankEnvironment.isFirstOfHost(name -> {
      String set = settings.raw(name);
      return set == null ? System.getenv(name) : set; // settings have none of other launchers
    });
  }
}
