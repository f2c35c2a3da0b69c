// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nitinol.core.topology.RecordedMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the kernel of some machine shows, as files. A line {@code path = text} is a file, in which |
 * ends a line; {@code path -> /target} is a link to a directory. Devices of the PCI bus get their
 * link to it.
 */
final class FakeMachine {
  private static final String PCI_DEVICES = "sys/bus/pci/devices/";

  private final Path root;

  private FakeMachine(Path root) {
    this.root = root;
  }

  static SystemFiles recorded(String name, Path directory) {
    return of(RecordedMachine.text(name).lines().toList(), directory);
  }

  static SystemFiles of(List<String> lines, Path directory) {
    FakeMachine machine = new FakeMachine(directory);
    try {
      List<String> files = new ArrayList<>();
      for (String line : lines) {
        if (line.contains(" -> ")) {
          String[] ends = line.split(" -> ", 2);
          machine.link(ends[0].strip(), ends[1].strip());
        } else if (line.contains(" = ")) {
          files.add(line);
        }
      }
      for (String file : files) {
        String[] parts = file.split(" = ", 2);
        Path path = directory.resolve(parts[0].strip());
        Files.createDirectories(path.getParent());
        Files.write(path, (parts[1].strip().replace('|', '\n') + "\n").getBytes(UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SystemFiles(directory);
  }

  private void link(String from, String to) throws IOException {
    Path link = root.resolve(from);
    Path target = Files.createDirectories(root.resolve(to.substring(1)));
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target);
    if (from.startsWith(PCI_DEVICES)) {
      Path bus = Files.createDirectories(root.resolve("sys/bus/pci"));
      Files.createSymbolicLink(target.resolve("subsystem"), bus);
    }
  }
}
