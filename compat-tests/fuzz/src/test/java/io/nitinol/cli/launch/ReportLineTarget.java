// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.fuzz.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a rank reports to its launcher, among what it prints. */
public final class ReportLineTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    String line = new String(input, StandardCharsets.UTF_8);
    FuzzTarget.require(ReportLine.start(line) < line.length(), "a start behind the end");
    ReportLine report = ReportLine.decode(line);
    if (report == null) {
      return;
    }
    FuzzTarget.require(report.equals(ReportLine.decode(report.encode())), "another report");
    FailureRecord record = FailureRecord.of(report);
    if (record != null) {
      FuzzTarget.require(record.equals(FailureRecord.of(record.line())), "another record");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(ReportLine.class, FailureRecord.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new FailureRecord(4, 2, "rank 2\nhas \\ gone")
            .line()
            .encode()
            .getBytes(StandardCharsets.UTF_8));
  }
}
