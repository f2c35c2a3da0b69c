// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.config.VariableTable;
import io.nitinol.spi.config.VariableCatalog;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** {@code docs/environment.md} has the variables that the modules declare. */
class EnvironmentPageTest {
  private static final String UPDATE = "nitinol.docs.update";
  private static final Path PAGE =
      Path.of(System.getProperty("nitinol.root", ".."), "docs", "environment.md");

  @Test
  void pageIsWhatTheCodeDeclares() throws IOException {
    List<URL> unasked = new ArrayList<>();
    for (String path : System.getProperty("nitinol.unasked.path").split(":", -1)) {
      unasked.add(Path.of(path).toUri().toURL());
    }
    try (URLClassLoader all =
        new URLClassLoader(unasked.toArray(URL[]::new), getClass().getClassLoader())) {
      check(
          new VariableTable(
              ServiceLoader.load(VariableCatalog.class, all).stream()
                  .map(ServiceLoader.Provider::get)
                  .toList()));
    }
  }

  private static void check(VariableTable table) throws IOException {
    assertThat(table.catalogs().stream().map(VariableCatalog::owner))
        .as("the modules that declare variables")
        .contains("core", "net-socket", "tuner-csv", "profiler-json");
    if (Boolean.getBoolean(UPDATE)) {
      Files.writeString(PAGE, table.markdown());
    }
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as(
            "docs/environment.md is generated; to bring it up to date run\n"
                + "  ./mvnw -pl compat-tests/house -am test -Dtest=EnvironmentPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true\nand commit it",
            UPDATE)
        .isEqualTo(table.markdown());
  }
}
