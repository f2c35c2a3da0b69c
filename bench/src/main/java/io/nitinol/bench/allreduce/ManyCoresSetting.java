// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A setting that our defaults must not be much slower than.
 *
 * @param name short, for the table
 * @param variables what it sets
 */
record ManyCoresSetting(String name, Map<String, String> variables) {
  /**
   * Returns those that may be better than the defaults in a case.
   *
   * @param spare how many processors there are for each rank
   */
  static List<ManyCoresSetting> of(Scenario scenario, int spare) {
    List<ManyCoresSetting> settings = new ArrayList<>();
    settings.add(channels(1));
    settings.add(channels(4));
    if (spare > 1) {
      Map<String, String> variables = new LinkedHashMap<>(channels(4).variables());
      variables.put("NITINOL_KERNEL_THREADS", "2");
      settings.add(new ManyCoresSetting("kernels2", variables));
      settings.add(new ManyCoresSetting("nohelpers", Map.of("NITINOL_HELPER_THREADS", "0")));
    }
    if (scenario.path() == Scenario.Path.TCP) {
      settings.add(streams(0, 1));
      settings.add(streams(1, 2));
      settings.add(streams(4, 1));
    }
    return settings;
  }

  private static ManyCoresSetting channels(int channels) {
    String text = Integer.toString(channels);
    return new ManyCoresSetting(
        "channels" + text, Map.of("NCCL_MIN_NCHANNELS", text, "NCCL_MAX_NCHANNELS", text));
  }

  private static ManyCoresSetting streams(int threads, int each) {
    return new ManyCoresSetting(
        "sockets" + threads + "x" + each,
        Map.of(
            "NCCL_SOCKET_NTHREADS", Integer.toString(threads),
            "NCCL_NSOCKS_PERTHREAD", Integer.toString(each)));
  }
}
