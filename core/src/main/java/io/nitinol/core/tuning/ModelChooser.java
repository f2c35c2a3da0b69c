// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.toolkit.SizeText;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the cheapest algorithm and protocol by the cost model, within what {@code NCCL_ALGO} and
 * {@code NCCL_PROTO} permit. A tuner may change the costs. Without a tuner a choice is made once
 * per class of sizes, four classes to a doubling, and looked up from then on.
 */
public final class ModelChooser implements Chooser {
  private static final Algorithm[] ALGORITHMS = Algorithm.values();
  private static final Protocol[] PROTOCOLS = Protocol.values();
  private static final int CLASSES = 4 * Long.SIZE;

  /** Below this many bytes per channel a message costs more than another channel gains. */
  private static final long CHANNEL_BYTES = 256 << 10;

  /** NCCL's algorithms that need hardware which is not there, and one of old releases. */
  private static final List<String> FOREIGN_ALGORITHMS =
      List.of("collnet", "nvls", "nvlstree", "pat");

  /** NCCL's protocol that needs stores of 128 bytes, which a GPU has. */
  private static final List<String> FOREIGN_PROTOCOLS = List.of("ll128");

  /**
   * The algorithms that are left out where there is no collective network, or it cannot reduce
   * something.
   */
  private static final Set<Algorithm> COLLNET =
      EnumSet.of(Algorithm.COLLNET_CHAIN, Algorithm.COLLNET_DIRECT);

  private static final Choice PAIRS = new Choice(Algorithm.PAIRS, Protocol.SIMPLE, 1);

  private static final Choice IN_PLACE = new Choice(Algorithm.DIRECT, Protocol.SIMPLE, 1, true);

  private final ScheduleSupport offers;
  private final CostModel model;
  private final int ranks;
  private final int channels;
  private final Permitted<Algorithm> algorithms;
  private final Permitted<Protocol> protocols;
  private final String asked;
  private final DebugLogger logger;
  private final @Nullable TunerSession tuner;
  private final Choice[][][] choices;

  /** What was chosen where buffers were allocated: in place, or anything else for the choice. */
  private final @Nullable Choice[][] shown =
      new @Nullable Choice[Collective.values().length][CLASSES];

  /** What was chosen last, without a collective network and with one. */
  private final @Nullable Choice[][][] chosen =
      new @Nullable Choice[2][Collective.values().length][CLASSES];

  /**
   * Creates a chooser.
   *
   * @param tuner asked before each operation, or null
   */
  public ModelChooser(
      CostInputs on,
      ScheduleSupport offers,
      Settings settings,
      DebugLogger logger,
      @Nullable TunerSession tuner) {
    this.offers = offers;
    this.model = new CostModel(on);
    this.ranks = on.layout().ranks();
    this.channels = on.channels();
    this.tuner = tuner;
    this.logger = logger;
    String algo = settings.get(CoreVariables.ALGO);
    String proto = settings.get(CoreVariables.PROTO);
    this.asked = "NCCL_ALGO=" + algo + " NCCL_PROTO=" + proto;
    this.algorithms = algorithms(algo, text -> logger.warn("tuning", text));
    this.protocols = protocols(proto, text -> logger.warn("tuning", text));
    this.choices = new Choice[ALGORITHMS.length][PROTOCOLS.length][channels];
    for (Algorithm a : ALGORITHMS) {
      for (Protocol p : PROTOCOLS) {
        for (int c = 1; c <= channels; c++) {
          choices[a.ordinal()][p.ordinal()][c - 1] = new Choice(a, p, c);
        }
      }
    }
    if (logger.isEnabled(LogLevel.INFO, LogSubsystem.TUNING.mask())) {
      logger.info(LogSubsystem.TUNING, "tuning", on.describe() + ", " + asked);
    }
    if (on.collNet() == null
        && ranks > 1
        && algorithms.permitsOnly(Collective.ALL_REDUCE, COLLNET)) {
      logger.warn(
          "tuning",
          asked + " asks for a collective network, which is not used; other ways are taken");
    }
  }

  /**
   * Reports the parts of {@code NCCL_ALGO} and {@code NCCL_PROTO} that are not understood and
   * ignored.
   */
  public static void check(Settings settings, Consumer<String> mistakes) {
    algorithms(settings.get(CoreVariables.ALGO), mistakes);
    protocols(settings.get(CoreVariables.PROTO), mistakes);
  }

  /** Returns whether {@code NCCL_ALGO} and {@code NCCL_PROTO} let a collective network be used. */
  public static boolean permitsCollNet(Settings settings) {
    Permitted<Algorithm> algorithms = algorithms(settings.get(CoreVariables.ALGO), text -> {});
    Permitted<Protocol> protocols = protocols(settings.get(CoreVariables.PROTO), text -> {});
    return COLLNET.stream().anyMatch(each -> algorithms.permits(Collective.ALL_REDUCE, each))
        && protocols.permits(Collective.ALL_REDUCE, Protocol.SIMPLE);
  }

  private static Permitted<Algorithm> algorithms(String text, Consumer<String> mistakes) {
    return Permitted.parse(
        CoreVariables.ALGO.name(),
        text,
        Algorithm.class,
        CoreVariables.ALGORITHMS,
        FOREIGN_ALGORITHMS,
        mistakes);
  }

  private static Permitted<Protocol> protocols(String text, Consumer<String> mistakes) {
    return Permitted.parse(
        CoreVariables.PROTO.name(),
        text,
        Protocol.class,
        CoreVariables.PROTOCOLS,
        FOREIGN_PROTOCOLS,
        mistakes);
  }

