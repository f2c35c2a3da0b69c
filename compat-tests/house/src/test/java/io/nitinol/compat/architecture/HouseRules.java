// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.NATIVE;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** The rules that hold inside every module. */
final class HouseRules {
  private HouseRules() {}

  /** Classes whose main code may sleep, each with the reason. */
  static final Map<String, String> MAY_SLEEP = Map.of();

  /** Classes that may write files beside {@code OutputFile}, each with the reason. */
  static final Map<String, String> MAY_WRITE =
      Map.ofEntries(
          Map.entry("io.nitinol.toolkit.file.OutputFile", "it is the one"),
          Map.entry(
              "io.nitinol.net.nativeabi.dl.SharedLibrary", "a file in memory, by its descriptor"),
          Map.entry(
              "io.nitinol.samples.memory.MemoryAttempt", "offers in the directory of this process"),
          Map.entry(
              "io.nitinol.samples.memory.GroupJoin", "offers in the directory of this process"),
          Map.entry(
              "io.nitinol.core.recording.TransferLog", "a new file only; nothing is ever replaced"),
          Map.entry("io.nitinol.cli.tck.NoteWriter", "notes in a directory that the run has made"),
          Map.entry(
              "io.nitinol.tck.rules.ProviderRules", "a configuration file that it has made itself"),
          Map.entry("io.nitinol.tck.solo.ReadingSettings", "a configuration file of ProviderRules"),
          Map.entry("io.nitinol.tck.solo.SoloReport", "a file that the kit has made itself"),
          Map.entry("io.nitinol.tck.device.FileExchange", "files in a directory of the kit's own"),
          Map.entry("io.nitinol.tck.run.CaseProcess", "a file that the kit has made itself"),
          Map.entry("io.nitinol.netns.CSource", "a source file in a directory of its caller's"),
          Map.entry(
              "io.nitinol.chaos.WallClock", "a file beside a log, in a directory of this run"),
          Map.entry("io.nitinol.guest.ImageCache", "a directory that it has just made"),
          Map.entry("io.nitinol.guest.Checksums", "a directory of ImageCache"),
          Map.entry("io.nitinol.guest.Guest", "a directory of this run"),
          Map.entry("io.nitinol.guest.DebianKernel", "a directory of this run"));

  private static final Set<String> FILE_WRITING =
      Set.of("write", "writeString", "newBufferedWriter", "newOutputStream", "move", "copy");

  /** Packages that may link native code beside the {@code ffi} ones, each with the reason. */
  static final Map<String, String> MAY_LINK =
      Map.of(
          "io.nitinol.net.nativeabi.dl",
          "dlopen and dlsym themselves, which tell why a library does not load",
          "io.nitinol.net.nativeabi.plugin",
          "calls what function pointers of a plugin's struct lead to, which no binding can name");

  /** Packages of bindings that several packages use, each with the reason. */
  static final Map<String, String> SHARED_BINDINGS =
      Map.of(
          "io.nitinol.net.nativeabi.ffi",
          "tables of NCCL's structs: for loading plugins and for being one");

  /**
   * The most classes of one package that may use each other in a circle. This many can still be
   * read as one subject. A nested class counts with its outermost class.
   */
  static final int MOST_IN_CIRCLE = 8;

  /** Packages that may have a larger circle, each with the reason. */
  static final Map<String, String> MAY_CIRCLE = Map.of();

  static final ArchRule NO_STANDARD_STREAMS =
      GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.because(
          "only the command prints, all else logs");

  static final ArchRule NO_JAVA_UTIL_LOGGING =
      GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.because(
          "there is one log, NCCL's");

  static final ArchRule NO_UNSAFE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("sun..", "jdk.internal..")
          .orShould()
          .dependOnClassesThat(
              resideInAPackage("com.sun..")
                  // Exported for everyone, unlike their neighbours; a table says which module may.
                  .and(resideOutsideOfPackage("com.sun.management"))
                  .and(resideOutsideOfPackage("com.sun.net.httpserver")))
          .because("MemorySegment and VarHandle do the same and stay");

  static final ArchRule NO_JNI =
      noMethods().should().haveModifier(NATIVE).because("native code is reached through FFM");

  static final ArchRule NO_EMPTY_NAMES =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Impl")
          .because("a name says which one subject a class has");

  static final ArchRule NO_SLEEP =
      noClasses()
          .that(notIn(MAY_SLEEP.keySet()))
          .should()
          .callMethodWhere(
              DescribedPredicate.<JavaMethodCall>describe(
                  "Thread.sleep",
                  call ->
                      call.getTargetOwner().isEquivalentTo(Thread.class)
                          && call.getName().equals("sleep")))
          .because("a wait ends when what it waits for has happened");

  static final ArchRule ONE_WRITER =
      noClasses()
          .that(notIn(MAY_WRITE.keySet()))
          .should()
          .callCodeUnitWhere(
              DescribedPredicate.<JavaCall<?>>describe(
                  "write or move a file by its path", HouseRules::writesAFile))
          .because("io.nitinol.toolkit.file.OutputFile decides what a path may lead to");

