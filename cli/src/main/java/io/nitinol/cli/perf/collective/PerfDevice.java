// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a rank computes with, as the table's header and the file for programs show it.
 *
 * @param index the place among the devices that its process sees
 * @param place its address on the PCI bus, or a word for what is on none
 * @param name what it is, human-readable
 * @param reach how the ranks reach each other's device memory, in one line; empty for host memory
 * @param facts what its driver tells of it, by name; none for host memory
 */
public record PerfDevice(
    int index, String place, String name, String reach, Map<String, String> facts) {
  private static final String BETWEEN = "=";

  /** Copies the facts, in their order. */
  public PerfDevice {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** Returns the processors of a host, whose memory the buffers are. */
  public static PerfDevice host(String name) {
    return new PerfDevice(0, "cpu", name, "", Map.of());
  }

  /** Returns this as lines, for another rank to {@link #decode}. */
  public String encode() {
    StringBuilder lines = new StringBuilder();
    lines.append(index).append('\n').append(line(place)).append('\n');
    lines.append(line(name)).append('\n').append(line(reach));
    facts.forEach(
        (fact, value) -> lines.append('\n').append(fact).append(BETWEEN).append(line(value)));
    return lines.toString();
  }

  private static String line(String text) {
    return text.replace('\n', ' ');
  }

  /** Returns what {@link #encode} wrote. */
  public static PerfDevice decode(String encoded) {
    List<String> lines = encoded.lines().toList();
    Map<String, String> facts = new LinkedHashMap<>();
    for (String line : lines.subList(Math.min(4, lines.size()), lines.size())) {
      String[] parts = line.split(BETWEEN, 2);
      facts.put(parts[0], parts[1]);
    }
    return new PerfDevice(
        Integer.parseInt(lines.get(0)), lines.get(1), lines.get(2), at(lines, 3), facts);
  }

  /** An empty last line is none. */
  private static String at(List<String> lines, int index) {
    return index < lines.size() ? lines.get(index) : "";
  }
}
