// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ShellWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** RDMA devices, the libraries for them, and whether this user may open them. */
final class RdmaChecks {
  private static final String DEVICES = "/sys/class/infiniband/";
  private static final String VERBS = "/sys/class/infiniband_verbs/";

  private static final String LIST = "RDMA devices";
  private static final String FABRIC = "libfabric";
  private static final String PROVIDERS = "libfabric providers";

  /** libfabric's variable that names the providers that may be used. */
  private static final String FABRIC_CHOICE = "FI_PROVIDER";

  /** Providers that drive a card; a name may be one over another, such as verbs;ofi_rxm. */
  private static final Pattern RDMA_PROVIDER =
      Pattern.compile("\\b(?:verbs|efa|psm|psm2|psm3|opx|cxi|mlx|ucx|usnic|gni|bgq)\\b");

  private static final String ROOT = "root";
  private static final String OVER_TCP = "Until then jobs go over TCP.";

  private RdmaChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run("RDMA verbs", () -> List.of(library(host))));
    found.addAll(DoctorCheck.run(LIST, () -> devices(host)));
    found.addAll(DoctorCheck.run(FABRIC, () -> fabric(host)));
    return found;
  }

  static DoctorFinding library(ExaminedHost host) throws IOException {
    String name = "RDMA verbs";
    if (host.libraries().test("libibverbs.so.1", "ibv_get_device_list")) {
      return DoctorFinding.ok(name, "libibverbs.so.1 found");
    }
    String seen = "libibverbs.so.1 not found";
    if (host.rdmaDevices().isEmpty()) {
      return DoctorFinding.note(name, seen, "Only RDMA devices need it, and there is none.");
    }
    return DoctorFinding.warning(
        name,
        seen,
        "There are RDMA devices, which nothing can use without it. " + OVER_TCP,
        host.install("libibverbs1 ibverbs-providers", "libibverbs"));
  }

  static List<DoctorFinding> devices(ExaminedHost host) throws IOException {
    List<String> devices = host.rdmaDevices();
    if (devices.isEmpty()) {
      return List.of(DoctorFinding.note(LIST, "none"));
    }
    List<DoctorFinding> found = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    boolean active = false;
    boolean known = false;
    for (String device : devices) {
      List<String> ports = new ArrayList<>();
      for (String port : host.files().names(DEVICES + device + "/ports")) {
        String state = state(host.files(), device, port);
        active |= state.equals("ACTIVE");
        known |= !state.isEmpty();
        ports.add(port(host.files(), device, port, state));
      }
      shown.add(ports.isEmpty() ? device : device + " " + String.join(", ", ports));
    }
    String seen = String.join("; ", shown);
    found.add(
        active || !known
            ? DoctorFinding.ok(LIST, seen)
            : DoctorFinding.warning(
                LIST,
                seen,
                "No port is active: there is no cable, the interface is down or, on InfiniBand,"
                    + " there is no subnet manager. "
                    + OVER_TCP,
                null));
    for (String device : devices) {
      String name = "access to " + device;
      found.addAll(DoctorCheck.run(name, () -> List.of(access(host, device))));
    }
    return found;
  }

  /** Returns the word of a port's state, such as {@code ACTIVE}; empty where it is not known. */
  private static String state(HostFiles files, String device, String port) {
    String text = files.textOr(DEVICES + device + "/ports/" + port + "/state", "");
    return text.substring(text.indexOf(':') + 1).strip(); // 4: ACTIVE
  }

  private static String port(HostFiles files, String device, String port, String state) {
    String directory = DEVICES + device + "/ports/" + port;
    return ErrorText.of(
            "port %s %s %s %s",
            port,
            state.isEmpty() ? "in an unknown state" : state,
            files.textOr(directory + "/link_layer", "").replace("\n", " "),
            files.textOr(directory + "/rate", "").replace("\n", " "))
        .strip();
  }

  static DoctorFinding access(ExaminedHost host, String device) throws IOException {
    String name = "access to " + device;
    String node = node(host.files(), device);
    if (node == null) {
      return DoctorFinding.warning(
          name,
          "no file of it in " + VERBS,
          "The kernel's module ib_uverbs is not loaded, or this container does not see it. "
              + OVER_TCP,
          host.unlessContained("sudo modprobe ib_uverbs"));
    }
    String file = "/dev/infiniband/" + node;
    if (!host.files().exists(file)) {
      return DoctorFinding.warning(
          name,
          "there is no " + file,
          "Programs reach the device by that file. " + OVER_TCP,
          host.containerWith("--device /dev/infiniband --ulimit memlock=-1"));
    }
    Path path = host.files().path(file);
    if (!host.usable().test(path)) {
      return DoctorFinding.warning(
          name,
          ErrorText.of("this user may not read and write %s", file),
          "Programs reach the device by that file. " + OVER_TCP,
          host.container() == null ? permission(file, path) : null);
    }
    return DoctorFinding.ok(name, file);
  }

  /** Returns the name of the device's file, null where it has none. */
  private static @Nullable String node(HostFiles files, String device) throws IOException {
    for (String node : files.names(VERBS)) {
      if (files.textOr(VERBS + node + "/ibdev", "").equals(device)) {
        return node;
      }
    }
    return null;
  }

  private static @Nullable String permission(String file, Path path) throws IOException {
    PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
    return permission(file, attributes.group().getName(), attributes.permissions());
  }

  /** A user joins the group of the file, unless that is root's: rdma-core opens it to all, too. */
  static @Nullable String permission(
      String file, String group, Set<PosixFilePermission> permissions) {
    return group.equals(ROOT)
        ? ErrorText.of("sudo chmod 666 %s", ShellWord.quoted(file))
        : joining(group, permissions);
  }

  /**
   * Returns the command by which this user joins the group of a file.
   *
   * @param path a file that exists
   * @return the command; null where the group is root's, may not use the file or has no name
   */
  static @Nullable String joining(Path path) throws IOException {
    PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
    return joining(attributes.group().getName(), attributes.permissions());
  }

  /** As above, of the file's group, which is a number where it has no name. */
  static @Nullable String joining(String group, Set<PosixFilePermission> permissions) {
    boolean opens =
        permissions.contains(PosixFilePermission.GROUP_READ)
            && permissions.contains(PosixFilePermission.GROUP_WRITE);
    return !opens || group.equals(ROOT) || group.matches("\\d+")
        ? null
        : ErrorText.of("sudo usermod -aG %s \"$USER\" # and log in again", ShellWord.quoted(group));
  }

  static List<DoctorFinding> fabric(ExaminedHost host) throws IOException {
    if (host.libraries().test("libfabric.so.1", "fi_getinfo")) {
      return List.of(
          DoctorFinding.note(
              FABRIC, "libfabric.so.1 found", "Only the plugin net-libfabric uses it."),
          providers(host));
    }
    String seen = "libfabric.so.1 not found";
    boolean wanted = host.settings().get(CoreVariables.NET).strip().equalsIgnoreCase(FABRIC);
    return List.of(
        wanted
            ? DoctorFinding.problem(
                FABRIC,
                seen,
                ErrorText.of("%s=%s asks for it, and no job starts.", CoreVariables.NET, FABRIC),
                host.install("libfabric1", "libfabric"))
            : DoctorFinding.note(FABRIC, seen, "Only the plugin net-libfabric needs it."));
  }

  /** Without RDMA devices every provider is as good as another: tcp is always there. */
  private static DoctorFinding providers(ExaminedHost host) throws IOException {
    String limited = host.environment().get(FABRIC_CHOICE);
    String choice = limited == null ? "" : ErrorText.of(" (%s=%s)", FABRIC_CHOICE, limited);
    List<String> names;
    try {
      names = host.fabric().providers();
    } catch (IOException e) {
      return DoctorFinding.warning(
          PROVIDERS,
          ErrorText.reason(e) + choice,
          "The plugin net-libfabric has no device without a provider.",
          limited == null ? null : "unset " + FABRIC_CHOICE);
    }
    String seen = String.join(", ", names) + choice;
    boolean direct = names.stream().anyMatch(name -> RDMA_PROVIDER.matcher(name).find());
    if (direct || host.rdmaDevices().isEmpty()) {
      return DoctorFinding.ok(PROVIDERS, seen);
    }
    return DoctorFinding.warning(
        PROVIDERS,
        seen,
        "There are RDMA devices, which none of these uses: the plugin net-libfabric goes over TCP.",
        limited == null
            ? host.install("libfabric1 ibverbs-providers", "libfabric libibverbs")
            : "unset " + FABRIC_CHOICE);
  }
}
