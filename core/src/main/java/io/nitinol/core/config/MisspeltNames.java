// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds variables that are set, that no module declares and whose names are close to a declared
 * one. A misspelt variable would otherwise be ignored, and a job that was to be encrypted would not
 * be.
 *
 * <p>A {@code NITINOL_} name also counts where it leaves out a part. A {@code NCCL_} name counts
 * only where it is a few letters away, and not where NCCL or a well-known plugin of it reads it: a
 * variable of another program is no mistake here.
 */
public final class MisspeltNames {
  private static final String OWN = "NITINOL_";
  private static final int SHORTEST_PART = 3;

  /** Names of NCCL, its tests and its plugins that are close to one which is declared here. */
  private static final Set<String> OF_NCCL =
      Set.of(
          "NCCL_COLLNET_ENABLE",
          "NCCL_GRAPH_FILE",
          "NCCL_IB_CUDA_SUPPORT",
          "NCCL_IB_DATA_DIRECT",
          "NCCL_IB_ECE_ENABLE",
          "NCCL_IB_IS_GLOBAL",
          "NCCL_IB_OOO_RQ",
          "NCCL_IB_SUBNET_AWARE_ROUTING",
          "NCCL_IB_WARN_RAIL_LOCAL",
          "NCCL_LL_BUFFSIZE",
          "NCCL_LL128_BUFFSIZE",
          "NCCL_LL128_NTHREADS",
          "NCCL_MAX_CTAS",
          "NCCL_MAX_NRINGS",
          "NCCL_MAX_P2P_NCHANNELS",
          "NCCL_MIN_CTAS",
          "NCCL_MIN_NRINGS",
          "NCCL_MIN_P2P_NCHANNELS",
          "NCCL_MNNVL_ENABLE",
          "NCCL_NET_GDR_LEVEL",
          "NCCL_NET_GDR_READ",
          "NCCL_NVLS_ENABLE",
          "NCCL_NVLS_NCHANNELS",
          "NCCL_OOB_NET_IFNAME",
          "NCCL_P2P_DIRECT_DISABLE",
          "NCCL_P2P_LEVEL",
          "NCCL_P2P_NET_CHUNKSIZE",
          "NCCL_PROFILER_PLUGIN",
          "NCCL_PXN_DISABLE",
          "NCCL_RAS_ADDR",
          "NCCL_RAS_ENABLE",
          "NCCL_SHM_LOCALITY",
          "NCCL_SOCKET_POLL_TIMEOUT_MSEC",
          "NCCL_TOPO_FILE",
          "NCCL_TUNER_CONFIG_FILE",
          "NCCL_WIN_ENABLE");

  private MisspeltNames() {}

  /**
   * A variable that was probably meant to be another one.
   *
   * @param sentence what to report to the user; without the value, which may be a secret
   * @param grave whether the job may go another way than was meant: in the clear, or by TCP
   */
  public record Found(String sentence, boolean grave) {}

  /** Returns the variables of {@code settings} that look misspelt, by name. */
  public static List<Found> in(Settings settings, VariableTable table) {
    List<String> known = new ArrayList<>();
    for (VariableCatalog catalog : table.catalogs()) {
      catalog.variables().stream().map(Variable::name).forEach(known::add);
    }
    List<Found> found = new ArrayList<>();
    Set<String> names = new TreeSet<>(settings.names());
    known.forEach(names::remove);
    names.removeAll(OF_NCCL);
    for (String name : names) {
      List<String> meant = known.stream().filter(k -> isMisspelt(name, k)).toList();
      String hint = CloseNames.suggest(name, meant);
      if (!hint.isEmpty()) {
        found.add(
            new Found(
                name + " is set, and no part of Nitinol reads it" + hint,
                meant.stream().anyMatch(MisspeltNames::isGrave)));
      }
    }
    return found;
  }

  private static boolean isGrave(String meant) {
    return meant.startsWith(OWN)
        || meant.startsWith("NCCL_IB_")
        || meant.startsWith("NCCL_SOCKET_");
  }

  private static boolean isMisspelt(String name, String known) {
    int prefix = known.indexOf('_') + 1;
    if (!name.startsWith(known.substring(0, prefix))) {
      return false;
    }
    String typed = name.substring(prefix);
    String meant = known.substring(prefix);
    boolean partLeftOut =
        known.startsWith(OWN) && typed.length() >= SHORTEST_PART && meant.contains(typed);
    int most = Math.clamp(Math.min(typed.length(), meant.length()) / 4, 1, 3);
    return partLeftOut || CloseNames.distance(typed, meant) <= most;
  }
}
