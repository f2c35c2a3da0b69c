// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.tunercsv;

import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variable that only this tuner reads. */
public final class CsvVariables implements VariableCatalog {

  /** Where the table is. */
  public static final Variable<String> FILE =
      Variable.text(
          "NITINOL_TUNER_CSV_FILE",
          "a file name",
          "",
          "The table of the tuner CSV, with the columns "
              + CsvLine.HEADER
              + "; -1 is any, and the first line that fits counts. Unset, the tuner changes"
              + " nothing.");

  /** Creates the table; for ServiceLoader. */
  public CsvVariables() {}

  @Override
  public String owner() {
    return "tuner-csv";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(FILE);
  }

  @Override
  public List<String> unmet(Settings settings) {
    try {
      CsvTable.read(settings.get(FILE));
      return List.of();
    } catch (NetException e) {
      return List.of(e.getMessage() + "; operations with the tuner CSV fail");
    }
  }
}
