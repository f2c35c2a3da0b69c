// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** The declarations of variables, and how they are shown in the documentation and elsewhere. */
public final class VariableTable {
  private static final Set<Variable<?>> SECRETS =
      Set.of(CoreVariables.COMM_SECRET, LaunchVariables.UNIQUE_ID);

  /** How the page begins; {@code UnmetRequest} of core.plugin holds the policy in code. */
  private static final String HEAD =
      """
      <!-- SPDX-License-Identifier: Apache-2.0 -->
      # Environment variables

      Generated from the declarations in the code. A variable is looked up in the environment, then in `~/.nccl.conf` (or
      the file that `NCCL_CONF_FILE` names), then in `/etc/nccl.conf`. As in NCCL, `~` is the home directory that the
      system's user database has; `HOME` does not change it.

      What is asked for and cannot be had is never dropped without a word:

      - **An error** where data would go another way than asked, or ranks could differ: a network, tuner, kernels or
        devices that are not there (`NCCL_NET`, `NCCL_TUNER_PLUGIN`, `NITINOL_KERNELS`, `NITINOL_DEVICE`), a CollNet that
        is not there (`NITINOL_COLLNET` with `NCCL_COLLNET_ENABLE=1`), encryption that cannot be had
        (`NITINOL_SOCKET_TLS`), and a file that `NCCL_CONF_FILE` names and that cannot be read, since it may ask for any of
        these.
      - **A warning** for everything else, and the default is used: a value that is not of the accepted form, a plugin of
        `NITINOL_PLUGIN_PATH` or `NCCL_NET_PLUGIN` or a profiler that cannot be loaded, a switch that cannot be reached or
        has another secret, more sockets than there can be. `perf` and `run` show it unasked. In other programs the first
        rank of a host writes a line on plugins, switches and flight recorders to standard error, unless `NCCL_DEBUG` is
        `NONE` or `VERSION`; the rest is in the log (`NCCL_DEBUG=WARN`). In `NCCL_ALGO` and `NCCL_PROTO` it is a warning, too,
        where NCCL has an error for unknown names: the data goes the same way.
      """;

  private final List<VariableCatalog> catalogs;

  /** Creates a table of {@code catalogs}, which it prints by owner: core first, then by name. */
  public VariableTable(List<VariableCatalog> catalogs) {
    List<VariableCatalog> sorted = new ArrayList<>(catalogs);
    sorted.sort(
        Comparator.comparing((VariableCatalog c) -> !c.owner().equals("core"))
            .thenComparing(VariableCatalog::owner));
    this.catalogs = List.copyOf(sorted);
  }

  /** Returns the table of all catalogs that ServiceLoader finds. */
  public static VariableTable installed() {
    return new VariableTable(
        ServiceLoader.load(VariableCatalog.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /** Returns this table with {@code more} catalogs. */
  public VariableTable with(List<VariableCatalog> more) {
    List<VariableCatalog> all = new ArrayList<>(catalogs);
    all.addAll(more);
    return new VariableTable(all);
  }

  /** Returns the catalogs, in the order in which they are printed. */
  public List<VariableCatalog> catalogs() {
    return catalogs;
  }

  /** Returns the value of {@code variable} to be shown: a secret is hidden. */
  public static String value(Variable<?> variable, Settings settings) {
    if (SECRETS.contains(variable) && settings.isSet(variable)) {
      return "(hidden)"; // the table ends up in bug reports
    }
    return shown(settings.get(variable));
  }

  /** Returns whether the value of the variable called {@code name} must not be shown or logged. */
  public static boolean isSecret(String name) {
    return SECRETS.stream().anyMatch(secret -> secret.name().equals(name));
  }

  /** Prints the declarations as Markdown: what {@code docs/environment.md} holds. */
  public String markdown() {
    StringBuilder out = new StringBuilder(HEAD);
    for (VariableCatalog catalog : catalogs) {
      out.append("\n## ").append(catalog.owner()).append("\n\n");
      out.append("| variable | accepted | default | meaning |\n|---|---|---|---|\n");
      for (Variable<?> variable : catalog.variables()) {
        String fallback = shown(variable.fallback());
        out.append("| `").append(variable.name()).append("` | ");
        out.append(cell(variable.form())).append(" | ");
        out.append(fallback.isEmpty() ? "not set" : "`" + cell(fallback) + "`").append(" | ");
        out.append(cell(variable.meaning())).append(" |\n");
      }
    }
    return out.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** Returns a value as it would be set: a flag is not written as Java does it. */
  public static String shown(Object value) {
    return value instanceof Boolean flag ? flag ? "1" : "0" : value.toString();
  }
}
