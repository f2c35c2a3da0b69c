// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A machine whose files a test writes below a directory, by their absolute names. */
final class WrittenHost {
  private final Path root;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> settings = new HashMap<>();
  private final Set<String> libraries = new HashSet<>();
  private ExaminedHost.FabricList fabric =
      () -> {
        throw new IOException("the test has no libfabric");
      };
  private final Set<Path> closed = new HashSet<>();

  WrittenHost(Path root) {
    this.root = root;
  }

  WrittenHost file(String name, String text) throws IOException {
    Path file = root.resolve(name.substring(1));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
    return this;
  }

  WrittenHost directory(String name) throws IOException {
    Files.createDirectories(root.resolve(name.substring(1)));
    return this;
  }

  /** Makes a name whose reading fails, whoever the user is. */
  WrittenHost unreadable(String name) throws IOException {
    return directory(name);
  }

  WrittenHost variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  WrittenHost setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  WrittenHost library(String name) {
    libraries.add(name);
    return this;
  }

  /** Installs libfabric, which lists these providers or throws. */
  WrittenHost fabric(ExaminedHost.FabricList list) {
    fabric = list;
    return library("libfabric.so.1");
  }

  /** Takes the right to use a file away, which the tests' user may have over all. */
  WrittenHost closed(String name) {
    closed.add(root.resolve(name.substring(1)));
    return this;
  }

  ExaminedHost host() {
    return new ExaminedHost(
        new HostFiles(root),
        environment,
        Settings.of(settings),
        (library, function) -> libraries.contains(library),
        fabric,
        file -> !closed.contains(file));
  }

  HostFiles files() {
    return new HostFiles(root);
  }
}
