// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.config.VariableTable;
import io.nitinol.spi.config.VariableCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/environment.md} has the variables that the modules declare. */
class EnvironmentPageTest {
  private static final String UPDATE = "nitinol.docs.update";
  private static final Path PAGE =
      Path.of(System.getProperty("nitinol.root", ".."), "docs", "environment.md");

  @Test
  void pageIsWhatTheCodeDeclares() throws IOException {
    VariableTable table = VariableTable.installed();
    assertThat(table.catalogs().stream().map(VariableCatalog::owner))
        .as("the modules that declare variables")
        .contains("core", "net-socket");
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
