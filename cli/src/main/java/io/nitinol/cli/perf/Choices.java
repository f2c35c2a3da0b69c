// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.core.config.CloseNames;
import io.nitinol.spi.DataType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the names of types, operators and collectives, in nccl-tests' spelling. */
final class Choices {
  private static final String ALL = "all";

  /** What nccl-tests' names have behind them. */
  private static final String PROGRAM = "_perf";

  private Choices() {}

  /** {@code -t}: one type or all. */
  static final class Types implements ITypeConverter<List<DataType>> {
    @Override
    public List<DataType> convert(String text) {
      return choose(text, List.of(DataType.values()), DataType::label);
    }
  }

  /** {@code -o}: one operator or all. */
  static final class Ops implements ITypeConverter<List<PerfOperator>> {
    @Override
    public List<PerfOperator> convert(String text) {
      return choose(text, PerfOperator.reducing(), PerfOperator::label);
    }
  }

  /** What is measured. */
  static final class Programs implements ITypeConverter<PerfCollective> {
    @Override
    public PerfCollective convert(String text) {
      String name =
          text.endsWith(PROGRAM) ? text.substring(0, text.length() - PROGRAM.length()) : text;
      PerfCollective found = PerfCollectives.named(name);
      if (found != null) {
        return found;
      }
      List<String> known = new ProgramNames().names;
      throw new TypeConversionException(
          "'" + text + "' is none of " + String.join(", ", known) + CloseNames.hint(text, known));
    }
  }

  /** The words by which a shell completes a value. */
  abstract static class Names implements Iterable<String> {
    final List<String> names;

    Names(Stream<String> names) {
      this.names = names.toList();
    }

    @Override
    public Iterator<String> iterator() {
      return names.iterator();
    }
  }

  static final class TypeNames extends Names {
    TypeNames() {
      super(Stream.concat(Stream.of(DataType.values()).map(DataType::label), Stream.of(ALL)));
    }
  }

  static final class OpNames extends Names {
    OpNames() {
      super(
          Stream.concat(PerfOperator.reducing().stream().map(PerfOperator::label), Stream.of(ALL)));
    }
  }

  static final class ProgramNames extends Names {
    ProgramNames() {
      super(PerfCollectives.all().stream().map(PerfCollective::label));
    }
  }

  /** {@code -r}: one rank or all. */
  static final class Roots implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (text.equalsIgnoreCase(ALL)) {
        return PerfPlan.ALL_ROOTS;
      }
      try {
        int root = Integer.parseInt(text);
        if (root >= 0) {
          return root;
        }
      } catch (NumberFormatException e) {
        throw new TypeConversionException(expectedRank(text));
      }
      throw new TypeConversionException(expectedRank(text));
    }

    private static String expectedRank(String text) {
      return "'" + text + "': expected a rank from 0 up, or all";
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
