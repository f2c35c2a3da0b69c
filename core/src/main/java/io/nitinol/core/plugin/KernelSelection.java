// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The choice of reduction kernels: the provider that {@code NITINOL_KERNELS} names, or else the one
 * of the highest priority that works in this process.
 */
public final class KernelSelection {

  private static final AtomicBoolean WARNED = new AtomicBoolean();
  private static final AtomicBoolean ADVISED = new AtomicBoolean();

  /** Built in, and there when nothing else works. */
  private static final KernelProvider SCALAR = ScalarKernels.instance();

  private KernelSelection() {}

  /**
   * Chooses a provider. Where a better one than the chosen cannot be used, the first call in the
   * process warns and says why.
   *
   * @param catalog the candidates
   * @param settings where {@code NITINOL_KERNELS} is read
   * @param logger where the warning goes
   * @throws NetException INVALID_USAGE when {@code NITINOL_KERNELS} names no provider that can be
   *     used; the message lists them all
   */
  public static KernelProvider select(
      PluginCatalog catalog, Settings settings, DebugLogger logger) {
    Candidate<KernelProvider> chosen = choose(catalog, settings);
    if (chosen != null) {
      return chosen.plugin();
    }
    if (isScalarAsked(settings)) {
      return SCALAR;
    }
    if (isAsked(settings)) {
      UnmetRequest.report(settings, logger, CoreVariables.KERNELS, failure(catalog, settings));
    }
    List<Candidate<KernelProvider>> better = ordered(catalog);
    if (!better.isEmpty() && WARNED.compareAndSet(false, true)) {
      logger.warn(
          "KernelSelection",
          ErrorText.of(
              "Kernels %s cannot be used: %s; scalar kernels reduce instead, which may be several"
                  + " times slower",
              better.getFirst().name(), better.getFirst().describe().reason()));
    }
    return SCALAR;
  }

  /**
   * Tells a user who has not asked for scalar kernels how to get vector kernels, on standard error
   * also where {@code NCCL_DEBUG} is not set. The first call in the process does so.
   *
   * @param chosen what was selected
   * @param logger where the line goes; a log that is not Nitinol's own gets none
   */
  public static void advise(
      KernelProvider chosen, PluginCatalog catalog, Settings settings, DebugLogger logger) {
    advise(chosen, catalog, settings, logger, ADVISED);
  }

  /** As above; {@code advised} holds whether the line was printed before. */
  static void advise(
      KernelProvider chosen,
      PluginCatalog catalog,
      Settings settings,
      DebugLogger logger,
      AtomicBoolean advised) {
    boolean there = !ordered(catalog).isEmpty();
    boolean said = there && logger.isEnabled(LogLevel.WARN, LogSubsystem.ALL);
    if (!chosen.equals(SCALAR)
        || isAsked(settings)
        || said
        || !(logger instanceof Log)
        || !advised.compareAndSet(false, true)) {
      return;
    }
    Log.tell(
        logger,
        "KernelSelection",
        ErrorText.of(
            "scalar kernels reduce, which may be several times slower than vector kernels: start"
                + " java with --add-modules jdk.incubator.vector%s (%s=scalar: without this line)",
            there ? "" : ", and add the artifact nitinol-kernels-vector", CoreVariables.KERNELS));
  }

  /** Returns the candidates as a selection would leave them, and the scalar kernels. */
  static List<PluginDescription> preview(PluginCatalog catalog, Settings settings) {
    Candidate<KernelProvider> chosen = choose(catalog, settings);
    boolean scalar = chosen == null && (!isAsked(settings) || isScalarAsked(settings));
    String whyNot =
        isAsked(settings)
            ? "not the one that " + WhereSet.value(settings, CoreVariables.KERNELS) + " asks for"
            : (chosen == null ? SCALAR.name() : chosen.name()) + " has the higher priority";
    List<PluginDescription> all = new ArrayList<>();
    for (Candidate<KernelProvider> candidate : ordered(catalog)) {
      candidate.start(catalog.logger());
      all.add(verdict(candidate.describe(), candidate == chosen, whyNot));
    }
    PluginDescription builtIn =
        new PluginDescription(
            PluginKind.KERNEL,
            SCALAR.name(),
            List.of(1),
            1,
            List.of(),
            SCALAR.getClass().getName(),
            new PluginOrigin(true, SCALAR.getClass().getModule().getName(), "core"),
            PluginState.AVAILABLE,
            null,
            List.of());
    all.add(verdict(builtIn, scalar, whyNot));
    return all;
  }

  private static PluginDescription verdict(PluginDescription known, boolean chosen, String whyNot) {
    if (chosen) {
      return known.with(PluginState.CHOSEN, null);
    }
    return known.state() == PluginState.AVAILABLE
        ? known.with(PluginState.NOT_CHOSEN, whyNot)
        : known;
  }

  private static boolean isAsked(Settings settings) {
    return !settings.get(CoreVariables.KERNELS).isEmpty();
  }

  private static boolean isScalarAsked(Settings settings) {
    return settings.get(CoreVariables.KERNELS).equalsIgnoreCase(SCALAR.name());
  }

  private static @Nullable Candidate<KernelProvider> choose(
      PluginCatalog catalog, Settings settings) {
    String wanted = settings.get(CoreVariables.KERNELS);
    for (Candidate<KernelProvider> candidate : ordered(catalog)) {
      if ((wanted.isEmpty() || candidate.isNamed(wanted)) && candidate.start(catalog.logger())) {
        return candidate;
      }
    }
    return null;
  }

  private static List<Candidate<KernelProvider>> ordered(PluginCatalog catalog) {
    return catalog.all(VersionLadder.KERNEL).stream()
        .sorted(
            Comparator.comparingInt(
                    (Candidate<KernelProvider> candidate) -> candidate.plugin().priority())
                .reversed())
        .toList();
  }

  private static String failure(PluginCatalog catalog, Settings settings) {
    String wanted = settings.get(CoreVariables.KERNELS);
    List<Candidate<KernelProvider>> all = ordered(catalog);
    boolean known = all.stream().anyMatch(candidate -> candidate.isNamed(wanted));
    List<String> names =
        Stream.concat(all.stream().map(Candidate::name), Stream.of(SCALAR.name())).toList();
    StringBuilder text = new StringBuilder(WhereSet.value(settings, CoreVariables.KERNELS));
    text.append(known ? " cannot be used" : " is the name of no kernels that were found");
    if (!known) {
      text.append(CloseNames.hint(wanted, names));
    }
    text.append("\n  found:\n    ").append(SCALAR.name()).append(", built in");
    for (Candidate<KernelProvider> candidate : all) {
      text.append("\n    ").append(candidate.name()).append(" from ").append(candidate.origin());
      String reason = candidate.describe().reason();
      if (reason != null) {
        text.append(": ").append(reason);
      }
    }
    return text.toString();
  }
}
