// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Loads a plugin's classes and constructs it many times. */
final class Constructing {
  private static final int TIMES = 100;
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private Constructing() {}

  static void run(String reference, Lane lane, SoloReport report) throws Throwable {
    Set<String> before = new HashSet<>();
    openBeyondFiles(before); // once for what the JDK opens in order to look
    openBeyondFiles(before);
    NewThreads threads = new NewThreads();
    PluginUnderTest plugin = PluginUnderTest.ofReference(reference);
    for (int i = 0; i < TIMES; i++) {
      plugin.create(lane);
    }
    for (Thread thread : threads.now()) {
      report.say("thread", thread.getName());
    }
    Set<String> after = new HashSet<>();
    openBeyondFiles(after);
    after.removeAll(before);
    for (String descriptor : after) {
      report.say("descriptor", descriptor);
    }
  }

  /**
   * Adds the open descriptors that are no files: sockets, pipes, queues. Class loading opens files.
   */
  private static void openBeyondFiles(Set<String> found) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return;
    }
    try (Stream<Path> entries = Files.list(DESCRIPTORS)) {
      for (Path entry : entries.toList()) {
        String target = target(entry);
        if (!target.startsWith("/") || target.startsWith("/dev/infiniband")) {
          found.add(target);
        }
      }
    }
  }

  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return "/"; // closed meanwhile, as the listing itself is
    }
  }
}
