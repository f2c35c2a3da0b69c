// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.net.collnet.node.SwitchStats;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A switch's statistics in Prometheus' text format, version 0.0.4. Groups come and go with
 * communicators, so they are counted by state and have no series of their own.
 */
final class Metrics {
  private final StringBuilder text = new StringBuilder();

  private Metrics() {}

  static String of(SwitchStats stats) {
    Metrics all = new Metrics();
    all.gauge(
        "up_seconds",
        "Time since the switch was started.",
        String.format(Locale.ROOT, "%.3f", stats.upNanos() / 1e9));
    all.groups(stats);
    all.gauge(
        "children",
        "Connected children of all groups.",
        stats.groups().stream().mapToLong(SwitchStats.GroupStats::children).sum());
    all.counter("groups_admitted_total", "Groups that have come about.", stats.groupsAdmitted());
    all.counter("joins_refused_total", "Joins that were refused.", stats.refusals());
    all.counter("group_failures_total", "Groups that a failure has ended.", stats.failures());
    all.counter("operations_total", "Operations that were complete.", stats.operations());
    all.counter("segments_total", "Segments reduced or put together.", stats.segments());
    all.counter(
        "reduced_bytes_total",
        "Bytes of contributions that went into reductions.",
        stats.reducedBytes());
    all.counter("received_bytes_total", "Bytes of data from children and parent.", stats.bytesIn());
    all.counter("sent_bytes_total", "Bytes of data to children and parent.", stats.bytesOut());
    all.gauge("memory_bytes", "Memory that groups have.", stats.memoryBytes());
    all.gauge("memory_limit_bytes", "Memory that groups may have.", stats.memoryLimitBytes());
    return all.text.toString();
  }

  private void groups(SwitchStats stats) {
    Map<String, Integer> states =
        new TreeMap<>(Map.of("forming", 0, "connecting", 0, "running", 0, "closing", 0));
    stats.groups().forEach(group -> states.merge(group.state(), 1, Integer::sum));
    head("groups", "Groups that exist now, by state.", "gauge");
    states.forEach((state, count) ->
        text.append("nitinol_switch_groups{state=\"%s\"} %d\n".formatted(state, count)));
  }

  private void gauge(String name, String help, long value) {
    gauge(name, help, Long.toString(value));
  }

  private void gauge(String name, String help, String value) {
    head(name, help, "gauge");
    text.append("nitinol_switch_").append(name).append(' ').append(value).append('\n');
  }

  private void counter(String name, String help, long value) {
    head(name, help, "counter");
    text.append("nitinol_switch_").append(name).append(' ').append(value).append('\n');
  }

  private void head(String name, String help, String type) {
    text.append("# HELP nitinol_switch_%s %s\n".formatted(name, help))
        .append("# TYPE nitinol_switch_%s %s\n".formatted(name, type));
  }
}
