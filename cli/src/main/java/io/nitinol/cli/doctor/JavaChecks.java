// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.cli.command.CommandVersion;
import java.lang.module.ModuleFinder;
import java.util.List;

/** The Java run time and the options that a job's JVM needs, seen at this process. */
final class JavaChecks {
  /** The version that Nitinol is compiled for. */
  private static final int OLDEST = 25;

  private static final String VECTOR = "jdk.incubator.vector";

  private JavaChecks() {}

  static List<DoctorFinding> look() {
    return List.of(
        version(Runtime.version().feature(), CommandVersion.platform()),
        DoctorFinding.note("java home", System.getProperty("java.home", "")),
        nativeAccess(withoutNativeAccess()),
        vector(
            ModuleLayer.boot().findModule(VECTOR).isPresent(),
            ModuleFinder.ofSystem().find(VECTOR).isPresent()));
  }

  static DoctorFinding version(int feature, String platform) {
    return feature >= OLDEST
        ? DoctorFinding.ok("java", platform)
        : DoctorFinding.problem(
            "java", platform, "Nitinol is compiled for Java " + OLDEST + ".", null);
  }

  /** Returns the modules that call native code and may not. */
  private static List<String> withoutNativeAccess() {
    Module own = JavaChecks.class.getModule();
    if (!own.isNamed()) {
      return own.isNativeAccessEnabled() ? List.of() : List.of("ALL-UNNAMED");
    }
    return ModuleLayer.boot().modules().stream()
        .filter(module -> module.getName().startsWith("io.nitinol."))
        .filter(module -> module.getPackages().stream().anyMatch(JavaChecks::hasBindings))
        .filter(module -> !module.isNativeAccessEnabled())
        .map(Module::getName)
        .sorted()
        .toList();
  }

  private static boolean hasBindings(String packageName) {
    return (packageName + ".").contains(".ffi.");
  }

  /**
   * Judges the native access.
   *
   * @param closed the modules that lack it
   */
  static DoctorFinding nativeAccess(List<String> closed) {
    if (closed.isEmpty()) {
      return DoctorFinding.ok("native access", "every module that calls native code may");
    }
    String names = String.join(",", closed);
    return DoctorFinding.warning(
        "native access",
        "not for " + names,
        "A module without it goes without its native code: no RDMA, no GPUs, no native plugins, or"
            + " over TCP a system call more for each large message.",
        "java --enable-native-access=" + names + " ...");
  }

  /**
   * Judges the vector module.
   *
   * @param loaded whether this JVM has it
   * @param there whether this Java run time has it
   */
  static DoctorFinding vector(boolean loaded, boolean there) {
    String why = "Without it the scalar kernels reduce host memory, which are slower.";
    if (loaded) {
      return DoctorFinding.ok("vector module", VECTOR + " is loaded");
    }
    return there
        ? DoctorFinding.warning(
            "vector module",
            VECTOR + " is there and not loaded",
            why,
            "java --add-modules=" + VECTOR + " ...")
        : DoctorFinding.warning("vector module", "this Java run time has no " + VECTOR, why, null);
  }
}
