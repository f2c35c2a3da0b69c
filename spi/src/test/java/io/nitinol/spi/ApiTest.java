// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.nitinol.spi.net.v6.Net;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares what plugins are compiled against with {@code spi/api.txt}. A released package is never
 * changed; what is new is added deliberately, by running this test with {@code
 * -Dnitinol.api.update=true}, which rewrites the file, and committing the difference.
 */
class ApiTest {
  private static final Path FILE = Path.of("api.txt").toAbsolutePath(); // Maven starts us in spi/
  private static final Path CLASSES = classes();

  @Test
  void theInterfaceIsTheOneWrittenDown() throws Exception {
    List<String> now = describe();
    if (Boolean.getBoolean("nitinol.api.update")) {
      Files.write(FILE, now);
      return;
    }
    List<String> written = Files.exists(FILE) ? Files.readAllLines(FILE) : List.of();
    if (!written.equals(now)) {
      fail(
          "The plugin interface is not the one in "
              + FILE
              + ":\n"
              + difference(written, now)
              + "\nA package that has been released must not change: undo the change, or make a new"
              + " package. If the change is meant and was never released, run\n"
              + "  ./mvnw -pl spi test -Dtest=ApiTest -Dnitinol.api.update=true\n"
              + "and commit spi/api.txt.");
    }
  }

  @Test
  void theWholeModuleIsLookedAt() throws Exception {
    Set<String> exported = exportedPackages();
    assertThat(exported).contains("io.nitinol.spi", "io.nitinol.spi.net.v6").hasSizeGreaterThan(8);
    for (String name : exported) {
      assertThat(visibleTypes(name)).as("public types of %s", name).isNotEmpty();
    }
    assertThat(packagesWithPublicTypes())
        .as("every package with public types is exported")
        .isEqualTo(exported);
    String all = String.join("\n", describe());
    assertThat(all)
        .contains("int HANDLE_MAXSIZE = 128") // constants' values
        .contains("default io.nitinol.spi.net.MemoryHandle regMrDmaBuf(")
        .contains("component int maxRecvs")
        .contains("constant FLOAT8E5M2")
        .contains("method @Nullable io.nitinol.spi.net.SendComm connect(") // needs JSpecify here
        .contains("int @Nullable []");
  }

  private static List<String> describe() throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add(
        "# What plugins are compiled against. Checked by ApiTest, which says how to update it.");
    for (String name : new TreeSet<>(exportedPackages())) {
      lines.add("");
      lines.add("package " + name);
      for (Class<?> type : visibleTypes(name)) {
        lines.add("");
        lines.addAll(ApiSignatures.of(type));
      }
    }
    return lines;
  }

  /** The packages that the compiled module descriptor exports to everybody. */
  private static Set<String> exportedPackages() throws IOException {
    try (InputStream in = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in).exports().stream()
          .filter(e -> !e.isQualified())
          .map(ModuleDescriptor.Exports::source)
          .collect(Collectors.toSet());
    }
  }

  private static Set<String> packagesWithPublicTypes() throws Exception {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path directory : files.filter(Files::isDirectory).toList()) {
        String name = CLASSES.relativize(directory).toString().replace('/', '.');
        if (!name.isEmpty() && !name.startsWith("META-INF") && !visibleTypes(name).isEmpty()) {
          found.add(name);
        }
      }
    }
    return found;
  }

  private static List<Class<?>> visibleTypes(String packageName) throws Exception {
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(CLASSES.resolve(packageName.replace('.', '/')))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          Class<?> type = Class.forName(packageName + "." + name.substring(0, name.length() - 6));
          if (seenFromOutside(type)) {
            types.add(type);
          }
        }
      }
    }
    types.sort(Comparator.comparing(Class::getName));
    return types;
  }

  private static boolean seenFromOutside(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getDeclaringClass()) {
      if (!Modifier.isPublic(c.getModifiers()) && !Modifier.isProtected(c.getModifiers())) {
        return false;
      }
    }
    return !type.isAnonymousClass() && !type.isLocalClass();
  }

  /** Removed and added lines, each under the header of its type, in the style of diff. */
  private static String difference(List<String> written, List<String> now) {
    List<String> before = qualified(written);
    List<String> after = qualified(now);
    List<String> lines = new ArrayList<>();
    before.stream().filter(l -> !after.contains(l)).forEach(l -> lines.add("- " + l));
    after.stream().filter(l -> !before.contains(l)).forEach(l -> lines.add("+ " + l));
    return lines.isEmpty() ? "(only the order of lines differs)" : String.join("\n", lines);
  }

  private static List<String> qualified(List<String> lines) {
    List<String> result = new ArrayList<>();
    String owner = "";
    for (String line : lines) {
      if (line.startsWith("  ")) {
        result.add(owner + ":" + line.substring(1));
      } else if (!line.isBlank()) {
        result.add(line);
        owner = line.replaceAll("^(abstract |final |sealed )*\\w+ ", "").replaceAll("[< ].*", "");
      }
    }
    return result;
  }

  private static Path classes() {
    try {
      return Path.of(Net.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
