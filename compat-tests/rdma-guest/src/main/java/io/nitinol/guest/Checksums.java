// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A list of a directory's files and their SHA-256 sums, kept in it as {@code sha256sum} does. */
final class Checksums {
  private static final String FILE = "SHA256SUMS";

  private Checksums() {}

  /** Lists the files of {@code directory}, which has no directories in it. */
  static void write(Path directory) throws IOException {
    Files.write(directory.resolve(FILE), lines(directory));
  }

  /** Returns whether {@code directory} has a list, and its files are those of the list. */
  static boolean hold(Path directory) throws IOException {
    Path list = directory.resolve(FILE);
    return Files.isRegularFile(list) && Files.readAllLines(list).equals(lines(directory));
  }

  private static List<String> lines(Path directory) throws IOException {
    TreeMap<String, String> sums = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.equals(FILE)) {
          sums.put(name, sum(file));
        }
      }
    }
    return sums.entrySet().stream().map(each -> each.getValue() + "  " + each.getKey()).toList();
  }

  private static String sum(Path file) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
