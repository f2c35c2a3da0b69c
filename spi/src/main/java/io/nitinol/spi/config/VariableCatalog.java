// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.config;

import java.util.List;

/**
 * The table of the variables that one module reads, found by ServiceLoader so that {@code nitinol
 * env} and the documentation can print all of them.
 */
public interface VariableCatalog {

  /**
   * Returns the name of the module or plugin that reads these variables, such as {@code
   * net-socket}.
   *
   * @return the name of the module, as users write it
   */
  String owner();

  /**
   * Returns the declarations.
   *
   * @return the variables, in the order in which they are to be printed
   */
  List<Variable<?>> variables();

  /**
   * Finds what is asked for by name and cannot be had on this machine, or is more than there is,
   * although each value is well-formed. Commands call it before they start ranks, so it looks at
   * files and at values, and neither waits nor connects.
   *
   * @param settings where the variables are read
   * @return a sentence for each such request: it names the variable and its value, and tells what
   *     is done instead
   */
  default List<String> unmet(Settings settings) {
    return List.of();
  }
}
