// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens something for each connection and never closes it. */
@Breaks("NET-CLOSE-08")
public final class LeaksADescriptor extends WrongNet {
  private final List<FileInputStream> opened = new ArrayList<>();

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      try {
        opened.add(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return comm;
  }
}
