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
public final class FakeMachine {
  private static final String PCI_DEVICES = "sys/bus/pci/devices/";

  private final Path root;

  private FakeMachine(Path root) {
    this.root = root;
  }

  /** Returns the machine that a file among the tests describes, made below a directory. */
  static SystemFiles recorded(String name, Path directory) {
    return of(RecordedMachine.text(name).lines().toList(), directory);
  }

  /** Returns the machine of these lines, made below a directory. */
  public static SystemFiles of(List<String> lines, Path directory) {
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

  /** Returns the network card of a socket of {@link #twoSockets}. */
  public static DetectedNet card(int socket) {
    String bus = socket == 0 ? "1" : "2";
    String path =
        "/sys/devices/pci0000:%s0/0000:%s0:01.0/0000:%s2:00.0/0000:%s3:01.0/0000:%s6:00.0"
            .replace("%s", bus);
    return new DetectedNet(
        "mlx5_" + socket, path, socket, 0.5f, 200_000, 1, socket + 1, 131_072, true, false);
  }

  /** Two sockets of eight processors; on each a switch with two GPUs and a network card. */
  public static List<String> twoSockets() {
    List<String> lines = new ArrayList<>();
    lines.add("proc/cpuinfo = vendor_id\t: GenuineIntel|cpu family\t: 6|model\t\t: 143");
    lines.add("sys/devices/system/node/online = 0-1");
    for (int socket = 0; socket < 2; socket++) {
      String bus = socket == 0 ? "1" : "2";
      String node = "sys/devices/system/node/node" + socket;
      lines.add(node + "/cpumap = ff" + "00".repeat(socket));
      lines.add(node + "/cpulist = " + (socket == 0 ? "0-7" : "8-15"));
      String root = "/sys/devices/pci0000:" + bus + "0";
      String port = root + "/0000:" + bus + "0:01.0";
      String up = port + "/0000:" + bus + "2:00.0";
      add(lines, port, "0x060400", "0x8086", "0x347a", socket);
      add(lines, up, "0x060400", "0x10b5", "0x8796", socket);
      for (int i = 0; i < 3; i++) {
        String down = up + "/0000:" + bus + "3:0" + i + ".0";
        add(lines, down, "0x060400", "0x10b5", "0x8796", socket);
        boolean gpu = i != 1;
        String device = down + "/0000:" + bus + (i == 0 ? 4 : i == 2 ? 5 : 6) + ":00.0";
        add(
            lines,
            device,
            gpu ? "0x030200" : "0x020700",
            gpu ? "0x10de" : "0x15b3",
            gpu ? "0x20b0" : "0x101b",
            socket);
      }
    }
    return lines;
  }

  private static void add(
      List<String> lines, String path, String kind, String vendor, String device, int socket) {
    String at = "sys/bus/pci/devices/" + path.substring(path.lastIndexOf('/') + 1);
    lines.add(at + " -> " + path);
    lines.add(at + "/class = " + kind);
    lines.add(at + "/vendor = " + vendor);
    lines.add(at + "/device = " + device);
    lines.add(at + "/numa_node = " + socket);
    lines.add(at + "/max_link_speed = 16.0 GT/s PCIe");
    lines.add(at + "/max_link_width = 16");
  }
}
