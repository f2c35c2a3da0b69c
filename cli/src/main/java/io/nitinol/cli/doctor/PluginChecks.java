// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.core.plugin.SelectionPreview;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The plugins that were found, and whether a job would have a network. */
final class PluginChecks {
  private static final String NETWORKS = "networks";

  private PluginChecks() {}

  /**
   * Returns the report of a machine. Where the plugins cannot be asked, whether a job would have a
   * network is unknown, and the report says why.
   *
   * @param before what was found before
   * @param asked what a selection would do
   */
  static DoctorReport report(List<DoctorFinding> before, Supplier<SelectionPreview> asked) {
    List<DoctorFinding> found = new ArrayList<>(before);
    try {
      SelectionPreview preview = asked.get();
      found.addAll(look(preview));
      return new DoctorReport(found, preview.failure());
    } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
      String why = "The plugins could not be asked: " + ErrorText.reason(e);
      found.add(DoctorFinding.unknown(NETWORKS, why));
      return new DoctorReport(found, why);
    }
  }

  static List<DoctorFinding> look(SelectionPreview preview) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(NETWORKS, () -> List.of(networks(preview))));
    found.addAll(others("collective networks", preview, PluginKind.COLLNET));
    found.addAll(others("kernels", preview, PluginKind.KERNEL));
    found.addAll(others("device providers", preview, PluginKind.DEVICE));
    found.addAll(others("tuners", preview, PluginKind.TUNER));
    found.addAll(others("profilers", preview, PluginKind.PROFILER));
    return found;
  }

  private static List<DoctorFinding> others(
      String name, SelectionPreview preview, PluginKind kind) {
    return DoctorCheck.run(name, () -> List.of(DoctorFinding.note(name, plugins(preview, kind))));
  }

  private static DoctorFinding networks(SelectionPreview preview) {
    String seen = plugins(preview, PluginKind.NET);
    return preview.failure() == null
        ? DoctorFinding.ok(NETWORKS, seen)
        : DoctorFinding.problem(
            NETWORKS, seen, "No job of several ranks can start without a network.", null);
  }

  private static String plugins(SelectionPreview preview, PluginKind kind) {
    String found =
        preview.plugins().stream()
            .filter(plugin -> plugin.kind() == kind)
            .map(plugin ->
                plugin.state() == PluginState.CHOSEN
                    ? plugin.name() + " (chosen)"
                    : plugin.name() + " (" + plugin.state().label() + ")")
            .collect(Collectors.joining(", "));
    return found.isEmpty() ? "none" : found;
  }
}
