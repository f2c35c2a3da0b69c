// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.config.CloseNames;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the names of types, operators and collectives, in nccl-tests' spelling. */
final class Choices {
  private static final String ALL = "all";

  private Choices() {}

  /** {@code -t}: one type or all. */
  static final class Types implements ITypeConverter<List<DataType>> {
    @Override
    public List<DataType> convert(String text) {
      return choose(text, List.of(DataType.values()), DataType::label);
    }
  }

  /** {@code -o}: one operator or all. */
  static final class Ops implements ITypeConverter<List<ReductionOp>> {
    @Override
    public List<ReductionOp> convert(String text) {
      return choose(text, List.of(ReductionOp.values()), ReductionOp::label);
    }
  }

  /** What is measured. */
  static final class Collectives implements ITypeConverter<Collective> {
    @Override
    public Collective convert(String text) {
      List<String> known = new ArrayList<>();
      for (Collective collective : Collective.values()) {
        if (collective.label().equalsIgnoreCase(text)) {
          return collective;
        }
        known.add(collective.label());
      }
      throw new TypeConversionException(
          "'"
              + text
              + "' is not in this version, which has "
              + String.join(", ", known)
              + CloseNames.hint(text, known));
    }
  }

  private static <T> List<T> choose(String text, List<T> values, Function<T, String> label) {
    if (text.equalsIgnoreCase(ALL)) {
      return values;
    }
    List<String> known = new ArrayList<>();
    for (T value : values) {
      if (label.apply(value).equalsIgnoreCase(text)) {
        return List.of(value);
      }
      known.add(label.apply(value));
    }
    known.add(ALL);
    throw new TypeConversionException(
        "'" + text + "' is none of " + String.join(", ", known) + CloseNames.hint(text, known));
  }
}
