// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Maps a page of a file for every eighth connection, for as long as the process lives. */
@Breaks("NET-CLOSE-08")
public final class LeaksMappings extends WrongNet {
  private int accepted;

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null && ++accepted % 8 == 0) {
      try (FileChannel file =
          FileChannel.open(Path.of(System.getProperty("java.home"), "release"))) {
        file.map(FileChannel.MapMode.READ_ONLY, 0, 1, Arena.global());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return comm;
  }
}
