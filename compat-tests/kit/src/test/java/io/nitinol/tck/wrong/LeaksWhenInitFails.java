// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Forgets what it had opened when the next thing cannot be opened. */
@Breaks("NET-INIT-02")
public final class LeaksWhenInitFails extends WrongNet {
  private final List<FileInputStream> opened = new ArrayList<>();

  @Override
  public void init(DebugLogger logger) {
    try {
      opened.add(new FileInputStream("/dev/null"));
      opened.add(new FileInputStream("/dev/null"));
    } catch (IOException e) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "cannot open the device", e);
    }
    net.init(logger);
  }
}
