// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.cli.command.CommandVersion;
import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The Java run time and the options that a job's JVM needs, seen at this process. */
final class JavaChecks {
  private static final String VECTOR = "jdk.incubator.vector";
  private static final String VECTORS = "vector module";
  private static final String NATIVE = "native access";

  private JavaChecks() {}

  static List<DoctorFinding> look() {
    return look(JavaChecks::withoutNativeAccess);
  }

  /**
   * Looks at this process.
   *
   * @param closed finds the modules that call native code and may not
   */
  static List<DoctorFinding> look(Supplier<List<String>> closed) {
    List<DoctorFinding> found = new ArrayList<>();
    // An older Java loads no class of Nitinol, so there is no version to judge.
    found.addAll(
        DoctorCheck.run(
            "java", () -> List.of(DoctorFinding.ok("java", CommandVersion.platform()))));
    found.addAll(
        DoctorCheck.run(
            "java home",
            () -> List.of(DoctorFinding.note("java home", System.getProperty("java.home", "")))));
    found.addAll(DoctorCheck.run(NATIVE, () -> List.of(nativeAccess(closed.get()))));
    found.addAll(
        DoctorCheck.run(
            VECTORS,
            () ->
                List.of(
                    vector(
                        ModuleLayer.boot().findModule(VECTOR).isPresent(),
                        ModuleFinder.ofSystem().find(VECTOR).isPresent()))));
    return found;
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
      return DoctorFinding.ok(NATIVE, "every module that calls native code may");
    }
    String names = String.join(",", closed);
    return DoctorFinding.warning(
        NATIVE,
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
      return DoctorFinding.ok(VECTORS, VECTOR + " is loaded");
    }
    return there
        ? DoctorFinding.warning(
            VECTORS,
            VECTOR + " is there and not loaded",
            why,
            "java --add-modules=" + VECTOR + " ...")
        : DoctorFinding.warning(VECTORS, "this Java run time has no " + VECTOR, why, null);
  }
}
