// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import io.nitinol.spi.config.Variable;
import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks which module may use which, and the rules of the house, on the compiled classes of all
 * modules.
 */
class ArchitectureTest {
  private static final List<ModuleClasses> MODULES = ModuleClasses.all();

  /** The fewest classes in all: a scan that finds fewer has looked in the wrong place. */
  private static final int FLOOR = 250;

  private static final List<String> JDK = List.of("java..", "javax..");

  /** Annotations for the compiler, which are nothing at run time. */
  private static final List<String> ANNOTATIONS =
      List.of("org.jspecify.annotations..", "com.google.errorprone.annotations..");

  private static final String SPI = "io.nitinol.spi..";
  private static final String TOOLKIT = "io.nitinol.toolkit..";
  private static final String CORE = "io.nitinol.core..";
  private static final String TCK = "io.nitinol.tck..";

  /** What each module may use beside itself, the JDK's java packages and nullness annotations. */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("spi", List.of()),
          Map.entry("toolkit", List.of(SPI)),
          Map.entry("core", List.of(SPI, TOOLKIT, "jdk.jfr..")),
          Map.entry("net-socket", List.of(SPI, TOOLKIT, "jdk.net..")),
          Map.entry("net-ib", List.of(SPI, TOOLKIT, "jdk.net..")),
          Map.entry("net-collnet", List.of(SPI, TOOLKIT, "jdk.net..")),
          Map.entry("net-native", List.of(SPI, TOOLKIT, CORE)),
          Map.entry("plugins-samples/net-v4", List.of(SPI, TOOLKIT)),
          Map.entry("plugins-samples/net-v5", List.of(SPI, TOOLKIT)),
          Map.entry("plugins-samples/net-libfabric", List.of(SPI, TOOLKIT, "jdk.net..")),
          Map.entry("plugins-samples/tuner-csv", List.of(SPI, TOOLKIT)),
          Map.entry("plugins-samples/profiler-json", List.of(SPI, TOOLKIT)),
          Map.entry("plugins-samples/profiler-jfr", List.of(SPI, "jdk.jfr..")),
          Map.entry("plugins-samples/profiler-micrometer", List.of(SPI, "io.micrometer.core..")),
          Map.entry(
              "plugins-samples/profiler-opentelemetry",
              List.of(SPI, "io.opentelemetry.api..", "io.opentelemetry.context..")),
          Map.entry("plugins-samples/buffer-javacpp", List.of(SPI, "org.bytedeco.javacpp..")),
          Map.entry("plugins-samples/log-bridge", List.of(SPI, "org.slf4j..")),
          Map.entry("plugins-samples/device-cpu", List.of(SPI, TOOLKIT)),
          Map.entry("plugins-samples/kernels-cuda", List.of(SPI, TOOLKIT)),
          Map.entry("plugins-samples/kernels-vector", List.of(SPI, "jdk.incubator.vector..")),
          Map.entry("plugins-samples/net-memory", List.of(SPI, TOOLKIT)),
          Map.entry("compat-tests/validate", List.of(SPI, TOOLKIT, CORE)),
          Map.entry(
              "compat-tests/kit",
              List.of(
                  SPI, TOOLKIT, CORE, "com.sun.management", "org.xml.sax..", "tools.jackson..")),
          Map.entry(
              "compat-tests/kit-junit",
              List.of(SPI, TCK, "org.junit.jupiter.api..", "org.opentest4j..")),
          Map.entry("compat-tests/netns", List.of()),
          Map.entry(
              "compat-tests/chaos", List.of(SPI, CORE, "io.nitinol.netns..", "io.nitinol.guest..")),
          Map.entry("compat-tests/rdma-guest", List.of()),
          Map.entry(
              "cli",
              List.of(
                  SPI,
                  TOOLKIT,
                  CORE,
                  TCK,
                  // The switch is a program of its own that the command starts, and no plugin.
                  "io.nitinol.net.collnet.node",
                  "com.sun.net.httpserver",
                  "org.HdrHistogram..",
                  "picocli..",
                  "tools.jackson..")));

  static Stream<ModuleClasses> modules() {
    return MODULES.stream();
  }

  static Stream<Arguments> modulesAndRules() {
    Map<String, ArchRule> rules =
        Map.ofEntries(
            Map.entry("no java.util.logging", HouseRules.NO_JAVA_UTIL_LOGGING),
            Map.entry("no Unsafe", HouseRules.NO_UNSAFE),
            Map.entry("no JNI", HouseRules.NO_JNI),
            Map.entry("names that say something", HouseRules.NO_EMPTY_NAMES),
            Map.entry("no sleep", HouseRules.NO_SLEEP),
            Map.entry("one writer of files", HouseRules.ONE_WRITER),
            Map.entry("native code only in ffi packages", HouseRules.NATIVE_CODE_ONLY_IN_FFI),
            Map.entry("null-marked packages", HouseRules.NULL_MARKED_PACKAGES),
            Map.entry("no cycles among packages", HouseRules.NO_CYCLES),
            Map.entry("no large circles inside packages", HouseRules.NO_LARGE_CIRCLES),
            Map.entry("one user of bindings", HouseRules.ONE_USER_OF_BINDINGS));
    return MODULES.stream()
        .flatMap(module ->
            rules.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(rule -> arguments(rule.getKey(), module, rule.getValue())));
  }

  /** A variable in the table that nothing reads would be set in vain. */
  @Test
  void everyDeclaredVariableIsRead() {
    Set<String> declared = new TreeSet<>();
    Set<String> read = new TreeSet<>();
    for (ModuleClasses module : MODULES) {
      for (JavaClass type : module.classes()) {
        type.getFields().stream()
            .filter(field -> field.getRawType().isEquivalentTo(Variable.class))
            .forEach(field -> declared.add(field.getFullName()));
        if (!type.getSimpleName().endsWith("Variables")) { // the tables only list them
          type.getFieldAccessesFromSelf().forEach(use -> read.add(use.getTarget().getFullName()));
        }
      }
    }
    assertThat(declared).hasSizeGreaterThan(30);
    declared.removeAll(read);
    assertThat(declared)
        .as("variables that nothing reads")
        .containsExactly(
            "io.nitinol.core.config.LaunchVariables.JAVA_OPTS", // by ./nitinol, before the JVM
            // By the library's C part, before the JVM.
            "io.nitinol.net.nativeabi.export.NativeVariables.JAVA_HOME",
            "io.nitinol.net.nativeabi.export.NativeVariables.JVM_OPTIONS",
            "io.nitinol.net.nativeabi.export.NativeVariables.MODULE_PATH");
  }

  /** Guards against an empty import, on which every rule would hold. */
  @Test
  void everyClassOfEveryModuleIsScanned() {
    assertThat(MODULES)
        .as("every module is in the table of what each may use")
        .extracting(ModuleClasses::directory)
        .containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
    int total = 0;
    for (ModuleClasses module : MODULES) {
      Set<String> scanned =
          module.classes().stream().map(JavaClass::getName).collect(Collectors.toSet());
      assertThat(scanned).as("classes of %s", module).isNotEmpty();
      assertThat(scanned).as("classes of %s", module).containsAll(module.sourceClasses());
      total += scanned.size();
    }
    assertThat(total).as("classes in all").isGreaterThanOrEqualTo(FLOOR);
  }

  /** A name, in a stack trace for example, says which class it is. */
  @Test
  void noNameIsInSeveralModules() {
    assertThat(
            SharedNames.of(
                MODULES.stream()
                    .collect(
                        Collectors.toMap(ModuleClasses::directory, ModuleClasses::sourceClasses))))
        .as("names of classes in several modules: all but one carry the prefix of their module")
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  void aModuleUsesOnlyWhatItMay(ModuleClasses module) {
    List<String> allowed = new ArrayList<>(ANNOTATIONS);
    allowed.add(module.name() + "..");
    allowed.addAll(JDK);
    allowed.addAll(MAY_USE.get(module.directory()));
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(module.classes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  void packagesBeginWithTheNameOfTheirModule(ModuleClasses module) {
    assertThat(module.classes())
        .allMatch(c -> (c.getPackageName() + ".").startsWith(module.name() + "."));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("modulesAndRules")
  void houseRule(String name, ModuleClasses module, ArchRule rule) {
    rule.allowEmptyShould(true).check(module.classes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  void onlyTheCommandPrints(ModuleClasses module) {
    if (!List.of("cli", "compat-tests/chaos").contains(module.directory())) { // the programs
      HouseRules.NO_STANDARD_STREAMS.check(module.classes());
    }
  }

  /** Bindings stay inside: no other code depends on how a library is bound. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  void bindingsAreNotExported(ModuleClasses module) {
    assertThat(module.descriptor().exports())
        .extracting(ModuleDescriptor.Exports::source)
        .noneMatch(HouseRules::isBindings);
  }
}
