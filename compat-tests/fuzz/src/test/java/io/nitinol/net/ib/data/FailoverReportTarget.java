// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.toolkit.control.FrameException;
import java.nio.ByteBuffer;
import java.util.List;

/** Where an IB peer stands that has lost a port. */
public final class FailoverReportTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    try {
      FailoverReport report = FailoverReport.decode(ByteBuffer.wrap(input));
      FuzzTarget.require(report.encode().equals(ByteBuffer.wrap(input)), "other bytes");
      report.check(1, 3);
      FuzzTarget.require(
          report.generation() == 1 && report.lost() >>> 2 == 0, "it was let through");
    } catch (FrameException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(FailoverReport.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(new FailoverReport(1, 2, 3, 4).encode().array());
  }

  @Override
  public int mostBytes() {
    return 40;
  }
}
