// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The classes, members, packages and files that docs/architecture.md names are there. */
class ArchitecturePageTest {
  private static final Path ROOT = Path.of(System.getProperty("nitinol.root", ".."));
  private static final Path PAGE = ROOT.resolve("docs/architecture.md");

  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern TYPE =
      Pattern.compile("[A-Z]\\w*[a-z]\\w*(?:\\.[A-Z]\\w*[a-z]\\w*)*");
  private static final Pattern MEMBER =
      Pattern.compile("(" + TYPE.pattern() + ")\\.([a-z]\\w*|[A-Z][A-Z_0-9]+)");
  private static final Pattern PACKAGE =
      Pattern.compile("(spi|toolkit|core|net|tck|validate|cli|samples)(\\.[a-z]\\w*)+");

  private static final Map<String, List<JavaClass>> TYPES = new HashMap<>();
  private static final Set<String> USED = new HashSet<>();
  private static final Set<String> PACKAGES = new HashSet<>();

  static {
    for (ModuleClasses module : ModuleClasses.all()) {
      for (JavaClass type : module.classes()) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        TYPES.computeIfAbsent(name.replace('$', '.'), any -> new ArrayList<>()).add(type);
        PACKAGES.add(type.getPackageName());
        type.getDirectDependenciesFromSelf()
            .forEach(use -> USED.add(use.getTargetClass().getSimpleName()));
      }
    }
  }

  @Test
  void everyNameOnThePageIsInTheCode() throws IOException {
    Found found = new Found();
    found.read(Files.readString(PAGE));
    assertThat(found.missing).as("names in %s that the code does not have", PAGE).isEmpty();
    assertThat(found.types).as("classes that the page names").isGreaterThan(60);
    assertThat(found.packages).as("packages that the page names").isGreaterThan(10);
    assertThat(found.files).as("files that the page names").isGreaterThan(3);
  }

  @Test
  void aNameThatTheCodeDoesNotHaveIsFound() {
    Found found = new Found();
    found.read(
        "`Communicator` calls `Communicator.allReduce` and `Communicator.allReduceTwice`, `NoSuchClass`,"
            + " `core.nowhere`, `core.progress`, `docs/no-such-page.md`; `NCCL_NET` and `isend` are not ours");
    assertThat(found.missing)
        .containsExactly(
            "Communicator.allReduceTwice", "NoSuchClass", "core.nowhere", "docs/no-such-page.md");
  }

  private static final class Found {
    final List<String> missing = new ArrayList<>();
    int types;
    int packages;
    int files;

    void read(String page) {
      Matcher code = CODE.matcher(page.replaceAll("(?s)```.*?```", ""));
      while (code.find()) {
        look(code.group(1));
      }
    }

    private void look(String name) {
      Matcher member = MEMBER.matcher(name);
      boolean there = true;
      if (member.matches()) {
        types++;
        there =
            TYPES.getOrDefault(member.group(1), List.of()).stream()
                .flatMap(type -> type.getAllMembers().stream())
                .map(JavaMember::getName)
                .anyMatch(member.group(2)::equals);
      } else if (TYPE.matcher(name).matches()) {
        types++;
        there = TYPES.containsKey(name) || USED.contains(name);
      } else if (PACKAGE.matcher(name).matches()) {
        packages++;
        there = PACKAGES.contains("io.nitinol." + name);
      } else if (name.matches("[\\w.-]+(/[\\w.-]+)+/?")) {
        files++;
        there = Files.exists(ROOT.resolve(name));
      }
      if (!there) {
        missing.add(name);
      }
    }
  }
}
