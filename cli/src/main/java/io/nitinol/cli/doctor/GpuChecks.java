// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Devices;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** NVIDIA GPUs, their driver, and whether they reach each other. */
final class GpuChecks {
  private static final String DRIVER = "/proc/driver/nvidia/version";
  private static final String GPUS = "/proc/driver/nvidia/gpus";

  /** The oldest driver that the provider {@code cuda} works with. */
  private static final int OLDEST_DRIVER = 580;

  private static final Pattern VERSION = Pattern.compile("Kernel Module\\b.*?\\s(\\d+)(\\.\\d+)+");
  private static final Pattern MODEL = Pattern.compile("(?m)^Model:\\s*(.*?)\\s*$");
  private static final Pattern MINOR = Pattern.compile("(?m)^Device Minor:\\s*(\\d{1,3})\\s*$");

  /** The file of a GPU is this and its minor number. */
  private static final String GPU = "/dev/nvidia";

  private static final String CONTROL = "/dev/nvidiactl";
  private static final String UNIFIED_MEMORY = "/dev/nvidia-uvm";

  /** What nvidia-modprobe takes for {@link #CONTROL}. */
  private static final String CONTROL_MINOR = "255";

  private static final String LIST = "NVIDIA GPUs";
  private static final String LIBRARY = "CUDA driver";
  private static final String PEERS = "peer access";
  private static final String ABSENT = "Nothing can use the GPUs of this machine without it.";

  private GpuChecks() {}

