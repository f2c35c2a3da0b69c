// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.spi.device.v1.DeviceProvider;
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
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  private Constructing() {}

  static void run(String reference, Lane lane, SoloReport report) throws Throwable {
    Set<String> before = new HashSet<>();
    openBeyondFiles(before); // once for what the JDK opens in order to look
    openBeyondFiles(before);
    NewThreads threads = new NewThreads();
    PluginUnderTest plugin = PluginUnderTest.ofReference(reference);
    Set<String> libraries = libraries();
    for (int i = 0; i < TIMES; i++) {
      Object made = plugin.create(lane);
      if (made instanceof DeviceProvider provider) { // whose name is known before its driver is
        report.say("name", provider.name() + " of priority " + provider.priority());
      }
    }
    Set<String> loaded = libraries();
    loaded.removeAll(libraries);
    loaded.forEach(library -> report.say("library", library));
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

  /** Returns the native libraries of this process that are not the JDK's. */
  private static Set<String> libraries() throws IOException {
    Set<String> found = new HashSet<>();
    if (!Files.isReadable(MAPPINGS)) {
      return found;
    }
    for (String line : Files.readAllLines(MAPPINGS)) {
      int path = line.indexOf('/');
      String name = path < 0 ? "" : line.substring(path);
      if (name.contains(".so") && !name.startsWith(System.getProperty("java.home"))) {
        found.add(name);
      }
    }
    return found;
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
