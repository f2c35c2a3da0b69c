// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code nitinol diagnose}: what the files of the ranks' flight recorders say together. */
@Command(
    name = "diagnose",
    header = "Say from the ranks' flight recorders why a job is stuck.",
    description = {
      "",
      "Reads the files that the ranks wrote for NITINOL_FLIGHT_RECORDER_FILE, and says for each"
          + " communicator which rank's file is missing, which rank is behind, in which call the"
          + " ranks disagree, and which rank waits for which over which transport.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:at least one file could be read",
      "2:none could, or --pytorch could not write a rank's file"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  export NITINOL_FLIGHT_RECORDER_FILE=flight/rank-%%r.json     # before the job starts",
      "  nitinol diagnose flight/rank-*.json",
      "  nitinol diagnose --json flight/rank-*.json >diagnosis.json"
    })
public final class DiagnoseCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The files of the ranks.")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--pytorch",
      paramLabel = "DIR",
      description =
          "Also write each rank's file for PyTorch's analyzer, in a folder of DIR for each"
              + " communicator.")
  private @Nullable Path pytorch;

  /** A file, and what it had in it when it was read. */
  private record Source(Path file, JsonNode root) {}

  /** The file of each rank that counts; kept for {@code --pytorch} only. */
  private final IdentityHashMap<FlightLog, Source> sources = new IdentityHashMap<>();

  /** Made by picocli. */
  public DiagnoseCommand() {}

  @Override
  public Integer call() {
    List<String> problems = new ArrayList<>();
    NavigableMap<String, NavigableMap<Integer, FlightLog>> logs = read(problems);
    List<Diagnosis> found = new ArrayList<>();
    logs.values().forEach(ranks -> found.add(Diagnosis.of(ranks.values())));
    if (found.isEmpty()) {
      throw CommandFailure.usage(String.join("\n", problems));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(found, problems));
    } else {
      problems.forEach(out::println);
      for (Diagnosis diagnosis : found) {
        out.println(
            ErrorText.of(
                "Communicator %s of %d ranks", diagnosis.communicator(), diagnosis.size()));
        diagnosis.sentences().forEach(sentence -> out.println("  " + sentence));
      }
    }
    out.flush(); // whatever becomes of the conversion
    Path directory = pytorch;
    if (directory != null) {
      List<String> failures = convert(logs.values(), directory);
      if (!failures.isEmpty()) {
        throw CommandFailure.usage(String.join("\n", failures));
      }
      if (!json) {
        out.println(PyTorchTrace.hint(directory));
        out.flush();
      }
    }
    return ExitStatus.OK;
  }

  private NavigableMap<String, NavigableMap<Integer, FlightLog>> read(List<String> problems) {
    NavigableMap<String, NavigableMap<Integer, FlightLog>> logs = new TreeMap<>();
    for (Path file : files) {
      try {
        JsonNode root = FlightLog.document(file);
        FlightLog log = FlightLog.of(file, root);
        NavigableMap<Integer, FlightLog> ranks =
            logs.computeIfAbsent(log.communicator(), c -> new TreeMap<>());
        if (!ranks.isEmpty() && ranks.firstEntry().getValue().size() != log.size()) {
          problems.add(
              ErrorText.of(
                  "%s: it says that communicator %s has %d ranks; another file says %d",
                  file, log.communicator(), log.size(), ranks.firstEntry().getValue().size()));
          continue;
        }
        FlightLog other = ranks.get(log.rank());
        if (other != null) {
          problems.add(
              ErrorText.of(
                  "%s: another file is of rank %d too; the newer one counts", file, log.rank()));
        }
        if (other == null || other.written() < log.written()) {
          ranks.put(log.rank(), log);
          if (pytorch != null) {
            sources.put(log, new Source(file, root));
          }
        }
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return logs;
  }

  /** Writes a file for each rank, and returns a sentence for each one that cannot be written. */
  private List<String> convert(Collection<NavigableMap<Integer, FlightLog>> logs, Path directory) {
    List<String> failures = new ArrayList<>();
    for (NavigableMap<Integer, FlightLog> ranks : logs) {
      for (FlightLog log : ranks.values()) {
        Source source = Objects.requireNonNull(sources.get(log));
        try {
          Path _ = PyTorchTrace.write(log, source.root(), directory);
        } catch (IOException e) {
          failures.add(ErrorText.of("--pytorch: %s: %s", source.file(), ErrorText.reason(e)));
        }
      }
    }
    return failures;
  }

  private static String json(List<Diagnosis> found, List<String> problems) {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode communicators = root.putArray("communicators");
    for (Diagnosis diagnosis : found) {
      ObjectNode node = communicators.addObject();
      DiagnosisJson.put(diagnosis, node);
    }
    problems.forEach(root.putArray("problems")::add);
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }
}