  /**
   * Looks at the GPUs.
   *
   * @param provider finds the provider of devices, only called where there are several GPUs
   */
  static List<DoctorFinding> look(ExaminedHost host, Supplier<DeviceProvider> provider) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(LIST, () -> gpus(host)));
    found.addAll(DoctorCheck.run(LIBRARY, () -> List.of(library(host))));
    found.addAll(DoctorCheck.run(PEERS, () -> peers(host.files(), provider)));
    return found;
  }

  /** Returns the provider that the settings of this process choose. */
  static DeviceProvider chosenProvider() {
    return Devices.provider(CommConfig.standard());
  }

  static List<DoctorFinding> gpus(ExaminedHost host) throws IOException {
    List<String> places = host.files().names(GPUS);
    if (places.isEmpty()) {
      return List.of(DoctorFinding.note(LIST, "none"));
    }
    String seen =
        places.stream()
            .map(place -> (place + " " + model(host.files(), place)).strip())
            .collect(Collectors.joining(", "));
    List<DoctorFinding> found = new ArrayList<>();
    found.add(devices(host, gpuFiles(host.files(), places), seen));
    found.addAll(DoctorCheck.run("GPU driver", () -> List.of(driver(host.files()))));
    return found;
  }

  private static String model(HostFiles files, String place) {
    Matcher model = MODEL.matcher(files.textOr(GPUS + "/" + place + "/information", ""));
    return model.find() ? model.group(1) : "";
  }

  /** Returns the files of GPUs, as far as the driver tells their numbers. */
  private static List<String> gpuFiles(HostFiles files, List<String> places) {
    List<String> found = new ArrayList<>();
    for (String place : places) {
      Matcher minor = MINOR.matcher(files.textOr(GPUS + "/" + place + "/information", ""));
      if (minor.find()) {
        found.add(GPU + minor.group(1));
      }
    }
    return found;
  }

  /**
   * A container sees the driver of its host, and the files of devices that were passed in. On a
   * host without a screen the file of unified memory is there from the first CUDA program on.
   */
  private static DoctorFinding devices(ExaminedHost host, List<String> gpus, String seen)
      throws IOException {
    List<String> needed = new ArrayList<>(gpus);
    needed.addAll(List.of(CONTROL, UNIFIED_MEMORY));
    List<String> absent = needed.stream().filter(file -> !host.files().exists(file)).toList();
    boolean lent =
        host.container() != null && gpus.containsAll(absent) && !absent.containsAll(gpus);
    boolean unused = host.container() == null && absent.equals(List.of(UNIFIED_MEMORY));
    if (!absent.isEmpty() && !lent && !unused) {
      return DoctorFinding.warning(
          LIST,
          seen,
          ErrorText.of(
              "Programs reach GPUs by files of devices, and these are absent: %s. The first program"
                  + " makes them where nvidia-modprobe is installed and set-user-ID root.",
              String.join(" ", absent)),
          host.container() == null ? making(absent) : host.containerWith("--gpus all"));
    }
    needed.removeAll(absent);
    List<String> closed =
        needed.stream().filter(file -> !host.usable().test(host.files().path(file))).toList();
    if (!closed.isEmpty()) {
      return DoctorFinding.warning(
          LIST,
          seen,
          ErrorText.of("This user may not read and write %s.", String.join(" ", closed)),
          host.container() == null
              ? RdmaChecks.joining(host.files().path(closed.getFirst()))
              : null);
    }
    if (absent.isEmpty()) {
      return DoctorFinding.ok(LIST, seen);
    }
    return DoctorFinding.note(
        LIST,
        seen,
        unused
            ? ErrorText.of(
                "The first CUDA program makes %s where nvidia-modprobe is installed and set-user-ID"
                    + " root; elsewhere %s makes it.",
                UNIFIED_MEMORY, making(absent))
            : ErrorText.of(
                "This container has the files of some GPUs only; absent: %s.",
                String.join(" ", absent)));
  }

  /** Returns the command that makes files; the one of unified memory takes a run of its own. */
  private static String making(List<String> absent) {
    List<String> commands = new ArrayList<>();
    String minors =
        absent.stream()
            .filter(file -> !file.equals(UNIFIED_MEMORY))
            .map(file -> file.equals(CONTROL) ? CONTROL_MINOR : file.substring(GPU.length()))
            .map(minor -> " -c " + minor)
            .collect(Collectors.joining());
    if (!minors.isEmpty()) {
      commands.add("sudo nvidia-modprobe" + minors);
    }
    if (absent.contains(UNIFIED_MEMORY)) {
      commands.add("sudo nvidia-modprobe -u -c 0");
    }
    return String.join(" && ", commands);
  }

  static DoctorFinding driver(HostFiles files) throws IOException {
    String name = "GPU driver";
    Matcher version = VERSION.matcher(files.required(DRIVER));
    if (!version.find() || version.group(1).length() > 6) {
      return DoctorFinding.unknown(name, DRIVER + " has no version that is understood here.");
    }
    String seen = version.group().substring(version.group().lastIndexOf(' ') + 1);
    return Integer.parseInt(version.group(1)) >= OLDEST_DRIVER
        ? DoctorFinding.ok(name, seen)
        : DoctorFinding.warning(
            name,
            seen,
            ErrorText.of(
                "The provider cuda needs driver %d or newer; a container has its host's.",
                OLDEST_DRIVER),
            null);
  }

  static DoctorFinding library(ExaminedHost host) throws IOException {
    if (host.libraries().test("libcuda.so.1", "cuInit")) {
      return DoctorFinding.ok(LIBRARY, "libcuda.so.1 found");
    }
    String seen = "libcuda.so.1 not found";
    return host.files().names(GPUS).isEmpty()
        ? DoctorFinding.note(LIBRARY, seen, "Only NVIDIA GPUs need it, and none is shown.")
        : DoctorFinding.warning(LIBRARY, seen, ABSENT, host.containerWith("--gpus all"));
  }

  private static List<DoctorFinding> peers(HostFiles files, Supplier<DeviceProvider> provider)
      throws IOException {
    if (files.names(GPUS).size() < 2) {
      return List.of();
    }
    try {
      DeviceProvider chosen = provider.get();
      return chosen.memoryType() == PointerType.HOST
          ? List.of(
              DoctorFinding.unknown(
                  PEERS, "The provider " + chosen.name() + " is chosen, which uses no GPU."))
          : peers(chosen.devices());
    } catch (CommException | NetException e) {
      return List.of(DoctorFinding.unknown(PEERS, String.valueOf(e.getMessage())));
    }
  }

  /** Judges whether each device reaches each other one; fewer than two have nothing to reach. */
  static List<DoctorFinding> peers(List<Device> devices) {
    if (devices.size() < 2) {
      return List.of();
    }
    Set<String> links = new TreeSet<>();
    List<String> apart = new ArrayList<>();
    for (Device one : devices) {
      for (Device other : devices) {
        if (one.index() < other.index()) {
          if (one.canAccess(other) && other.canAccess(one)) {
            links.add(one.link(other).kind().name());
          } else {
            apart.add(one.index() + "-" + other.index());
          }
        }
      }
    }
    if (apart.isEmpty()) {
      return List.of(
          DoctorFinding.ok(
              PEERS,
              ErrorText.of(
                  "all pairs of %d GPUs, by %s", devices.size(), String.join(", ", links))));
    }
    return List.of(
        DoctorFinding.warning(
            PEERS,
            "none between GPUs " + String.join(", ", apart),
            "Data between them pass through the memory of the host. nvidia-smi topo -p2p r shows"
                + " the driver's reason. Frequent ones are an IOMMU that translates and PCIe access"
                + " control (ACS).",
            null));
  }
}
