// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Writes files on a full disk, in a process of its own that has one: prints for each what {@link
 * OutputFile#write} said and what the file holds then. The file {@code mounted} is there already,
 * and is mounted on itself.
 */
@SuppressWarnings("SystemOut")
final class FullDisk {
  private static final int PAGE = 4096;
  private static final byte[] OLD = content('o', PAGE);
  private static final byte[] SHORT = content('s', 100);
  private static final byte[] LONG = content('l', 3 * PAGE);

  private final Path directory;
  private final Path filler;

  private FullDisk(Path directory) {
    this.directory = directory;
    this.filler = directory.resolve("filler");
  }

  public static void main(String[] arguments) throws IOException {
    FullDisk disk = new FullDisk(Path.of(arguments[0]));
    Path mounted = Files.write(disk.directory.resolve("mounted"), OLD);
    Path single = Files.write(disk.directory.resolve("single"), OLD);
    Path file = Files.write(disk.directory.resolve("file"), OLD);
    Files.createLink(disk.directory.resolve("second"), file);

    disk.fill(0);
    disk.write("one name, longer", single, LONG);
    disk.write("two names, longer", file, LONG);
    disk.fill(1);
    disk.write("two names, longer, some room", file, LONG);
    disk.fill(0);
    disk.write("two names, shorter", file, SHORT);
    Files.write(file, OLD);
    disk.fill(2);
    disk.write("two names, longer, enough room", file, LONG);
    disk.fill(3);
    disk.write("mounted, as much room as its copy takes", mounted, LONG);
    Files.write(mounted, OLD);
    disk.fill(2);
    disk.write("mounted, no room for a copy", mounted, LONG);
    disk.fill(0);
    disk.useUpNames();
    disk.write("one name, no name left for a copy", single, LONG);
    System.out.println("done");
  }

  private void write(String what, Path file, byte[] content) throws IOException {
    String said;
    try {
      OutputFile.write(file, content);
      said = "written";
    } catch (IOException e) {
      said = e.getMessage();
    }
    byte[] found = Files.readAllBytes(file);
    String holds =
        Arrays.equals(found, OLD)
            ? "old"
            : Arrays.equals(found, content) ? "new" : "broken, " + found.length + " bytes";
    System.out.println(what + ": " + said + ", " + holds);
  }

  /** Fills the disk but for some pages. */
  private void fill(int free) throws IOException {
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(content('f', PAGE));
      }
    } catch (IOException full) {
      try (FileChannel all = FileChannel.open(filler, StandardOpenOption.WRITE)) {
        all.truncate(all.size() / PAGE * PAGE - (long) free * PAGE);
      }
    }
  }

  private void useUpNames() {
    try {
      for (int i = 0; ; i++) {
        Files.createFile(directory.resolve("name" + i));
      }
    } catch (IOException full) {
      System.err.println("no more names: " + full.getMessage());
    }
  }

  private static byte[] content(char of, int bytes) {
    return String.valueOf(of).repeat(bytes).getBytes(StandardCharsets.US_ASCII);
  }
}
