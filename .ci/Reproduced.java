// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Compares what two builds have made, byte by byte: the jars and bills of materials in the {@code
 * target} directories of two checkouts. Of jars that differ it names the entries, and whether their
 * bytes, their times or only their order is another.
 *
 * <p>Usage: {@code java .ci/Reproduced.java FIRST SECOND}. The exit status is 0 when all bytes are
 * the same, 1 when any differ or a file is there once only, and 2 when there is nothing to compare.
 */
final class Reproduced {
  /** The most entries of a jar that are named. */
  private static final int MOST = 20;

  private Reproduced() {}

  public static void main(String[] args) {
    if (args.length != 2) {
      System.err.println("reproduced: " + args.length + " arguments; expected two directories");
      System.exit(2);
    }
    try {
      System.exit(compare(Path.of(args[0]), Path.of(args[1])));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("reproduced: cannot compare: " + e);
      System.exit(2);
    }
  }

  private static int compare(Path first, Path second) throws IOException {
    Map<String, Path> ones = made(first);
    Map<String, Path> others = made(second);
    if (ones.isEmpty() && others.isEmpty()) {
      throw new IllegalArgumentException(
          "no target directory below " + first + " or " + second + " has a jar");
    }
    Set<String> names = new TreeSet<>(ones.keySet());
    names.addAll(others.keySet());
    int differ = 0;
    long bytes = 0;
    for (String name : names) {
      Path one = ones.get(name);
      Path other = others.get(name);
      if (one == null || other == null) {
        System.out.println(name + ": only in " + (one == null ? second : first));
        differ++;
      } else if (Files.mismatch(one, other) >= 0) {
        System.out.println(name + ": " + String.join("; ", differences(one, other)));
        differ++;
      } else {
        bytes += Files.size(one);
      }
    }
    System.out.printf(
        "reproduced: %d of %d files are the same, %d bytes; %d differ%n",
        names.size() - differ, names.size(), bytes, differ);
    return differ == 0 ? 0 : 1;
  }

  /** Returns the jars and bills of materials directly in target directories, by their path. */
  private static Map<String, Path> made(Path root) throws IOException {
    Map<String, Path> made = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            String name = String.valueOf(directory.getFileName());
            if (name.equals("src") || (name.startsWith(".") && !directory.equals(root))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (!name.equals("target") || directory.equals(root)) {
              return FileVisitResult.CONTINUE;
            }
            try (var files = Files.newDirectoryStream(directory, "*.{jar,json}")) {
              files.forEach(file -> made.put(root.relativize(file).toString(), file));
            }
            return FileVisitResult.SKIP_SUBTREE;
          }
        });
    return made;
  }

  private static List<String> differences(Path one, Path other) throws IOException {
    if (!one.toString().endsWith(".jar")) {
      return List.of("other bytes from byte " + Files.mismatch(one, other) + " on");
    }
    List<String> found = new ArrayList<>();
    try (ZipFile first = new ZipFile(one.toFile());
        ZipFile second = new ZipFile(other.toFile())) {
      Map<String, ZipEntry> ones = entries(first);
      Map<String, ZipEntry> others = entries(second);
      Set<String> names = new TreeSet<>(ones.keySet());
      names.addAll(others.keySet());
      for (String name : names) {
        ZipEntry mine = ones.get(name);
        ZipEntry theirs = others.get(name);
        if (mine == null || theirs == null) {
          found.add(name + " is only in the " + (mine == null ? "second" : "first"));
        } else if (!sameBytes(first, mine, second, theirs)) {
          found.add(name + " has other bytes");
        } else if (!mine.getTimeLocal().equals(theirs.getTimeLocal())) {
          found.add(name + " has another time");
        } else if (!Arrays.equals(mine.getExtra(), theirs.getExtra())) {
          found.add(name + " has other attributes");
        }
      }
      if (found.isEmpty()) {
        boolean sameOrder =
            new ArrayList<>(ones.keySet()).equals(new ArrayList<>(others.keySet()));
        return List.of(
            sameOrder
                ? "the entries are the same, their modes or their compression are not"
                : "the same entries in another order");
      }
    }
    int all = found.size();
    return all <= MOST
        ? found
        : List.of(
            String.join("; ", found.subList(0, MOST)), "and " + (all - MOST) + " entries more");
  }

  private static Map<String, ZipEntry> entries(ZipFile jar) {
    Map<String, ZipEntry> entries = new LinkedHashMap<>();
    jar.stream().forEach(entry -> entries.put(entry.getName(), entry));
    return entries;
  }

  private static boolean sameBytes(ZipFile one, ZipEntry mine, ZipFile other, ZipEntry theirs)
      throws IOException {
    try (InputStream first = one.getInputStream(mine);
        InputStream second = other.getInputStream(theirs)) {
      return Arrays.equals(first.readAllBytes(), second.readAllBytes());
    }
  }
}
