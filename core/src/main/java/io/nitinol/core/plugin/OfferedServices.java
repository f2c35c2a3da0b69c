// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.toolkit.ErrorText;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Tells why a jar that opens well holds no plugin. */
final class OfferedServices {

  /** How far ahead unknown versions are looked for where only their service files could tell. */
  private static final int FURTHER = 20;

  private OfferedServices() {}

  /** Returns the reason: nothing offered, or only versions that this core does not know. */
  static String nothingUsable(PluginUnit unit) {
    Set<String> unknown = new TreeSet<>();
    for (VersionLadder<?> ladder : VersionLadder.ALL) {
      String newest = ladder.service(ladder.newestVersion()).getName();
      int number = newest.lastIndexOf(".v") + 2;
      String before = newest.substring(0, number);
      String after = newest.substring(newest.indexOf('.', number));
      Pattern anyVersion = Pattern.compile(Pattern.quote(before) + "[0-9]+" + Pattern.quote(after));
      unit.descriptors().stream()
          .flatMap(descriptor -> descriptor.provides().stream())
          .map(provides -> provides.service())
          .filter(service -> anyVersion.matcher(service).matches())
          .forEach(unknown::add);
      for (int version = 1; version <= ladder.newestVersion() + FURTHER; version++) {
        String service = before + version + after;
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
