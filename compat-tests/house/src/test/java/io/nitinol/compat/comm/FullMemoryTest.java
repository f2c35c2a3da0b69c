// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.netns.Tmpfs;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks whose directory of shared memory is full. No rank may be killed for touching a page that is
 * not available, none may be left waiting, and the room that they had must be free again.
 */
class FullMemoryTest {
  private static final int RANKS = 4;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(4);

  /** From none at all to enough for some ranks only, and for all. */
  @ParameterizedTest
  @CsvSource({
    "4096, false",
    "65536, false",
    "1048576, false",
    "12582912, false",
    "268435456, true"
  })
  @QuickRows({3, 5})
  @FirstRows(3)
  void everyRankIsToldWhatIsMissing(long bytes, boolean enough) throws Exception {
    try (Tmpfs memory = tmpfs(bytes)) {
      FileStore store = Files.getFileStore(memory.path());
      long room = store.getUnallocatedSpace();
      assertThat(room).isBetween(bytes, bytes + (64 << 10));
      Map<String, String> variables = Map.of("NITINOL_SHM_DIR", memory.path().toString());
      try (RankProcesses ranks = new RankProcesses(RANKS, rank -> variables, "every")) {
        for (int r = 0; r < RANKS; r++) {
          String said = ranks.await(r, enough ? "right" : "failed");
          if (!enough) {
            assertThat(said).contains("bytes of shared memory", "NITINOL_SHM_DIR", " bytes free");
          }
          assertThat(ranks.exit(r)).isEqualTo(enough ? 0 : 3);
        }
        try (Stream<?> files = Files.list(memory.path())) {
          assertThat(files.toList()).isEqualTo(List.of());
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (store.getUnallocatedSpace() < room && System.nanoTime() - deadline < 0) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(store.getUnallocatedSpace()).isEqualTo(room);
      }
    }
  }

  private static Tmpfs tmpfs(long bytes) throws IOException {
    try {
      return Tmpfs.open(bytes);
    } catch (Unavailable e) {
      System.err.println("not tested, for want of a small file system: " + e.getMessage());
      return abort(e.getMessage());
    }
  }
}