  /**
   * Chooses.
   *
   * @throws CommException INVALID_USAGE when the variables leave nothing that can do the collective
   */
  @Override
  public Choice choose(Collective collective, long bytes, boolean inNetwork) {
    if (!ScheduleBook.isScheduled(collective)) {
      return PAIRS;
    }
    if (tuner != null) {
      return tune(tuner, collective, bytes, inNetwork);
    }
    int size = sizeClass(bytes);
    Choice known = chosen[inNetwork ? 1 : 0][collective.code()][size];
    if (known == null) {
      CostTable table = new CostTable();
      fill(collective, upperBound(size), table, inNetwork);
      known = cheapest(collective, upperBound(size), table);
      remember(collective, size, inNetwork, known); // all threads come to the same one
    }
    return known;
  }

  @Override
  public Choice inPlace(Choice choice, Collective collective, long bytes) {
    if (choice.algorithm() != Algorithm.DIRECT || choice.protocol() != Protocol.SIMPLE) {
      return choice;
    }
    int size = sizeClass(bytes);
    Choice known = shown[collective.code()][size];
    if (known == null) {
      long most = upperBound(size);
      known = model.gainsInPlace(collective, most) ? IN_PLACE : choice;
      shown[collective.code()][size] = known; // all threads come to the same one
      log(collective, size, known);
    }
    return known.inPlace() ? known : choice;
  }

  private Choice tune(TunerSession session, Collective collective, long bytes, boolean inNetwork) {
    synchronized (session) {
      CostTable table = session.table();
      table.clear();
      fill(collective, bytes, table, inNetwork);
      session.tune(collective, bytes);
      if (!inNetwork) {
        // A tuner may have set a cost nevertheless.
        table.set(Algorithm.COLLNET_CHAIN, Protocol.SIMPLE, CostTable.IGNORE);
        table.set(Algorithm.COLLNET_DIRECT, Protocol.SIMPLE, CostTable.IGNORE);
      }
      Choice choice = cheapest(collective, bytes, table);
      int size = sizeClass(bytes);
      if (!choice.equals(chosen[inNetwork ? 1 : 0][collective.code()][size])) {
        remember(collective, size, inNetwork, choice);
      }
      return choice;
    }
  }

  /** Keeps a choice that differs from the last one for these sizes, and tells the log. */
  private void remember(Collective collective, int size, boolean inNetwork, Choice choice) {
    chosen[inNetwork ? 1 : 0][collective.code()][size] = choice;
    log(collective, size, choice);
  }

  private void log(Collective collective, int size, Choice choice) {
    if (logger.isEnabled(LogLevel.INFO, LogSubsystem.TUNING.mask())) {
      logger.info(
          LogSubsystem.TUNING,
          "tuning",
          collective.label() + " up to " + SizeText.of(upperBound(size)) + ": " + choice);
    }
  }

  private void fill(Collective collective, long bytes, CostTable table, boolean inNetwork) {
    if (!fill(collective, bytes, table, inNetwork, true)
        && (!algorithms.isStrict(collective) || algorithms.permitsOnly(collective, COLLNET))) {
      fill(collective, bytes, table, inNetwork, false);
    }
  }

  /** Fills in what is possible; returns whether anything is. */
  private boolean fill(
      Collective collective, long bytes, CostTable table, boolean inNetwork, boolean restricted) {
    boolean any = false;
    for (Algorithm a : ALGORITHMS) {
      for (Protocol p : PROTOCOLS) {
        boolean free =
            !restricted
                || ranks == 1
                || (algorithms.permits(collective, a) && protocols.permits(collective, p));
        if (free && (inNetwork || !COLLNET.contains(a)) && offers.offers(collective, a, p)) {
          table.set(a, p, model.micros(collective, a, p, bytes));
          any = true;
        }
      }
    }
    return any;
  }

  private Choice cheapest(Collective collective, long bytes, CostTable table) {
    double least = Double.MAX_VALUE;
    Algorithm algorithm = null;
    Protocol protocol = null;
    for (Algorithm a : ALGORITHMS) {
      for (Protocol p : PROTOCOLS) {
        double cost = table.get(a, p);
        if (cost >= 0 && cost < least && offers.offers(collective, a, p)) {
          least = cost;
          algorithm = a;
          protocol = p;
        }
      }
    }
    if (algorithm == null || protocol == null) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          collective.label() + ": nothing that can do it is permitted by " + asked);
    }
    return choices[algorithm.ordinal()][protocol.ordinal()][channels(algorithm, bytes, table) - 1];
  }

  private int channels(Algorithm algorithm, long bytes, CostTable table) {
    if (table.channels() > 0) {
      return Math.min(table.channels(), channels);
    }
    int useful =
        switch (algorithm) {
          case DIRECT, DOUBLING, PAIRS -> 1;
          case TREE -> bytes < CHANNEL_BYTES ? 1 : channels;
          case RING, HIERARCHY, COLLNET_CHAIN, COLLNET_DIRECT ->
              Math.clamp(bytes / CHANNEL_BYTES, 1, channels);
        };
    return Math.min(useful, channels);
  }

  /** Returns the class of a size: its highest bit and the two below. */
  static int sizeClass(long bytes) {
    if (bytes < 4) {
      return (int) Math.max(0, bytes);
    }
    long last = bytes - 1; // so that powers of two end a class
    int high = 63 - Long.numberOfLeadingZeros(last | 2);
    return high * 4 + (int) ((last >>> (high - 2)) & 3);
  }

  /** Returns the largest size of a class. */
  static long upperBound(int sizeClass) {
    if (sizeClass < 4) {
      return sizeClass;
    }
    int high = sizeClass / 4;
    return high < 2 ? 4 : (sizeClass % 4 + 5L) << (high - 2);
  }
}
