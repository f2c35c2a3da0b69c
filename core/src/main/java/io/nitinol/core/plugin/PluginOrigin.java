// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a plugin comes from.
 *
 * @param application whether it was found on the application's own module or class path, and not in
 *     {@code NITINOL_PLUGIN_PATH} or {@code NCCL_NET_PLUGIN}
 * @param module its module, or null on a class path or where it is not known
 * @param location its jar or directory; a {@code jrt:} address inside a run-time image. Providers
 *     with equal locations are one plugin
 */
public record PluginOrigin(boolean application, @Nullable String module, String location) {

  /** Directories of a build, which have the same names in every project. */
  private static final Set<String> BUILD =
      Set.of("classes", "test-classes", "target", "build", "java", "main", "test", "out", "bin");

  /** Returns whether it is a native library. */
  public boolean isNative() {
    return location.matches(".*\\.so(\\.\\d+)*");
  }

  /**
   * Returns the module, or the name of the jar or directory: an origin for a line of the log. Of
   * {@code net-foo/target/classes} that is {@code net-foo}.
   */
  public String shortName() {
    if (module != null) {
      return "module " + module;
    }
    List<String> names = Arrays.stream(location.split("/")).filter(n -> !n.isEmpty()).toList();
    for (String name : names.reversed()) {
      if (!BUILD.contains(name)) {
        return name;
      }
    }
    return location;
  }

  /** Returns the origin, human-readable: {@code module net.foo (/opt/plugins/foo.jar)}. */
  @Override
  public String toString() {
    return module == null ? location : "module " + module + " (" + location + ")";
  }
}
