// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of {@code nitinol perf} for two hosts without a launcher. */
final class HostPairOptions {
  /** The port where none is given; that of no tool that people know. */
  static final int USUAL_PORT = 29_512;

  private static final int MOST_PORTS = 65_535;
  private static final String SERVER = "--server";
  private static final String CONNECT = "--connect";

  /** What speaks of other processes or of files, and so is not for the other host. */
  private static final List<String> OF_THIS_HOST =
      List.of(CONNECT, "--json", "--csv", "--report", "--histogram");

  /** What says how many ranks there are, or takes sizes from a file. */
  private static final List<String> NOT_WITH_TWO_HOSTS =
      List.of("-n", "--threads", "-g", "--matrix", "--matrix-scale");

  @Option(
      names = SERVER,
      paramLabel = "PORT",
      arity = "0..1",
      fallbackValue = "" + USUAL_PORT,
      description =
          "Be one of two ranks, wait for the other one, and show what to type on its host. It says"
              + " there what to measure. Default port: 29512; 0 for any that is free.")
  private @Nullable Integer server;

  @Option(
      names = CONNECT,
      paramLabel = "HOST[:PORT]",
      description =
          "Be one of two ranks, of which the other one is perf --server on that host."
              + " NITINOL_COMM_SECRET has the secret that it shows.")
  private @Nullable String connect;

  /** Returns whether the ranks are this process and one of another host. */
  boolean isGiven() {
    return server != null || connect != null;
  }

  /** Returns whether this process waits for the other one. */
  boolean serves() {
    return server != null;
  }

  /** Returns the port to wait at; 0 for any. */
  int port() {
    return server == null ? USUAL_PORT : server;
  }

  /** Returns where the server waits, with its port. */
  String place() {
    String given = connect == null ? "" : connect.strip();
    boolean address = given.indexOf(':') != given.lastIndexOf(':');
    if (address && !given.startsWith("[")) {
      return new HostAndPort(given, USUAL_PORT).toString(); // IPv6 alone
    }
    boolean portless = address ? given.endsWith("]") : given.indexOf(':') < 0;
    return portless ? given + ":" + USUAL_PORT : given;
  }

  /**
   * Makes sure that the other options go with these.
   *
   * @throws CommandLine.ParameterException naming the option that does not
   */
  void require(CommandLine command) {
    ParseResult parsed = command.getParseResult();
    PerfOptions.require(
        command,
        server == null || connect == null,
        "--server and --connect exclude each other: one host has the one, the other host the other");
    PerfOptions.require(
        command,
        server == null || (server >= 0 && server <= MOST_PORTS),
        ErrorText.of("--server %s: expected a port from 0 to %d", server, MOST_PORTS));
    String option = server != null ? SERVER : CONNECT;
    for (String other : NOT_WITH_TWO_HOSTS) {
      PerfOptions.require(
          command,
          !parsed.hasMatchedOption(other),
          ErrorText.of("%s does not go with %s: there is one rank on each host", other, option));
    }
    for (OptionSpec other : parsed.matchedOptionsSet()) {
      PerfOptions.require(
          command,
          server == null || isOneOf(other, List.of(SERVER)),
          ErrorText.of(
              "%s does not go with --server: --connect on the other host says what to measure",
              other.names()[0]));
    }
    if (connect != null) {
      try {
        HostAndPort.parse(place(), 1);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.ParameterException(
            command,
            ErrorText.of(
                "--connect %s: %s; or without the port, which is %d then",
                connect, e.getMessage(), USUAL_PORT),
            e);
      }
    }
  }

  /**
   * Returns the options that say what to measure, for the other host.
   *
   * @param parsed the command line of this one
   */
  static List<String> carried(ParseResult parsed) {
    List<String> carried = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptionsSet()) {
      if (isOneOf(option, OF_THIS_HOST)) {
        continue;
      }
      String name = option.longestName();
      List<String> values = option.originalStringValues();
      carried.add(
          option.arity().max() == 0 || values.isEmpty() ? name : name + "=" + values.getLast());
    }
    return carried;
  }

  /**
   * Returns the first option of another host that speaks of other processes or of files, and so has
   * no business here; null where there is none.
   */
  static @Nullable String notCarried(ParseResult parsed) {
    for (OptionSpec option : parsed.matchedOptionsSet()) {
      if (isOneOf(option, OF_THIS_HOST)
          || isOneOf(option, NOT_WITH_TWO_HOSTS)
          || isOneOf(option, List.of(SERVER))) {
        return option.names()[0];
      }
    }
    return null;
  }

  private static boolean isOneOf(OptionSpec option, List<String> names) {
    return Stream.of(option.names()).anyMatch(names::contains);
  }
}
