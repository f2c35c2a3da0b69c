// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says why a jar that opens well holds no plugin. */
final class OfferedServices {
  private static final Pattern OURS =
      Pattern.compile(
          "io\\.nitinol\\.spi\\.(net|collnet|kernel|tuner|profiler)\\.v[0-9]+\\."
              + "(Net|CollNet|KernelProvider|Tuner|Profiler)");

  /** How far ahead unknown versions are looked for where only their service files could tell. */
  private static final int FURTHER = 20;

  private OfferedServices() {}

  /** Returns the reason: nothing offered, or only versions that this core does not know. */
  static String nothingUsable(PluginUnit unit) {
    Set<String> unknown = new TreeSet<>();
    unit.descriptors().stream()
        .flatMap(descriptor -> descriptor.provides().stream())
        .map(provides -> provides.service())
        .filter(service -> OURS.matcher(service).matches())
        .forEach(unknown::add);
    int newest = VersionLadder.NET.rungs().getLast().version();
    for (int version = 1; version <= newest + FURTHER; version++) {
      for (String service :
          List.of(
              "io.nitinol.spi.net.v" + version + ".Net",
              "io.nitinol.spi.collnet.v" + version + ".CollNet",
              "io.nitinol.spi.kernel.v" + version + ".KernelProvider",
              "io.nitinol.spi.tuner.v" + version + ".Tuner",
              "io.nitinol.spi.profiler.v" + version + ".Profiler")) {
        if (unit.loader().getResource("META-INF/services/" + service) != null) {
          unknown.add(service);
        }
      }
    }
    String known =
        VersionLadder.NET.rungs().stream()
            .map(rung -> rung.service().getName())
            .collect(Collectors.joining(", "));
    return unknown.isEmpty()
        ? ErrorText.of(
            "offers no provider of %s or of a CollNet, kernels, a tuner or a profiler; what a"
                + " plugin depends on goes into one directory with it",
            known)
        : "offers " + String.join(", ", unknown) + ", and this Nitinol knows " + known;
  }
}
