// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.tunercsv;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tuner that reads what to do from a table. All ranks need the same table: each reads its own, so
 * that a job needs no network to agree on it.
 */
public final class CsvTuner implements Tuner {

  /** The lines of the table that are about a communicator, or what is wrong with the table. */
  private record CsvContext(List<CsvLine> lines, @Nullable NetException mistake)
      implements Context {}

  /** Creates the tuner; for ServiceLoader. It reads its variable when a communicator is made. */
  public CsvTuner() {}

  @Override
  public String name() {
    return "CSV";
  }

  /**
   * {@inheritDoc}
   *
   * <p>This tuner reads the table again for each communicator, so that a long job gets a new one. A
   * table that is wrong fails the first operation: if this call threw, ranks would go another way
   * than was asked for, with a line in the log only.
   */
  @Override
  public Context init(int ranks, int nodes, DebugLogger logger) {
    return begin(Settings.process().get(CsvVariables.FILE), ranks, nodes, logger);
  }

  static Context begin(String file, int ranks, int nodes, DebugLogger logger) {
    List<CsvLine> lines;
    try {
      lines = CsvTable.read(file).linesOf(ranks, nodes);
    } catch (NetException e) {
      return new CsvContext(List.of(), e);
    }
    logger.info(
        LogSubsystem.TUNING,
        "CsvTuner",
        file.isEmpty()
            ? CsvVariables.FILE + " is not set: the tuner CSV changes nothing"
            : ErrorText.of(
                "%d lines of %s are about %d ranks on %d hosts", lines.size(), file, ranks, nodes));
    return new CsvContext(lines, null);
  }

  /** Goes through the lines without allocating anything: each operation waits for this. */
  @Override
  public void tune(
      Context context, Collective collective, long bytes, int operations, CostTable table) {
    CsvContext known = (CsvContext) context;
    if (known.mistake != null) {
      throw known.mistake;
    }
    List<CsvLine> lines = known.lines;
    for (int i = 0; i < lines.size(); i++) {
      CsvLine line = lines.get(i);
      if (line.isFor(collective, bytes)
          // Another line may name a way that this communicator has.
          && table.get(line.algorithm(), line.protocol()) != CostTable.IGNORE) {
        table.set(line.algorithm(), line.protocol(), 0);
        table.setChannels(line.channels());
        return;
      }
    }
  }

  @Override
  public void destroy(Context context) {
    // A context is memory only.
  }
}
