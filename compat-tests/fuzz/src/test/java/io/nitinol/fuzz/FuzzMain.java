// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code compat-tests/fuzz/run}: tries inputs on one target or on all, and prints what
 * was found and reached. It ends with 1 if something was found, and with 2 for options that make no
 * sense.
 *
 * <pre>
 *  --target NAME    one target; by default all share the inputs
 *  --inputs N       how many, by default a million
 *  --seed S         from which they follow; printed
 *  --corpus DIR     writes there what reaches all that was reached, one file for each target
 *  --replay HEX     tries this input alone
 * </pre>
 */
final class FuzzMain {
  private static final int STUCK_SECONDS = 60;

  private List<String> targets = Targets.names();
  private long inputs = 1_000_000;
  private long seed = System.nanoTime();
  private @Nullable Path corpus;
  private byte @Nullable [] replayed;

  private FuzzMain() {}

  /** Runs the command. */
  public static void main(String[] arguments) throws Exception {
    FuzzMain main;
    try {
      main = of(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("fuzz: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(main.run() ? 0 : 1);
  }

  /**
   * Takes the options.
   *
   * @throws IllegalArgumentException for one that is not known, or that has no value or a wrong one
   */
  static FuzzMain of(String... arguments) {
    FuzzMain main = new FuzzMain();
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
      main.option(arguments[i], arguments[i + 1]);
    }
    return main;
  }

  private void option(String name, String value) {
    switch (name) {
      case "--target" -> {
        Targets.requireKnown(value);
        targets = List.of(value);
      }
      case "--inputs" -> inputs = Long.parseLong(value.replace("_", ""));
      case "--seed" -> seed = Long.parseLong(value);
      case "--corpus" -> corpus = Path.of(value);
      case "--replay" -> replayed = HexFormat.of().parseHex(value);
      default -> throw new IllegalArgumentException("unknown option " + name);
    }
  }

  private boolean run() throws Exception {
    List<Finding> findings = new ArrayList<>();
    System.out.println("seed " + seed);
    long begin = System.nanoTime();
    long quick = Targets.quick(targets, inputs);
    try (Watch watch = new Watch(STUCK_SECONDS, () -> Runtime.getRuntime().halt(1))) {
      for (String name : targets) {
        Fuzzer fuzzer = new Fuzzer(name, seed, watch);
        byte[] one = replayed;
        if (one != null) {
          fuzzer.replay(List.of(one));
        } else {
          fuzzer.begin();
          fuzzer.run(Targets.share(name, quick));
        }
        System.out.println(fuzzer.figures());
        for (Finding finding : fuzzer.findings()) {
          System.out.println(finding);
          finding.effect().printStackTrace(System.out);
        }
        findings.addAll(fuzzer.findings());
        if (corpus != null) {
          Corpus.write(corpus, name, fuzzer.smallest());
        }
      }
    }
    System.out.printf(
        "%d findings in %d s%n",
        findings.size(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    return findings.isEmpty();
  }
}
