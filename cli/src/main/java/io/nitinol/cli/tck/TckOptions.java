// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.Lane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The options of {@code nitinol tck} and what is allowed for them. */
final class TckOptions {
  /** For the process that {@link ContainedRun} starts. */
  static final String NOTES = "--notes";

  /** Measured once for all processes of a run. */
  static final String PATIENCE = "--patience";

  private static final int MOST_PATIENCE = 600; // seconds

  /** How thorough a run is; both at once is an error. */
  static final class Depth {
    @Option(names = "--quick", description = "Take less than 3 minutes; this is the default.")
    boolean quick;

    @Option(
        names = "--full",
        description = "Take up to 15 minutes: larger messages, more of everything.")
    boolean full;
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "PLUGIN",
      description =
          "The name of a plugin that nitinol plugins shows, in any case; or the path of a jar or"
              + " directory, which has a / in it or ends in .jar.")
  private @Nullable String plugin;

  @Option(
      names = "--rule",
      paramLabel = "ID",
      split = ",",
      description =
          "Test this rule only, such as NET-SEND-04, or all whose ids begin alike: NET-SEND-*. May"
              + " be given several times.")
  private List<String> rules = new ArrayList<>();

  @Option(
      names = "--lane",
      paramLabel = "LANE",
      split = ",",
      description =
          "Test the plugin this way only: a version that it offers, and adapters above it, such as"
              + " v6, v4-v12 or \"net v4->v12\". May be given several times.")
  private List<String> lanes = new ArrayList<>();

  @ArgGroup private @Nullable Depth depth;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeat the random choices of the run that printed this seed.")
  private @Nullable Long seed;

  @Option(
      names = "--within-process",
      description = "The network reaches its own process only, so that no peer can be in another.")
  private boolean withinProcess;

  @Option(
      names = "--to-device",
      paramLabel = "N",
      description =
          "Device 0 sends to device N, not to itself, in tests that are not about devices.")
  private int toDevice;

  @Option(
      names = PATIENCE,
      paramLabel = "SECONDS",
      description =
          "How long to wait for what a right plugin does at once, 1 to 600. The default is measured:"
              + " 10 on a usual machine, more on one that is slow, emulated or busy.")
  private @Nullable Integer patience;

  @Option(
      names = "--no-processes",
      description = "Start no processes; rules that need them are skipped. Implies --in-process.")
  private boolean noProcesses;

  @Option(
      names = "--contained",
      description =
          "Run the kit in a second process, and go on in another one when the plugin ends it. This"
              + " is the default.")
  private boolean contained;

  @Option(
      names = "--in-process",
      description =
          "Run the kit in this process, as for a debugger. A plugin that ends it then decides on"
              + " the exit status, even on 0.")
  private boolean inProcess;

  @Option(names = NOTES, hidden = true, description = "Run for the process that reads this file.")
  private @Nullable Path notes;

  @Option(names = "--list", description = "List the rules and whether the kit tests them.")
  private boolean list;

  @Nullable String plugin() {
    return plugin;
  }

  /** Returns whether the kit runs in a second process, which the plugin may end. */
  boolean contained() {
    return !noProcesses && !inProcess;
  }

  /**
   * Makes sure that a second process is not both asked for and forbidden.
   *
   * @throws ParameterException when it is
   */
  void requireSense(CommandLine command) {
    if (contained && noProcesses) {
      throw new ParameterException(
          command,
          "--contained and --no-processes: the one starts a process, the other forbids it");
    }
    if (contained && inProcess) {
      throw new ParameterException(command, "--contained and --in-process exclude each other");
    }
  }

  /** Returns the file of notes where this process is the second one, else null. */
  @Nullable Path notes() {
    return notes;
  }

  boolean withinProcess() {
    return withinProcess;
  }

  /**
   * Returns the device that device 0 sends to.
   *
   * @throws ParameterException when it is negative
   */
  int toDevice(CommandLine command) {
    if (toDevice < 0) {
      throw new ParameterException(
          command, "--to-device " + toDevice + ": a device is a number, 0 or more");
    }
    return toDevice;
  }

  boolean list() {
    return list;
  }

  /**
   * Returns the rules that were asked for, as the contract spells them; empty for all.
   *
   * @throws ParameterException when there is no such rule, with those whose ids are close
   */
  List<String> rules(CommandLine command) {
    return RuleNames.resolve(command, rules);
  }

  /**
   * Returns those of {@link #rules} that the kit tests; empty for all.
   *
   * @throws ParameterException when there is no such rule, or none of them can be tested
   */
  List<String> testableRules(CommandLine command) {
    return RuleNames.requireTestable(command, rules(command), rules);
  }

  /**
   * Returns what a run does.
   *
   * @param only the rules to test; empty for all
   * @param available the lanes that the plugin has
   * @throws ParameterException when a lane is not there
   */
  KitOptions kit(CommandLine command, List<String> only, List<Lane> available) {
    KitOptions kit = KitOptions.quick();
    if (depth != null && depth.full) {
      kit = kit.inFull();
    }
    if (noProcesses) {
      kit = kit.withoutProcesses();
    }
    if (seed != null) {
      kit = kit.withSeed(seed);
    }
    return kit.withPatience(patience(command))
        .only(new LinkedHashSet<>(only))
        .onLanes(new LinkedHashSet<>(lanes(command, available)));
  }

  /**
   * Returns how long the kit waits for what a right plugin does at once: as it was told, or as this
   * machine needs it now.
   *
   * @throws ParameterException when it was told too little or too much
   */
  Duration patience(CommandLine command) {
    if (patience == null) {
      return KitOptions.measuredPatience();
    }
    if (patience < 1 || patience > MOST_PATIENCE) {
      throw new ParameterException(
          command, PATIENCE + " " + patience + ": expected seconds from 1 to " + MOST_PATIENCE);
    }
    return Duration.ofSeconds(patience);
  }

  /**
   * A lane is named by its label, or by its versions alone: on a shell, {@code >} is a nuisance.
   */
  private List<String> lanes(CommandLine command, List<Lane> available) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (Lane lane : available) {
      labels.put(fold(lane.label()), lane.label());
    }
    List<String> chosen = new ArrayList<>();
    for (String wanted : lanes) {
      List<String> found =
          labels.entrySet().stream()
              .filter(label ->
                  label.getKey().equals(fold(wanted))
                      || label.getKey().replaceFirst("^(net|collnet)", "").equals(fold(wanted)))
              .map(Map.Entry::getValue)
              .toList();
      if (found.isEmpty()) {
        throw new ParameterException(
            command, "--lane " + wanted + ": the plugin has " + String.join(", ", labels.values()));
      }
      chosen.addAll(found);
    }
    return chosen;
  }

  private static String fold(String lane) {
    return lane.toLowerCase(Locale.ROOT).replaceAll("[\\s>:]", "");
  }
}
