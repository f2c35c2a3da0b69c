// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds the pinned libraries of the build against the committed list of known vulnerabilities. It
 * needs no network, and therefore knows no more than the list, whose date it prints.
 *
 * <p>Usage: {@code java .ci/Audit.java [checksums] [advisories]}. The exit status is 0 when no
 * pinned version is in a range that is not accepted, 1 when one is, and 2 when a file cannot be
 * read.
 */
final class Audit {
  private static final Pattern JAR = Pattern.compile("[0-9a-f]{64}  (.+)/([^/]+)/([^/]+)/[^/]+\\.jar");
  private static final Pattern DATE = Pattern.compile("published on (\\d{4}-\\d{2}-\\d{2})");
  private static final long OLD_DAYS = 90;

  private record Advisory(String library, Version from, Version below, String name, String accepted) {
    boolean affects(Version version) {
      return version.compareTo(from) >= 0 && version.compareTo(below) < 0;
    }
  }

  private Audit() {}

  public static void main(String[] args) {
    Path root = Path.of("");
    Path pinned = args.length > 0 ? Path.of(args[0]) : root.resolve(".mvn/checksums/checksums.sha256");
    Path listed = args.length > 1 ? Path.of(args[1]) : root.resolve(".ci/advisories.tsv");
    try {
      System.exit(audit(libraries(pinned), Files.readAllLines(listed)));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("audit: cannot check: " + e);
      System.exit(2);
    }
  }

  private static Map<String, TreeSet<Version>> libraries(Path pinned) throws IOException {
    Map<String, TreeSet<Version>> libraries = new TreeMap<>();
    for (String line : Files.readAllLines(pinned)) {
      Matcher jar = JAR.matcher(line);
      if (jar.matches()) {
        String library = jar.group(1).replace('/', '.') + ":" + jar.group(2);
        libraries.computeIfAbsent(library, _ -> new TreeSet<>()).add(Version.parse(jar.group(3)));
      }
    }
    if (libraries.isEmpty()) {
      throw new IllegalArgumentException(pinned + " has no checksum of a jar");
    }
    return libraries;
  }

  private static int audit(Map<String, TreeSet<Version>> libraries, List<String> lines) {
    List<Advisory> advisories =
        lines.stream()
            .filter(line -> !line.startsWith("#") && !line.endsWith("\tnone"))
            .map(Audit::advisory)
            .toList();
    int found = 0;
    for (Advisory advisory : advisories) {
      for (Version version : libraries.getOrDefault(advisory.library(), new TreeSet<>())) {
        if (advisory.affects(version)) {
          boolean accepted = !advisory.accepted().isEmpty();
          found += accepted ? 0 : 1;
          System.out.printf(
              "%s %s %s: %s%n",
              advisory.library(),
              version,
              advisory.name(),
              accepted ? "accepted, since " + advisory.accepted() : "VULNERABLE below " + advisory.below());
        }
      }
    }
    LocalDate date = date(lines);
    long days = ChronoUnit.DAYS.between(date, LocalDate.now());
    System.out.printf(
        "%d libraries against %d ranges of %s: %d vulnerable%n",
        libraries.size(), advisories.size(), date, found);
    if (days > OLD_DAYS) {
      System.out.printf("the list is %d days old; what was published since is not in it%n", days);
    }
    return found == 0 ? 0 : 1;
  }

  private static Advisory advisory(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != 4 && fields.length != 5) {
      throw new IllegalArgumentException("expected four or five fields: " + line);
    }
    return new Advisory(
        fields[0],
        Version.parse(fields[1]),
        Version.parse(fields[2]),
        fields[3],
        fields.length == 5 ? fields[4] : "");
  }

  private static LocalDate date(List<String> lines) {
    Matcher date = DATE.matcher(lines.isEmpty() ? "" : lines.getFirst());
    if (!date.find()) {
      throw new IllegalArgumentException("the first line of the list does not have its date");
    }
    return LocalDate.parse(date.group(1));
  }
}
