// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.cli.ffi.FabricProviders;
import io.nitinol.cli.ffi.LibraryProbe;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.toolkit.ErrorText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the checks look at.
 *
 * @param files the kernel's files
 * @param environment the variables of this process
 * @param settings the variables and configuration files of Nitinol
 * @param libraries tells whether the loader finds a library, by its file name, that has a function
 * @param fabric lists the providers of libfabric, where that is there
 * @param usable tells whether this user may read and write a file
 */
record ExaminedHost(
    HostFiles files,
    Map<String, String> environment,
    Settings settings,
    BiPredicate<String, String> libraries,
    FabricList fabric,
    Predicate<Path> usable) {

  /** Lists the providers of libfabric. */
  @FunctionalInterface
  interface FabricList {
    /**
     * Returns their names.
     *
     * @throws IOException where there are none; its message is the reason
     */
    List<String> providers() throws IOException;
  }

  private static final Pattern PODMAN = Pattern.compile("podman|libpod");
  private static final Pattern KUBERNETES = Pattern.compile("kubepods");
  private static final Pattern DOCKER = Pattern.compile("docker");
  private static final Pattern OTHER = Pattern.compile("containerd|/lxc|machine.slice");

  /** A line of mountinfo: number, parent, device, root, the mounted place {@code /}, and so on. */
  private static final Pattern OVERLAY_ROOT =
      Pattern.compile("(?m)^\\S+ \\S+ \\S+ \\S+ / .* - overlay ");

  /** Returns this machine. */
  static ExaminedHost here() {
    return new ExaminedHost(
        new HostFiles(Path.of("/")),
        System.getenv(),
        Settings.process(),
        LibraryProbe::isPresent,
        FabricProviders::names,
        file -> Files.isReadable(file) && Files.isWritable(file));
  }

  /**
   * Returns the kind of the container that this process is in: {@code apptainer}, {@code docker},
   * {@code podman}, {@code kubernetes} or {@code container} for another; null where there is no
   * sign of one.
   */
  @Nullable String container() {
    // The innermost first: it takes over the variables of the one around it.
    if (environment.containsKey("APPTAINER_CONTAINER")
        || environment.containsKey("SINGULARITY_CONTAINER")
        || files.exists("/.singularity.d")) {
      return "apptainer";
    }
    String groups = files.textOr("/proc/1/cgroup", "");
    if (environment.containsKey("KUBERNETES_SERVICE_HOST") || KUBERNETES.matcher(groups).find()) {
      return "kubernetes";
    }
    if (files.exists("/run/.containerenv") || PODMAN.matcher(groups).find()) {
      return "podman";
    }
    if (files.exists("/.dockerenv") || DOCKER.matcher(groups).find()) {
      return "docker";
    }
    boolean other =
        OTHER.matcher(groups).find()
            || environment.containsKey("container")
            || OVERLAY_ROOT.matcher(files.textOr("/proc/self/mountinfo", "")).find();
    return other ? "container" : null;
  }

  /**
   * Returns the command that starts a container with an option, of a kind that has such options.
   *
   * @param option as {@code docker run} has it
   * @return the beginning of a command; null in another kind of container, or in none
   */
  @Nullable String containerWith(String option) {
    String kind = container();
    return "docker".equals(kind) || "podman".equals(kind)
        ? ErrorText.of("%s run %s ...", kind, option)
        : null;
  }

  /**
   * Returns a command that changes the kernel, or files of devices.
   *
   * @return the command; null in a container, whose root may not do it or does it for nothing
   */
  @Nullable String unlessContained(String command) {
    return container() == null ? command : null;
  }

  /**
   * Returns the command that installs a package on this distribution.
   *
   * @return the command; null where the distribution is not known
   */
  @Nullable String install(String debian, String fedora) {
    String release = files.textOr("/etc/os-release", "");
    if (Pattern.compile("(?m)^ID(_LIKE)?=.*(debian|ubuntu)").matcher(release).find()) {
      return "sudo apt-get install " + debian;
    }
    if (Pattern.compile("(?m)^ID(_LIKE)?=.*(fedora|rhel|centos)").matcher(release).find()) {
      return "sudo dnf install " + fedora;
    }
    return null;
  }

  /**
   * Returns the command that takes those of the variables that are set out of the environment.
   *
   * @return the command; null where they are set elsewhere or not at all
   */
  @Nullable String unset(Variable<?>... variables) {
    List<String> names =
        Arrays.stream(variables).map(Variable::name).filter(environment::containsKey).toList();
    return names.isEmpty() ? null : "unset " + String.join(" ", names);
  }

  /** Returns the RDMA devices, in order. */
  List<String> rdmaDevices() throws IOException {
    return files.names("/sys/class/infiniband");
  }

  /** Returns where a program is on the {@code PATH}, null where it is not. */
  @Nullable Path program(String name) {
    for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path file = directory.isEmpty() ? null : in(directory, name);
      if (file != null && Files.isRegularFile(file) && Files.isExecutable(file)) {
        return file;
      }
    }
    return null;
  }

  private static @Nullable Path in(String directory, String name) {
    try {
      return Path.of(directory, name);
    } catch (InvalidPathException _) {
      return null; // nobody finds a program there
    }
  }
}
