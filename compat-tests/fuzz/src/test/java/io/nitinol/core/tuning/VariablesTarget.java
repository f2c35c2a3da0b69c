// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.collnet.CollNetVariables;
import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.nativeabi.export.NativeVariables;
import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.spi.tuner.Algorithm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The values of all variables: a value, or a default with a warning that names the variable. */
public final class VariablesTarget implements FuzzTarget {
  private final List<Variable<?>> variables = new ArrayList<>();

  /** Lists the variables. */
  public VariablesTarget() {
    for (VariableCatalog catalog :
        List.of(
            new CoreVariables(),
            new SocketVariables(),
            new IbVariables(),
            new CollNetVariables(),
            new NativeVariables())) {
      variables.addAll(catalog.variables());
    }
  }

  @Override
  public void run(byte[] input) {
    if (input.length < 2) {
      return;
    }
    String text = new String(input, 1, input.length - 1, StandardCharsets.UTF_8);
    read(variables.get((input[0] & 0xff) % variables.size()), text);
    List<String> warnings = new ArrayList<>();
    Permitted<Algorithm> permitted =
        Permitted.parse(
            "NCCL_ALGO",
            text,
            Algorithm.class,
            List.of("tree", "ring"),
            List.of("nvls"),
            warnings::add);
    FuzzTarget.require(permitted != null, "nothing is permitted");
    FuzzTarget.require(warnings.stream().allMatch(each -> each.contains("NCCL_ALGO")), "a name");
  }

  private static <T> void read(Variable<T> variable, String text) {
    Settings settings = Settings.of(Map.of(variable.name(), text));
    String mistake = settings.mistake(variable);
    T value = settings.get(variable);
    FuzzTarget.require(value != null, "no value");
    if (mistake != null && !text.isBlank()) {
      FuzzTarget.require(mistake.contains(variable.name()), "a mistake without a name: " + mistake);
      FuzzTarget.require(value.equals(variable.fallback()), "not the default");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(Variable.class, Permitted.class);
  }

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (String text : List.of("1", "4M", "tree,ring;allreduce:^tree", "yes", "INFO")) {
      byte[] value = (" " + text).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < variables.size(); i++) {
        value[0] = (byte) i;
        seeds.add(value.clone());
      }
    }
    return seeds;
  }

  @Override
  public int mostBytes() {
    return 80;
  }
}
