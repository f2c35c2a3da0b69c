// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a module compiles against what Maven brings for one dependency. */
class ModularProjectTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final String MODULE = "module demo {\n  requires io.nitinol.core;\n}\n";

  private static final String MAIN =
      """
      package demo;

      import io.nitinol.core.CommException;
      import io.nitinol.core.Communicator;
      import io.nitinol.core.bootstrap.UniqueId;
      import io.nitinol.spi.ReductionOp;

      public final class Main {
        private Main() {}

        public static void main(String[] args) {
          try (Communicator communicator = Communicator.init(UniqueId.parse(args[0]), 1, 0)) {
            communicator.blocking().allReduce(new float[] {1}, ReductionOp.SUM);
          } catch (CommException e) {
            throw new IllegalStateException(e.result() + " of rank " + e.failedRank(), e);
          }
        }
      }
      """;

  @TempDir Path work;

  @Test
  @Slow
  void itCompiles() throws Exception {
    BuildArtifacts artifacts = ThisBuild.artifacts();
    Path project = Files.createDirectories(work.resolve("project"));
    String pom =
        Files.readString(
            ThisBuild.root().resolve("compat-tests/house/src/test/resources/third-party/pom.xml"));
    pom = pom.replace("nitinol-tck-junit", "nitinol-core").replace("<scope>test</scope>", "");
    Files.writeString(project.resolve("pom.xml"), artifacts.filledIn(pom));
    Path sources = Files.createDirectories(project.resolve("src/main/java/demo"));
    Files.writeString(sources.resolveSibling("module-info.java"), MODULE);
    Files.writeString(sources.resolve("Main.java"), MAIN);
    Path repository = work.resolve("repository");
    artifacts.install(repository);
    MavenRun run = ThisBuild.test(project, repository, LIMIT);
    assertThat(run.status()).as("%s", run.output()).isZero();
    assertThat(project.resolve("target/classes/demo/Main.class")).exists();
  }

  /** What only we compile against must not be asked of those who compile against us. */
  @Test
  void noPublishedModuleAsksItsUsersForWhatMavenDoesNotBring() throws Exception {
    BuildArtifacts artifacts = ThisBuild.artifacts();
    List<Path> jars =
        List.of(
            artifacts.jar("spi", "nitinol-spi"),
            artifacts.jar("toolkit", "nitinol-toolkit"),
            artifacts.jar("core", "nitinol-core"),
            artifacts.jar("compat-tests/kit", "nitinol-tck"),
            artifacts.jar("compat-tests/kit-junit", "nitinol-tck-junit"),
            artifacts.jar("compat-tests/validate", "nitinol-validate"),
            artifacts.jar("net-collnet", "nitinol-net-collnet"));
    for (Path jar : jars) {
      List<ModuleDescriptor> modules =
          ModuleFinder.of(jar).findAll().stream().map(ModuleReference::descriptor).toList();
      assertThat(modules).as("%s", jar).hasSize(1);
      assertThat(modules.getFirst().requires())
          .as("%s", jar)
          .noneMatch(each ->
              each.modifiers()
                  .containsAll(Set.of(Requires.Modifier.STATIC, Requires.Modifier.TRANSITIVE)));
    }
  }
}