  static final ArchRule NATIVE_CODE_ONLY_IN_FFI =
      noClasses()
          .that()
          .resideOutsideOfPackage("..ffi..")
          .and(are(notIn(MAY_LINK.keySet())))
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Linker.class, SymbolLookup.class)
          .because("bindings are apart, and one wrapper package uses them");

  static final ArchRule NULL_MARKED_PACKAGES =
      classes().should(beInANullMarkedPackage()).because("null is part of a signature");

  static final ArchRule NO_CYCLES = slices().assignedFrom(packages()).should().beFreeOfCycles();

  static final ArchRule ONE_USER_OF_BINDINGS =
      classes()
          .that()
          .resideInAPackage("..ffi..")
          .and(are(notIn(SHARED_BINDINGS.keySet())))
          .should(beUsedByOneOtherPackage())
          .allowEmptyShould(true);

  static final ArchRule NO_LARGE_CIRCLES =
      classes()
          .that(notIn(MAY_CIRCLE.keySet()))
          .should(haveNoLargeCircles())
          .because("classes in a circle can only be read and changed together");

  private static boolean writesAFile(JavaCall<?> call) {
    JavaClass owner = call.getTargetOwner();
    if (owner.isEquivalentTo(Files.class)) {
      return FILE_WRITING.contains(call.getName());
    }
    boolean byDescriptor =
        call.getTarget().getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(FileDescriptor.class));
    return call.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
        && !byDescriptor
        && (owner.isEquivalentTo(FileOutputStream.class) || owner.isEquivalentTo(FileWriter.class));
  }

  private static ArchCondition<JavaClass> haveNoLargeCircles() {
    return new ArchCondition<>(
        "have no circle of more than %d classes in a package", MOST_IN_CIRCLE) {
      private Collection<JavaClass> all = List.of();

      @Override
      public void init(Collection<JavaClass> classes) {
        all = classes;
      }

      @Override
      public void check(JavaClass javaClass, ConditionEvents events) {
        // A circle is a matter of all classes of a package; see finish.
      }

      @Override
      public void finish(ConditionEvents events) {
        Circles.byPackage(all)
            .forEach((name, circles) ->
                circles.stream()
                    .filter(circle -> circle.size() > MOST_IN_CIRCLE)
                    .forEach(circle ->
                        events.add(
                            SimpleConditionEvent.violated(
                                name,
                                "%d classes of %s form a circle; each uses others of it: %s"
                                    .formatted(circle.size(), name, circle)))));
      }
    };
  }

  private static DescribedPredicate<JavaClass> notIn(Set<String> names) {
    return DescribedPredicate.describe(
        "are not on the allow-list",
        javaClass ->
            !names.contains(javaClass.getName()) && !names.contains(javaClass.getPackageName()));
  }

  private static ArchCondition<JavaClass> beInANullMarkedPackage() {
    return new ArchCondition<>("be in a package with a @NullMarked package-info") {
      @Override
      public void check(JavaClass javaClass, ConditionEvents events) {
        boolean marked =
            javaClass
                .getPackage()
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
        if (!marked) {
          events.add(
              SimpleConditionEvent.violated(
                  javaClass,
                  javaClass.getName()
                      + " is in "
                      + javaClass.getPackageName()
                      + ", which has no @NullMarked package-info"));
        }
      }
    };
  }

  private static ArchCondition<JavaClass> beUsedByOneOtherPackage() {
    return new ArchCondition<>("be used by one package outside ffi") {
      @Override
      public void check(JavaClass javaClass, ConditionEvents events) {
        Set<String> users = new HashSet<>();
        javaClass.getPackage().getClassDependenciesToThisPackage().stream()
            .map(dependency -> dependency.getOriginClass().getPackageName())
            .filter(name -> !isBindings(name))
            .forEach(users::add);
        if (users.size() > 1) {
          events.add(
              SimpleConditionEvent.violated(
                  javaClass, javaClass.getPackageName() + " is used by " + users));
        }
      }
    };
  }

  static boolean isBindings(String packageName) {
    return (packageName + ".").contains(".ffi.");
  }

  /** Returns whether its neighbours use it, as they do if they start the program themselves. */
  private static boolean isPartOfPackage(JavaClass program) {
    return program.getDirectDependenciesToSelf().stream()
        .map(dependency -> dependency.getOriginClass())
        .filter(user -> !user.getName().startsWith(program.getName() + "$"))
        .anyMatch(user -> user.getPackageName().equals(program.getPackageName()));
  }

  private static SliceAssignment packages() {
    return new SliceAssignment() {
      @Override
      public String getDescription() {
        return "packages";
      }

      @Override
      public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        if (javaClass.isAssignableTo(Throwable.class)) {
          // A module's exception is declared at its top and thrown from everywhere below.
          return SliceIdentifier.ignore();
        }
        if (javaClass.tryGetMethod("main", String[].class).isPresent()
            && !isPartOfPackage(javaClass)) {
          // A program's entry puts the packages together and stands above them.
          return SliceIdentifier.of(javaClass.getName());
        }
        return SliceIdentifier.of(javaClass.getPackageName());
      }
    };
  }
}
