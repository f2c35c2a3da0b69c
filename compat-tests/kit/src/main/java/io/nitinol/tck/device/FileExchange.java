// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.tck.session.TestSession;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Carries bytes among ranks in several processes by files. One thread for each rank. */
public final class FileExchange implements TeamExchange {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);
  private static final long NAP = TimeUnit.MILLISECONDS.toNanos(1);

  private final Path directory;
  private final long limit;
  private final int rank;
  private final int ranks;
  private int round;

  /** The exchange of one rank in a directory that is empty when the first one begins. */
  public FileExchange(TestSession session, Path directory, int rank, int ranks) {
    this.limit = session.patient(LIMIT);
    this.directory = directory;
    this.rank = rank;
    this.ranks = ranks;
  }

  @Override
  public byte[][] exchange(byte[] mine) {
    try {
      Path part = directory.resolve(round + "-" + rank + ".part");
      Files.write(part, mine);
      Files.move(part, of(rank), StandardCopyOption.ATOMIC_MOVE);
      byte[][] all = new byte[ranks][];
      long end = System.nanoTime() + limit;
      for (int other = 0; other < ranks; other++) {
        while (!Files.exists(of(other))) {
          if (System.nanoTime() - end > 0) {
            throw new NetException(
                ResultCode.REMOTE_ERROR,
                ErrorText.of("rank %d waited in vain for rank %d", rank, other));
          }
          LockSupport.parkNanos(NAP);
        }
        all[other] = Files.readAllBytes(of(other));
      }
      round++;
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot exchange by files in " + directory, e);
    }
  }

  private Path of(int other) {
    return directory.resolve(round + "-" + other);
  }
}
