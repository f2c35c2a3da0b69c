// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The newest kernel 6.12 that apt knows for Debian 12, as an image. */
final class DebianKernel {
  private static final String PREFIX = "linux-image-";
  private static final Pattern NAME = Pattern.compile("linux-image-6\\.12\\.(\\d+)\\+deb12-amd64");
  private static final Duration QUESTION_LIMIT = Duration.ofSeconds(30);
  private static final Duration MAKE_LIMIT = Duration.ofMinutes(4);
  private static final int KEY_DIGITS = 12;
  private static final int LOG_LINES = 20;

  private DebianKernel() {}

  /**
   * Returns the image, from the cache if it is there. If apt knows no such kernel, this takes the
   * most recently used image of the cache.
   */
  static GuestImage image(ImageCache cache)
      throws IOException, InterruptedException, GuestUnavailable {
    String scripts = scriptsKey();
    Optional<String> newest = newestPackage();
    if (newest.isPresent()) {
      String name = newest.get();
      String key = name.substring(PREFIX.length()) + "-" + scripts;
      return cache.get(key, directory -> make(name, directory));
    }
    List<String> fitting = cache.keys().stream().filter(key -> key.endsWith(scripts)).toList();
    if (fitting.isEmpty()) {
      throw new GuestUnavailable(
          "apt knows no package %s6.12.N+deb12-amd64; on Debian 12, with its security archive, run apt-get update"
              .formatted(PREFIX));
    }
    return cache.get(
        fitting.getLast(),
        directory -> {
          throw new GuestUnavailable(
              fitting.getLast() + " in the cache is damaged, and apt does not know its package");
        });
  }

  private static Optional<String> newestPackage() throws IOException, InterruptedException {
    Path answer = Files.createTempFile("kernels", ".txt");
    try {
      OptionalInt status =
          HostProcess.run(
              List.of("apt-cache", "pkgnames", PREFIX + "6.12."),
              Path.of("/"),
              answer,
              QUESTION_LIMIT);
      if (status.isEmpty() || status.getAsInt() != 0) {
        return Optional.empty();
      }
      return Files.readAllLines(answer).stream()
          .filter(name -> NAME.matcher(name).matches())
          .max(Comparator.comparingInt(DebianKernel::number));
    } finally {
      Files.delete(answer);
    }
  }

  private static int number(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(name);
    }
    return Integer.parseInt(matcher.group(1));
  }

  private static void make(String name, Path directory)
      throws IOException, InterruptedException, GuestUnavailable {
    Path scripts = Files.createTempDirectory("guest-image");
    Path log = scripts.resolve("log.txt");
    try {
      List<String> command = new ArrayList<>(List.of("env"));
      command.add("PATH=" + System.getenv("PATH") + ":/usr/sbin:/sbin");
      command.addAll(List.of("sh", write(scripts, GuestResources.IMAGE).toString(), name));
      command.add(write(scripts, GuestResources.INIT).toString());
      command.add(HostTools.path(HostTools.BUSYBOX).toString());
      OptionalInt status = HostProcess.run(command, directory, log, MAKE_LIMIT);
      if (status.isEmpty() || status.getAsInt() != 0) {
        throw new GuestUnavailable(
            "cannot make an image of %s (%s): %s"
                .formatted(
                    name,
                    status.isEmpty()
                        ? "not done after " + MAKE_LIMIT.toSeconds() + " s"
                        : "status " + status.getAsInt(),
                    HostProcess.tail(log, LOG_LINES)));
      }
    } finally {
      for (String each :
          List.of(GuestResources.IMAGE, GuestResources.INIT, log.getFileName().toString())) {
        Files.deleteIfExists(scripts.resolve(each));
      }
      Files.delete(scripts);
    }
  }

  private static Path write(Path directory, String name) throws IOException {
    return Files.writeString(directory.resolve(name), GuestResources.text(name));
  }

  /** Identifies what the image is made from beside the kernel: the scripts and programs. */
  private static String scriptsKey() throws IOException {
    MessageDigest digest = Checksums.sha256();
    for (String script : List.of(GuestResources.IMAGE, GuestResources.INIT)) {
      digest.update(GuestResources.text(script).getBytes(StandardCharsets.UTF_8));
    }
    digest.update(Files.readAllBytes(HostTools.path(HostTools.BUSYBOX)));
    return HexFormat.of().formatHex(digest.digest()).substring(0, KEY_DIGITS);
  }
}
