// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attribute;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Keeps the modules that depend on a jar from being compiled again where its API did not change.
 *
 * <p>For example after a comment or a method's body changed in {@code core}: the jar is new, but
 * what others can compile against is what it was. Maven compiles a dependent again where the jar is
 * younger than the build. So this gives the jar back the time that it had when its API last
 * changed. The API is every class, field and method that is not private, with its signature,
 * constant, annotations and exceptions, and without code.
 *
 * <p>Usage: {@code java ApiDigest.java CLASSES JAR}. The state is in {@code JAR.api}.
 */
public final class ApiDigest {
  private ApiDigest() {}

  public static void main(String[] arguments) throws Exception {
    Path classes = Path.of(arguments[0]);
    Path jar = Path.of(arguments[1]);
    if (!Files.exists(jar) || !Files.isDirectory(classes)) {
      return;
    }
    Path state = Path.of(arguments[1] + ".api");
    String digest = digest(classes);
    if (Files.exists(state) && Files.readString(state).equals(digest)) {
      Files.setLastModifiedTime(jar, Files.getLastModifiedTime(state));
    } else {
      Files.writeString(state, digest);
      FileTime now = Files.getLastModifiedTime(jar);
      Files.setLastModifiedTime(state, now);
    }
  }

  private static String digest(Path classes) throws Exception {
    TreeMap<String, byte[]> apis = new TreeMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      files
          .filter(file -> file.toString().endsWith(".class"))
          .forEach(file -> apis.put(classes.relativize(file).toString(), api(file)));
    }
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    apis.forEach(
        (name, api) -> {
          sha.update(name.getBytes(StandardCharsets.UTF_8));
          sha.update(api);
        });
    return HexFormat.of().formatHex(sha.digest());
  }

  /** Returns the class without its code, its private members and what only debuggers read. */
  private static byte[] api(Path file) {
    try {
      ClassFile format = ClassFile.of(
          ClassFile.DebugElementsOption.DROP_DEBUG,
          ClassFile.LineNumbersOption.DROP_LINE_NUMBERS,
          ClassFile.ConstantPoolSharingOption.NEW_POOL);
      ClassModel model = format.parse(file);
      return format.transformClass(model, (builder, element) -> {
        switch (element) {
          case MethodModel method when method.flags().has(AccessFlag.PRIVATE)
              || method.flags().has(AccessFlag.SYNTHETIC) -> {}
          case FieldModel field when field.flags().has(AccessFlag.PRIVATE)
              || field.flags().has(AccessFlag.SYNTHETIC) -> {}
          case MethodModel method -> builder.transformMethod(method, (one, part) -> {
            if (!(part instanceof CodeModel)) {
              one.with(part);
            }
          });
          // Which of the nested classes a class's code knows is none of its API; its own entry has its access.
          case InnerClassesAttribute nested -> builder.with(InnerClassesAttribute.of(nested.classes().stream()
              .filter(inner -> inner.innerClass().equals(model.thisClass())).toList()));
          default -> {
            String name = element instanceof Attribute<?> attribute ? attribute.attributeName().stringValue() : "";
            // What the code refers to, and where the source stood.
            if (!List.of("BootstrapMethods", "SourceFile", "NestMembers").contains(name)) {
              builder.with(element);
            }
          }
        }
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
