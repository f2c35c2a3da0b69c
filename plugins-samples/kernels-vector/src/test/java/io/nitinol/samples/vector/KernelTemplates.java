// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes the kernels that differ in nothing but the element's type, from the templates in {@code
 * src/main/templates}.
 *
 * <p>The outputs are committed, so that a build and an IDE need no generator; {@link
 * KernelTemplatesTest} fails when one is not what its template gives. After a change of a template,
 * from the repository's root: {@code java
 * plugins-samples/kernels-vector/src/test/java/io/nitinol/samples/vector/KernelTemplates.java}.
 *
 * <p>A template is a Java file with {@code $names$} in place of what differs, see {@link Lane}, and
 * lines between {@code #if[flag]}, {@code #else} and {@code #end}, which are not nested. A template
 * is formatted as its outputs are to be, for they are not formatted again.
 */
final class KernelTemplates {
  private static final Path TEMPLATES = Path.of("src", "main", "templates");
  private static final Path SOURCES =
      Path.of("src", "main", "java", "io", "nitinol", "samples", "vector");

  /**
   * What a template can say about a type of elements.
   *
   * @param type {@code $Type$} in class names, {@code $TYPE$} in layouts
   * @param primitive {@code $type$}
   * @param box {@code $Box$}
   * @param bits {@code $bits$}
   * @param flags which lines it takes
   * @param special further names of one template, and what stands for them
   */
  private record Lane(
      String type,
      String primitive,
      String box,
      int bits,
      Set<String> flags,
      Map<String, String> special) {

    String expand(String line) {
      String expanded =
          line.replace("$Type$", type)
              .replace("$TYPE$", primitive.toUpperCase(Locale.ROOT))
              .replace("$type$", primitive)
              .replace("$Box$", box)
              .replace("$bits$", Integer.toString(bits));
      for (Map.Entry<String, String> name : special.entrySet()) {
        expanded = expanded.replace("$" + name.getKey() + "$", name.getValue());
      }
      return expanded;
    }
  }

  /** The types' arithmetic; what has the flag {@code few} needs no vector for a few elements. */
  private static final List<Lane> ARITHMETIC =
      List.of(
          new Lane("Byte", "byte", "Byte", 8, Set.of("integer"), Map.of()),
          new Lane("Int", "int", "Integer", 32, Set.of("integer", "few"), Map.of("one", "result")),
          new Lane("Long", "long", "Long", 64, Set.of("integer", "few"), Map.of("one", "result")),
          new Lane(
              "Float",
              "float",
              "Float",
              32,
              Set.of("float", "few"),
              Map.of("one", "one(result)", "nan", "Float.intBitsToFloat(Integer.MAX_VALUE)")),
          new Lane(
              "Double",
              "double",
              "Double",
              64,
              Set.of("float", "few"),
              Map.of("one", "one(result)", "nan", "Double.longBitsToDouble(Long.MAX_VALUE)")));

  /** The types' minimum and maximum: {@code maxNumber} is the greatest float that is no NaN. */
  private static final List<Lane> MIN_MAX =
      List.of(
          new Lane(
              "Byte",
              "byte",
              "Byte",
              8,
              Set.of(),
              Map.of(
                  "cast",
                  "(byte) ",
                  "maxNumber",
                  "(byte) (type == DataType.FLOAT8E4M3 ? 0x7e : 0x7c)")),
          new Lane(
              "Short",
              "short",
              "Short",
              16,
              Set.of("short"),
              Map.of(
                  "cast",
                  "(short) ",
                  "maxNumber",
                  "(short) (type == DataType.FLOAT16 ? 0x7c00 : 0x7f80)")),
          new Lane(
              "Int", "int", "Integer", 32, Set.of(), Map.of("cast", "", "maxNumber", "0x7f800000")),
          new Lane(
              "Long",
              "long",
              "Long",
              64,
              Set.of(),
              Map.of("cast", "", "maxNumber", "0x7ff0000000000000L")));

  private KernelTemplates() {}

  /**
   * Writes all outputs.
   *
   * @param args none from the repository's root, else the directory of this module
   */
  public static void main(String[] args) throws IOException {
    Path module = Path.of(args.length == 0 ? "plugins-samples/kernels-vector" : args[0]);
    for (Map.Entry<Path, String> output : outputs(module).entrySet()) {
      Files.writeString(output.getKey(), output.getValue());
    }
  }

  /** Returns what each generated file of the module in a directory is to contain. */
  static Map<Path, String> outputs(Path module) throws IOException {
    Map<Path, String> outputs = new LinkedHashMap<>();
    expand(module, "Arithmetic", ARITHMETIC, outputs);
    expand(module, "MinMax", MIN_MAX, outputs);
    return outputs;
  }

  private static void expand(Path module, String name, List<Lane> lanes, Map<Path, String> outputs)
      throws IOException {
    List<String> template =
        Files.readAllLines(module.resolve(TEMPLATES).resolve(name + ".java.template"));
    for (Lane lane : lanes) {
      outputs.put(
          module.resolve(SOURCES).resolve(lane.type() + name + ".java"),
          output(name, template, lane));
    }
  }

  private static String output(String name, List<String> template, Lane lane) {
    StringBuilder output = new StringBuilder();
    boolean taken = true;
    for (String line : template) {
      if (line.startsWith("#if[")) {
        taken = lane.flags().contains(line.substring("#if[".length(), line.length() - 1));
      } else if (line.equals("#else")) {
        taken = !taken;
      } else if (line.equals("#end")) {
        taken = true;
      } else if (taken) {
        output.append(lane.expand(line)).append('\n');
        if (output.length() == line.length() + 1) { // below the licence
          output.append("// Generated by KernelTemplates from ").append(name);
          output.append(".java.template, which is the one to change.\n");
        }
      }
    }
    return output.toString();
  }
}
