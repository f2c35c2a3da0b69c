// SPDX-License-Identifier: Apache-2.0

/** A sample tuner, which reads a table. */
module io.nitinol.samples.tunercsv {
  requires io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.samples.tunercsv.CsvVariables;
  provides io.nitinol.spi.tuner.v1.Tuner with
      io.nitinol.samples.tunercsv.CsvTuner;
}
