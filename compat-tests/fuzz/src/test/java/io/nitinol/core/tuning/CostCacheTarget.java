// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.fuzz.ScratchFile;
import io.nitinol.spi.testing.RecordingLog;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The file in which measured costs are kept: any content gives possible costs or none. */
public final class CostCacheTarget implements FuzzTarget {
  private static final String KEY = "2 a processor";

  private final ScratchFile file = new ScratchFile("costs");
  private final RecordingLog log = new RecordingLog();

  @Override
  public void run(byte[] input) {
    file.write(input);
    MachineCosts costs = CostCache.read(file.path(), KEY, log);
    log.lines.clear();
    log.warnings.clear();
    FuzzTarget.require(
        costs == null
            || (costs.copyRate() > 0 && costs.reduceRate() > 0 && costs.signalMicros() > 0),
        "impossible costs: " + costs);
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(CostCache.class, MachineCosts.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of((KEY + "\n40000.0 15000.0 0.15\n").getBytes(StandardCharsets.UTF_8));
  }
}
