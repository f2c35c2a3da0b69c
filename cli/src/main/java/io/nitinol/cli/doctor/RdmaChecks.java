// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

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
import org.jspecify.annotations.Nullable;

/** RDMA devices, the libraries for them, and whether this user may open them. */
final class RdmaChecks {
  private static final String DEVICES = "/sys/class/infiniband/";
  private static final String VERBS = "/sys/class/infiniband_verbs/";

  private static final String LIST = "RDMA devices";
  private static final String FABRIC = "libfabric";
  private static final String ROOT = "root";
  private static final String OVER_TCP = "Until then jobs go over TCP.";

  private RdmaChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run("RDMA verbs", () -> List.of(library(host))));
    found.addAll(DoctorCheck.run(LIST, () -> devices(host)));
    found.addAll(DoctorCheck.run(FABRIC, () -> List.of(fabric(host))));
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

  private static DoctorFinding fabric(ExaminedHost host) {
    return host.libraries().test("libfabric.so.1", "fi_getinfo")
        ? DoctorFinding.note(
            FABRIC,
            "libfabric.so.1 found",
            "Only the plugin net-libfabric uses it; fi_info -l lists its providers.")
        : DoctorFinding.note(
            FABRIC, "libfabric.so.1 not found", "Only the plugin net-libfabric needs it.");
  }
}
