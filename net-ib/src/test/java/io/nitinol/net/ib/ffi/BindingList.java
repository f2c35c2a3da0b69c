// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The list of what is bound, as jextract reads it.
 *
 * @param types structs and unions by name, each with its keyword
 * @param constants constants by name
 * @param functions functions by name
 */
record BindingList(Map<String, String> types, List<String> constants, List<String> functions) {
  static final String PACKAGE = BindingList.class.getPackageName() + ".";

  /** Where jextract's input is; Maven runs tests in the module's directory. */
  static final Path DIRECTORY = Path.of("src/main/jextract");

  static BindingList read() throws IOException {
    BindingList list =
        new BindingList(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
    for (String line : Files.readAllLines(DIRECTORY.resolve("verbs.args"))) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "--include-struct" -> list.types.put(words[1], "struct");
        case "--include-union" -> list.types.put(words[1], "union");
        case "--include-constant" -> list.constants.add(words[1]);
        case "--include-function" -> list.functions.add(words[1]);
        default -> {}
      }
    }
    return list;
  }

  static GroupLayout layout(String type) throws ReflectiveOperationException {
    return (GroupLayout) Class.forName(PACKAGE + type).getMethod("layout").invoke(null);
  }

  /** Whether a member is of a type that has a class of its own, and so is compared there. */
  static boolean isType(GroupLayout member, String name) {
    for (String type : TYPES) {
      try {
        if (layout(type).withName(name).equals(member)) {
          return true;
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return false;
  }

  private static final List<String> TYPES;

  static {
    try {
      TYPES = List.copyOf(read().types.keySet());
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
