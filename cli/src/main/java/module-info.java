// SPDX-License-Identifier: Apache-2.0

/** The {@code nitinol} command. */
module io.nitinol.cli {
  requires HdrHistogram; // named after its jar
  requires info.picocli;
  requires io.nitinol.core;
  requires io.nitinol.net.collnet; // the switch, which is a program and no plugin
  requires io.nitinol.tck;
  requires io.nitinol.toolkit;
  requires jdk.httpserver;
  requires tools.jackson.databind;
  requires static org.jspecify;

  // picocli makes the commands and sets their options.
  opens io.nitinol.cli to
      info.picocli;
  opens io.nitinol.cli.command to
      info.picocli;
  opens io.nitinol.cli.doctor to
      info.picocli;
  opens io.nitinol.cli.inspect to
      info.picocli;
  opens io.nitinol.cli.launch to
      info.picocli;
  opens io.nitinol.cli.perf to
      info.picocli;
  opens io.nitinol.cli.perf.runs to
      info.picocli;
  opens io.nitinol.cli.sim to
      info.picocli;
  opens io.nitinol.cli.switching to
      info.picocli;
  opens io.nitinol.cli.top to
      info.picocli;
  opens io.nitinol.cli.topo to
      info.picocli;
  opens io.nitinol.cli.trace to
      info.picocli;
  opens io.nitinol.cli.tck to
      info.picocli;
}
