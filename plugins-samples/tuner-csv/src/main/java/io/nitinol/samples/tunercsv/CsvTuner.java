// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.tunercsv;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.ErrorText;
import java.util.List;

/**
 * A tuner that reads what to do from a table. All ranks need the same table: each reads its own, so
 * that a job needs no network to agree on it.
 */
public final class CsvTuner implements Tuner {

  /** The lines of the table that are about a communicator, in their order. */
  private record CsvContext(List<CsvLine> lines) implements Context {}

  /** Creates the tuner; for ServiceLoader. It reads its variable when a communicator is made. */
  public CsvTuner() {}

  @Override
  public String name() {
    return "CSV";
  }

  /**
   * {@inheritDoc}
   *
   * <p>This tuner reads the table again for each communicator, so that a long job gets a new one.
   *
   * @throws io.nitinol.spi.NetException INVALID_USAGE when the table cannot be read or has a wrong
   *     line
   */
  @Override
  public Context init(int ranks, int nodes, DebugLogger logger) {
    String file = Settings.process().get(CsvVariables.FILE);
    List<CsvLine> lines = CsvTable.read(file).linesOf(ranks, nodes);
    logger.info(
        LogSubsystem.TUNING,
        "CsvTuner",
        file.isEmpty()
            ? CsvVariables.FILE + " is not set: the tuner CSV changes nothing"
            : ErrorText.of(
                "%d lines of %s are about %d ranks on %d hosts", lines.size(), file, ranks, nodes));
    return new CsvContext(lines);
  }

  /** Goes through the lines without allocating anything: each operation waits for this. */
  @Override
  public void tune(
      Context context, Collective collective, long bytes, int operations, CostTable table) {
    List<CsvLine> lines = ((CsvContext) context).lines;
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
