// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import io.nitinol.toolkit.file.ProcessorList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** Processors, memory, the clock, and what a container leaves of them. */
final class ProcessorChecks {
  private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0";

  /** Those that a process reads without a system call. */
  private static final Set<String> FAST_CLOCKS =
      Set.of(
          "tsc",
          "kvm-clock",
          "hyperv_clocksource_tsc_page",
          "arch_sys_counter",
          "riscv_clocksource",
          "timebase",
          "tod");

  private static final Set<String> SLOW_CLOCKS =
      Set.of("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit");

  private static final String QUOTA = "processor quota";

  private ProcessorChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.add(
        DoctorFinding.note("cores", Integer.toString(Runtime.getRuntime().availableProcessors())));
    found.addAll(DoctorCheck.run("memory", () -> List.of(memory(host.files()))));
    found.addAll(DoctorCheck.run("clock source", () -> List.of(clock(host))));
    found.addAll(DoctorCheck.run("container", () -> List.of(container(host))));
    found.addAll(DoctorCheck.run(QUOTA, () -> List.of(quota(host))));
    return found;
  }

  private static DoctorFinding container(ExaminedHost host) {
    String container = host.container();
    return DoctorFinding.note("container", container == null ? "none" : container);
  }

  private static DoctorFinding memory(HostFiles files) throws IOException {
    return DoctorFinding.note(
        "memory",
        ErrorText.of(
            "%s, free %s",
            memory(files.after("/proc/meminfo", "MemTotal:")),
            memory(files.after("/proc/meminfo", "MemAvailable:"))));
  }

  /** Returns a figure of the kernel, which counts in KiB and calls them kB. */
  static String memory(String figure) throws IOException {
    String digits = figure.replace("kB", "").strip();
    return SizeText.of(1024 * HostFiles.number(digits, "/proc/meminfo"));
  }

  static DoctorFinding clock(ExaminedHost host) throws IOException {
    HostFiles files = host.files();
    String name = "clock source";
    String clock = files.text(CLOCK + "/current_clocksource");
    if (clock == null) {
      return DoctorFinding.unknown(name, "The kernel shows none here.");
    }
    if (FAST_CLOCKS.contains(clock)) {
      return DoctorFinding.ok(name, clock);
    }
    if (!SLOW_CLOCKS.contains(clock)) {
      return DoctorFinding.note(name, clock, "It is not known here whether it is fast.");
    }
    String why =
        "Threads that wait look at the clock, and each look at this one is a system call and a slow"
            + " read of a device.";
    String others = files.textOr(CLOCK + "/available_clocksource", "");
    return List.of(others.split(" ", -1)).contains("tsc")
        ? DoctorFinding.warning(
            name,
            clock,
            why,
            host.unlessContained("echo tsc | sudo tee " + CLOCK + "/current_clocksource"))
        : DoctorFinding.warning(
            name, clock, why + " The kernel offers no tsc; dmesg may have the reason.", null);
  }

  static DoctorFinding quota(ExaminedHost host) throws IOException {
    String allowed = host.files().after("/proc/self/status", "Cpus_allowed_list:");
    int cores = ProcessorList.of(allowed).cardinality();
    if (cores == 0) {
      throw new IOException(
          ErrorText.of("Cpus_allowed_list: expected a list such as 0-7, found %s", allowed));
    }
    OptionalDouble quota = CpuQuota.of(host.files());
    if (quota.isEmpty()) {
      return DoctorFinding.ok(QUOTA, "none");
    }
    String seen =
        ErrorText.of("time of %.2f processors, on %d processors", quota.getAsDouble(), cores);
    if (quota.getAsDouble() >= cores) {
      return DoctorFinding.ok(QUOTA, seen);
    }
    int whole = Math.max(1, (int) quota.getAsDouble());
    return DoctorFinding.warning(
        QUOTA,
        seen,
        "Once the time is used up the kernel stops all threads of the process until the next"
            + " period. The other ranks wait for it. A process with processors of its own has no"
            + " such pauses.",
        host.containerWith("--cpuset-cpus=0" + (whole == 1 ? "" : "-" + (whole - 1))));
  }
}
