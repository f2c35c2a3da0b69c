// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the host's programs that make a guest and that run in it. */
final class HostTools {
  static final String QEMU = "qemu-system-x86_64";
  static final String BUSYBOX = "busybox";

  /** Programs, each with the Debian package that has it. */
  private static final Map<String, String> PACKAGES = new LinkedHashMap<>();

  /** The file by which libibverbs recognizes Soft-RoCE devices. */
  private static final Path PROVIDER = Path.of("/etc/libibverbs.d/rxe.driver");

  static {
    PACKAGES.put(QEMU, "qemu-system-x86");
    PACKAGES.put(BUSYBOX, "busybox-static");
    PACKAGES.put("apt-get", "apt");
    PACKAGES.put("dpkg-deb", "dpkg");
    PACKAGES.put("depmod", "kmod");
    PACKAGES.put("modprobe", "kmod");
    PACKAGES.put("cpio", "cpio");
    PACKAGES.put("xz", "xz-utils");
    PACKAGES.put("zstd", "zstd");
    PACKAGES.put("rdma", "iproute2");
    PACKAGES.put("sysctl", "procps");
  }

  private HostTools() {}

  /** Checks that nothing is missing. */
  static void check() throws GuestUnavailable {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new GuestUnavailable(
          "the guest is a Linux on x86-64 and uses the host's programs; this is %s on %s"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
    List<String> missing = new ArrayList<>();
    TreeSet<String> packages = new TreeSet<>();
    PACKAGES.forEach((program, name) -> {
      if (find(program).isEmpty()) {
        missing.add(program);
        packages.add(name);
      }
    });
    if (!Files.exists(PROVIDER)) {
      missing.add(PROVIDER.toString());
      packages.add("ibverbs-providers");
    }
    if (!missing.isEmpty()) {
      throw new GuestUnavailable(
          "missing: %s; on Debian: apt-get install --no-install-recommends %s"
              .formatted(String.join(", ", missing), String.join(" ", packages)));
    }
  }

  /** Returns where a program lies that {@link #check} has found. */
  static Path path(String program) {
    return find(program).orElseThrow(() -> new IllegalStateException(program + " is gone"));
  }

  private static Optional<Path> find(String program) {
    // A user's path has no sbin.
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin:/usr/bin:/bin";
    for (String directory : path.split(":", -1)) {
      Path file = Path.of(directory, program);
      if (file.isAbsolute() && Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
