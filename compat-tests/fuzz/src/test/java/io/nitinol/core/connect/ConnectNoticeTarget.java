// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.fuzz.FuzzTarget;
import java.util.Arrays;
import java.util.List;

/** Notices by which ranks make connections. */
public final class ConnectNoticeTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    ConnectNotice notice;
    try {
      notice = ConnectNotice.of(input, 8);
    } catch (IllegalArgumentException e) {
      return;
    }
    FuzzTarget.require(notice.channel() >= 0 && notice.channel() < 8, "no such channel");
    FuzzTarget.require(notice.use() != null && notice.kind() != null, "no use");
    FuzzTarget.require(Arrays.equals(notice.toBytes(), input), "other bytes");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(ConnectNotice.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(ConnectNotice.team(1, new byte[40]).toBytes());
  }

  @Override
  public int mostBytes() {
    return 1100;
  }
}
