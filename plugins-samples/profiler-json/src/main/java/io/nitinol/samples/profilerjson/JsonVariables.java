// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables that only this profiler reads. */
public final class JsonVariables implements VariableCatalog {

  /** Where the traces go. */
  public static final Variable<String> FILE =
      Variable.text(
          "NITINOL_PROFILER_JSON_FILE",
          "how the names of the files begin",
          "",
          "The profiler JSON writes traces to files of this name, with the communicator's number,"
              + " the rank and .json behind it, and - between them. Unset, it records nothing.");

  /** How much is kept. */
  public static final Variable<Integer> EVENTS =
      Variable.integer(
          "NITINOL_PROFILER_JSON_EVENTS",
          1,
          1 << 22,
          1 << 15,
          "How many events of a rank the profiler JSON keeps, the first ones, of 100 bytes each.");

  /** Creates the table; for ServiceLoader. */
  public JsonVariables() {}

  @Override
  public String owner() {
    return "profiler-json";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(FILE, EVENTS);
  }
}
