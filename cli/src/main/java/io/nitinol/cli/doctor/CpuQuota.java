// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** How much processor time the control groups of this process leave it. */
final class CpuQuota {
  private static final String ROOT = "/sys/fs/cgroup";

  private CpuQuota() {}

  /**
   * Returns the smallest quota on the way from this process's group up to the root, in processors.
   *
   * @return empty where there is none
   * @throws IOException where one of them cannot be read
   */
  static OptionalDouble of(HostFiles files) throws IOException {
    OptionalDouble least = OptionalDouble.empty();
    for (String group : groups(files)) {
      least = least(least, newer(files, ROOT + group + "/cpu.max"));
      for (String controller : List.of("/cpu", "/cpu,cpuacct")) {
        least = least(least, older(files, ROOT + controller + group));
      }
    }
    return least;
  }

  /** Returns the groups that may have a quota, each as a path below the root. */
  private static List<String> groups(HostFiles files) throws IOException {
    List<String> groups = new ArrayList<>();
    groups.add(""); // in a container this is its own group
    String own = files.text("/proc/self/cgroup");
    for (String line : own == null ? List.<String>of() : List.of(own.split("\n", -1))) {
      String[] parts = line.split(":", 3);
      boolean counts =
          parts.length == 3
              && (parts[1].isEmpty() || List.of(parts[1].split(",", -1)).contains("cpu"));
      String path = counts ? parts[2] : "";
      // A group outside of what a container sees begins with /.. and has no files here.
      while (path.length() > 1 && !path.contains("..")) {
        groups.add(path);
        path = path.substring(0, path.lastIndexOf('/'));
      }
    }
    return groups;
  }

  private static OptionalDouble newer(HostFiles files, String name) throws IOException {
    String text = files.text(name);
    if (text == null || text.startsWith("max")) {
      return OptionalDouble.empty();
    }
    String[] words = text.split(" ", -1);
    if (words.length != 2) {
      throw new IOException(name + ": expected a quota and a period, found " + text);
    }
    return quotient(words[0], words[1], name);
  }

  private static OptionalDouble older(HostFiles files, String group) throws IOException {
    String quota = files.text(group + "/cpu.cfs_quota_us");
    String period = files.text(group + "/cpu.cfs_period_us");
    return quota == null || period == null || quota.startsWith("-")
        ? OptionalDouble.empty()
        : quotient(quota, period, group + "/cpu.cfs_quota_us");
  }

  private static OptionalDouble quotient(String quota, String period, String name)
      throws IOException {
    long divisor = HostFiles.number(period, name);
    if (divisor <= 0) {
      throw new IOException(name + ": expected a period above 0, found " + period);
    }
    return OptionalDouble.of((double) HostFiles.number(quota, name) / divisor);
  }

  private static OptionalDouble least(OptionalDouble one, OptionalDouble other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalDouble.of(Math.min(one.getAsDouble(), other.getAsDouble()));
  }
}
