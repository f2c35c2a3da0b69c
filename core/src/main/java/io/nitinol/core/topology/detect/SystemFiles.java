// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import io.nitinol.toolkit.file.KernelFiles;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel shows of a machine: the files below {@code sys} and {@code proc} of a directory,
 * which is {@code /} for this machine. A file that is missing, or that may not be read, is no
 * error: containers hide some.
 */
public final class SystemFiles {
  private static final String SYS = "/sys/";

  private final KernelFiles files;

  /**
   * Takes a directory.
   *
   * @param root the one that has {@code sys} and {@code proc}
   */
  public SystemFiles(Path root) {
    this.files = new KernelFiles(root);
  }

  /**
   * Returns a file's text without blanks at its ends; empty where it cannot be read.
   *
   * @param name an absolute name of the machine
   */
  public String text(String name) {
    return text(files.path(name));
  }

  /**
   * Returns a file's text without blanks at its ends; empty where it cannot be read.
   *
   * @param file its path, as {@link #below} gives it
   */
  public String text(Path file) {
    try {
      String text = KernelFiles.text(file);
      return text == null ? "" : text;
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns the directory of a PCI device, its links followed; null where it does not show. */
  @Nullable Path pciDevice(String busId) {
    try {
      return files.path("/sys/bus/pci/devices/" + busId).toRealPath();
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  /** Returns the addresses of all PCI devices, in order. */
  List<String> pciDevices() {
    return names("/sys/bus/pci/devices");
  }

  /** Returns the devices that a Broadcom switch shows as linked to one of its bridges. */
  List<String> switchPeers(String busId) {
    return names("/sys/kernel/pci_switch_link/virtual_switch_links/" + busId).stream()
        .filter(name -> name.length() == busId.length())
        .toList();
  }

  private List<String> names(String name) {
    try {
      List<String> found = files.names(name);
      return found == null
          ? List.of()
          : found.stream().map(each -> each.toLowerCase(Locale.ROOT)).sorted().toList();
    } catch (IOException e) {
      return List.of(); // it does not show
    }
  }

  /**
   * Returns the directory of a path below {@code /sys}; null for another.
   *
   * @param path as plugins tell it
   */
  public @Nullable Path below(@Nullable String path) {
    if (path == null) {
      return null;
    }
    try {
      // A path of another root is one of a test; a plugin's own begins with /sys.
      Path named = Path.of(path);
      Path inside = path.startsWith(SYS) ? files.path(path) : named;
      return inside.toRealPath();
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  /** Returns whether a device's directory belongs to the PCI bus, and not to virtio, say. */
  boolean isPci(Path device) {
    try {
      return device.resolve("subsystem").toRealPath().getFileName().toString().equals("pci");
    } catch (IOException e) {
      return false;
    }
  }
}
