// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.mutants;

import static java.util.stream.Collectors.joining;

import io.nitinol.spi.DebugLogger;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.build.InterceptorParameters;
import org.pitest.mutationtest.build.InterceptorType;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.build.MutationInterceptorFactory;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;

/**
 * A plugin's jar with one instruction changed by PIT's engine, such as {@code <} made {@code <=},
 * or a call left out.
 *
 * @param jar the jar that it is made from
 * @param details what is changed, and where
 * @param ordinal which of the changes of this kind in its method it is, from 0 on
 */
record Mutant(Path jar, MutationDetails details, int ordinal) {
  private static final String CLASS = ".class";

  /**
   * Returns all mutants of the classes whose simple names a pattern matches, by class and line.
   *
   * @throws IOException if the jar cannot be read
   */
  static List<Mutant> of(Path jar, Pattern classes) throws IOException {
    Mutater mutater = mutater(jar);
    List<Mutant> all = new ArrayList<>();
    for (String name : classNames(jar)) {
      if (!classes.matcher(name.substring(name.lastIndexOf('.') + 1)).matches()) {
        continue;
      }
      List<MutationDetails> found = new ArrayList<>(withoutWhatTheCompilerMade(name, jar, mutater));
      found.sort(
          Comparator.comparingInt(MutationDetails::getLineNumber)
              .thenComparingInt(MutationDetails::getFirstIndex)
              .thenComparing(MutationDetails::getMutator));
      for (MutationDetails details : found) {
        int before = 0;
        for (Mutant earlier : all) {
          before += place(earlier.details).equals(place(details)) ? 1 : 0;
        }
        all.add(new Mutant(jar, details, before));
      }
    }
    return all;
  }

  /**
   * PIT's own filters, as its runner applies them: what javac made of try-with-resources, records
   * and enums, returns that stay the same, and the plugin's log.
   */
  private static Collection<MutationDetails> withoutWhatTheCompilerMade(
      String name, Path jar, Mutater mutater) {
    ClassByteArraySource source = source(jar);
    ReportOptions options = new ReportOptions();
    options.setLoggingClasses(List.of(DebugLogger.class.getName()));
    InterceptorParameters parameters =
        new InterceptorParameters(null, options, null, source, null, null);
    ClassTree tree = ClassTree.fromBytes(source.getBytes(name).orElseThrow());
    Collection<MutationDetails> left = mutater.findMutations(ClassName.fromString(name));
    for (MutationInterceptorFactory factory :
        ServiceLoader.load(MutationInterceptorFactory.class)) {
      if (factory.provides().isOnByDefault()) {
        MutationInterceptor filter = factory.createInterceptor(parameters);
        if (filter.type() == InterceptorType.FILTER) {
          filter.begin(tree);
          left = filter.intercept(left, mutater);
          filter.end();
        }
      }
    }
    return left;
  }

  /** Returns what this mutant is called in lists; it survives changes of other methods. */
  String name() {
    return place(details) + " " + ordinal;
  }

  private static String place(MutationDetails details) {
    String type = details.getClassName().getNameWithoutPackage().asJavaName();
    String mutator = details.getMutator();
    return "%s.%s%s %s"
        .formatted(
            type,
            details.getMethod(),
            parameters(details.getId().getLocation().getMethodDesc()),
            mutator.substring(mutator.lastIndexOf('.') + 1).replace("Mutator", ""));
  }

  /** Overloads are told apart by the simple names of their parameters' types. */
  private static String parameters(String descriptor) {
    return MethodTypeDesc.ofDescriptor(descriptor).parameterList().stream()
        .map(ClassDesc::displayName)
        .collect(joining(",", "(", ")"));
  }

  /** Returns the file and line, and what PIT says of the change. */
  String description() {
    return "%s:%d %s"
        .formatted(details.getFilename(), details.getLineNumber(), details.getDescription());
  }

  /** Writes the mutant's jar. */
  void write(Path target) throws IOException {
    byte[] changed = mutater(jar).getMutation(details.getId()).getBytes();
    String entry = details.getClassName().asInternalName() + CLASS;
    try (JarFile from = new JarFile(jar.toFile());
        OutputStream file = Files.newOutputStream(target);
        JarOutputStream to = new JarOutputStream(file)) {
      for (JarEntry each : (Iterable<JarEntry>) from.stream()::iterator) {
        to.putNextEntry(new JarEntry(each.getName()));
        if (each.getName().equals(entry)) {
          to.write(changed);
        } else {
          try (InputStream in = from.getInputStream(each)) {
            in.transferTo(to);
          }
        }
        to.closeEntry();
      }
    }
  }

  private static List<String> classNames(Path jar) throws IOException {
    try (JarFile from = new JarFile(jar.toFile())) {
      return from.stream()
          .map(JarEntry::getName)
          .filter(name -> name.endsWith(CLASS) && !name.endsWith("-info" + CLASS))
          .map(name -> name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  /** PIT's default mutators, on the bytes of the jar. */
  private static Mutater mutater(Path jar) {
    return new GregorEngineFactory()
        .createEngine(EngineArguments.arguments().withMutators(List.of("DEFAULTS")))
        .createMutator(source(jar));
  }

  private static ClassByteArraySource source(Path jar) {
    return name -> bytes(jar, name.replace('.', '/') + CLASS);
  }

  private static Optional<byte[]> bytes(Path jar, String entry) {
    try (JarFile from = new JarFile(jar.toFile())) {
      JarEntry found = from.getJarEntry(entry);
      if (found == null) {
        // A class of the JDK or of the interface, which PIT looks at for the common super class.
        try (InputStream in = ClassLoader.getSystemResourceAsStream(entry)) {
          return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        }
      }
      try (InputStream in = from.getInputStream(found)) {
        return Optional.of(in.readAllBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
