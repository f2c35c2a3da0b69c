// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.bootstrap.NoticeMark;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.ResultCode;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What ranks tell each other of a failure. */
public final class FailureReportTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    FailureReport report = FailureReport.parse(2, new String(input, StandardCharsets.UTF_8));
    if (report != null) {
      FuzzTarget.require(
          report.equals(FailureReport.parse(2, report.toText())), "another report: " + report);
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(FailureReport.class, NoticeMark.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new FailureReport(2, ResultCode.TIMEOUT, 3, "it waits")
            .toText()
            .getBytes(StandardCharsets.UTF_8),
        new FailureReport(2, ResultCode.REMOTE_ERROR, -1, true, "all-reduce 3", "it is gone")
            .toText()
            .getBytes(StandardCharsets.UTF_8));
  }
}
