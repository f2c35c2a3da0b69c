// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.doctor.DoctorFinding.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorChecksTest {
  private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0/";

  @TempDir private Path root;
  private WrittenHost written;

  @BeforeEach
  void begin() throws IOException {
    written = new WrittenHost(root);
    written.file("/proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-3");
  }

  @ParameterizedTest
  @CsvSource({
    "tsc, OK",
    "kvm-clock, OK",
    "arch_sys_counter, OK",
    "xen, NOTE",
    "hpet, WARNING",
    "acpi_pm, WARNING"
  })
  void aClockThatIsReadFromADeviceIsSlow(String clock, State state) throws IOException {
    written.file(CLOCK + "current_clocksource", clock);
    assertThat(ProcessorChecks.clock(written.host()).state()).isEqualTo(state);
  }

  @Test
  void aSlowClockIsReplacedOnlyByOneThatIsThere() throws IOException {
    written.file(CLOCK + "current_clocksource", "hpet");
    written.file(CLOCK + "available_clocksource", "hpet acpi_pm");
    DoctorFinding without = ProcessorChecks.clock(written.host());
    assertThat(without.mend()).isNull();
    assertThat(without.why()).contains("The kernel offers no tsc");
    written.file(CLOCK + "available_clocksource", "tsc hpet acpi_pm");
    assertThat(ProcessorChecks.clock(written.host()).mend())
        .isEqualTo("echo tsc | sudo tee " + CLOCK + "current_clocksource");
    written.file("/.dockerenv", "");
    assertThat(ProcessorChecks.clock(written.host()).mend()).as("the clock is the host's").isNull();
  }

  @Test
  void aClockThatIsNotShownIsUnknown() throws IOException {
    assertThat(ProcessorChecks.clock(written.host()).state()).isEqualTo(State.UNKNOWN);
    written.unreadable(CLOCK + "current_clocksource");
    List<DoctorFinding> found =
        DoctorCheck.run("clock source", () -> List.of(ProcessorChecks.clock(written.host())));
    assertThat(found).extracting(DoctorFinding::state).containsExactly(State.UNKNOWN);
    assertThat(found.getFirst().why()).contains("cannot read " + CLOCK + "current_clocksource");
  }

  @Test
  void withoutAQuotaAllIsWell() throws IOException {
    assertThat(quota().state()).isEqualTo(State.OK);
    written.file("/sys/fs/cgroup/cpu.max", "max 100000");
    written.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
    written.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
    assertThat(quota()).isEqualTo(DoctorFinding.ok("processor quota", "none"));
  }

  @Test
  void aQuotaBelowTheProcessorsIsAWarning() throws IOException {
    written.file("/sys/fs/cgroup/cpu.max", "250000 100000");
    DoctorFinding elsewhere = quota();
    assertThat(elsewhere.state()).isEqualTo(State.WARNING);
    assertThat(elsewhere.seen()).isEqualTo("time of 2.50 processors, on 4 processors");
    assertThat(elsewhere.mend()).isNull();
    written.file("/.dockerenv", "");
    assertThat(quota().mend()).isEqualTo("docker run --cpuset-cpus=0-1 ...");
    written.file("/sys/fs/cgroup/cpu.max", "400000 100000");
    assertThat(quota().state()).isEqualTo(State.OK);
  }

  /** The quota of a group holds for those inside it. */
  @Test
  void theSmallestQuotaOnTheWayUpCounts() throws IOException {
    written.file("/proc/self/cgroup", "4:cpu,cpuacct:/old\n3:memory:/m\n0::/a/b");
    written.file("/sys/fs/cgroup/a/b/cpu.max", "300000 100000");
    written.file("/sys/fs/cgroup/a/cpu.max", "200000 100000");
    written.file("/sys/fs/cgroup/m/cpu.max", "1000 100000");
    assertThat(quota().seen()).startsWith("time of 2.00 ");
    written.file("/sys/fs/cgroup/cpu,cpuacct/old/cpu.cfs_quota_us", "50000");
    written.file("/sys/fs/cgroup/cpu,cpuacct/old/cpu.cfs_period_us", "100000");
    assertThat(quota().seen()).startsWith("time of 0.50 ");
  }

  @Test
  void aQuotaThatIsNotUnderstoodIsAnErrorThatNamesIt() throws IOException {
    written.file("/sys/fs/cgroup/cpu.max", "lots 100000");
    assertThatThrownBy(this::quota)
        .isInstanceOf(IOException.class)
        .hasMessage("/sys/fs/cgroup/cpu.max: expected a whole number, found lots");
  }

  @Test
  void processorsThatAreNotUnderstoodAreAnErrorThatNamesThem() throws IOException {
    written.file("/proc/self/status", "Cpus_allowed_list:\tall");
    assertThatThrownBy(this::quota)
        .isInstanceOf(IOException.class)
        .hasMessage("Cpus_allowed_list: expected a list such as 0-7, found all");
  }

  @Test
  void aGroupOutsideOfTheContainerIsNotLookedFor() throws IOException {
    written.file("/proc/self/cgroup", "0::/../other");
    written.file("/sys/fs/other/cpu.max", "1000 100000");
    assertThat(quota().state()).isEqualTo(State.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "/.dockerenv, x, docker",
    "/run/.containerenv, x, podman",
    "/proc/1/cgroup, 0::/kubepods/burstable/pod1, kubernetes",
    "/proc/1/cgroup, 1:cpu:/docker/abc, docker",
    "/proc/1/cgroup, 0::/lxc/one, container",
    "/.singularity.d/runscript, x, apptainer",
    "/proc/self/mountinfo, 1 0 0:50 / / rw shared:1 - overlay overlay rw, container",
    "/proc/self/mountinfo, 1 0 8:1 / / rw - ext4 /dev/sda1 rw,",
    "/proc/self/mountinfo, 2 1 0:50 / /var/lib/merged rw - overlay overlay rw,",
    "/proc/1/cgroup, 0::/init.scope,"
  })
  void knowsContainers(String file, String text, String kind) throws IOException {
    assertThat(written.host().container()).isNull();
    assertThat(written.file(file, text).host().container()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "APPTAINER_CONTAINER, apptainer",
    "SINGULARITY_CONTAINER, apptainer",
    "KUBERNETES_SERVICE_HOST, kubernetes",
    "container, container"
  })
  void variablesTellOfContainers(String variable, String kind) {
    assertThat(written.variable(variable, "x").host().container()).isEqualTo(kind);
  }

  private DoctorFinding quota() throws IOException {
    return ProcessorChecks.quota(written.host());
  }

  @Test
  void memoryIsInTheUnitsThatPeopleRead() throws IOException {
    assertThat(ProcessorChecks.memory("24684092 kB")).isEqualTo("23.5 GiB");
  }
}
