// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.util.List;
import java.util.TreeMap;

/** The targets by their names, which are those of their files of the corpus. */
final class Targets {
  /** A target's class, and for how many inputs of a quick one each of its own counts. */
  private record Entry(String className, int cost) {}

  private static final TreeMap<String, Entry> ENTRIES = new TreeMap<>();

  static {
    add("arrivals", 200, "toolkit.connect.ArrivalsTarget");
    add("bootstrap-frames", 1, "core.bootstrap.BootstrapFrameTarget");
    add("call-signature", 1, "core.progress.CallSignatureTarget");
    add("comm-terms", 1, "core.setup.CommTermsTarget");
    add("configuration", 10, "spi.config.SettingsTarget");
    add("connect-notice", 1, "core.connect.ConnectNoticeTarget");
    add("cost-cache", 10, "core.tuning.CostCacheTarget");
    add("device-placement", 1, "core.device.DevicePlacementTarget");
    add("failure-report", 1, "core.progress.failure.FailureReportTarget");
    add("frames", 1, "toolkit.control.FrameReaderTarget");
    add("graphs", 10, "core.topology.search.GraphDocumentTarget");
    add("handle", 1, "toolkit.connect.HandleTarget");
    add("handshake", 1, "toolkit.proof.HandshakeTarget");
    add("ib-end", 1, "net.ib.connect.EndInfoTarget");
    add("ib-filters", 1, "net.ib.device.FilterTarget");
    add("ib-failover", 1, "net.ib.data.FailoverReportTarget");
    add("job-answer", 20, "cli.top.JobAnswerTarget");
    add("look-answer", 1, "core.bootstrap.LookAnswerTarget");
    add("native-properties", 200, "net.nativeabi.plugin.PropertiesTarget");
    add("native-table", 200, "net.nativeabi.plugin.PluginTableTarget");
    add("perf-run", 20, "cli.perf.runs.PerfRunTarget");
    add("proven-frames", 1, "toolkit.control.ProvenFramesTarget");
    add("region-handle", 1, "core.shm.RegionHandleTarget");
    add("report-line", 1, "cli.launch.ReportLineTarget");
    add("socket-chunks", 100, "net.socket.ChunksTarget");
    add("socket-stream", 200, "net.socket.StreamTarget");
    add("switch-descriptor", 1, "net.collnet.wire.DescriptorTarget");
    add("switch-frames", 1, "net.collnet.wire.SwitchFrameTarget");
    add("tls-records", 1, "net.socket.tls.RecordTarget");
    add("topology", 10, "core.topology.TopologyDocumentTarget");
    add("traffic-matrix", 1, "cli.perf.collective.TrafficMatrixTarget");
    add("unique-id", 1, "core.bootstrap.UniqueIdTarget");
    add("variables", 1, "core.tuning.VariablesTarget");
    add("workload", 10, "core.sim.workload.WorkloadTarget");
  }

  private Targets() {}

  private static void add(String name, int cost, String type) {
    ENTRIES.put(name, new Entry("io.nitinol." + type, cost));
  }

  static List<String> names() {
    return List.copyOf(ENTRIES.keySet());
  }

  /** Throws an IllegalArgumentException for a name that no target has. */
  static void requireKnown(String name) {
    entry(name);
  }

  static String className(String name) {
    return entry(name).className;
  }

  /** Returns how many inputs of a target there are where quick ones have {@code quick}. */
  static long share(String name, long quick) {
    return Math.max(1, quick / entry(name).cost);
  }

  /** Returns how many a quick target has where these have {@code all} together. */
  static long quick(List<String> names, long all) {
    return (long) (all / names.stream().mapToDouble(name -> 1.0 / entry(name).cost).sum());
  }

  private static Entry entry(String name) {
    Entry found = ENTRIES.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "target '%s': expected one of %s".formatted(name, names()));
    }
    return found;
  }
}
