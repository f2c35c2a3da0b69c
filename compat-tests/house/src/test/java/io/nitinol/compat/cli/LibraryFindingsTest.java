// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.nativelib.CPlugin;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kit says of C plugins that NCCL would not notice to be wrong. */
@Slow
class LibraryFindingsTest {
  @TempDir private Path directory;

  private CommandProcess tck(String fault, String rules) throws IOException {
    Path library =
        CPlugin.compile(
            "wrong", directory.resolve("libwrong.so"), "-w", "-DONLY=8", "-DFAULT=" + fault);
    return CommandProcess.start(
        "tck", library.toString(), "--no-processes", "--rule", rules, "--seed", "9");
  }

  @Test
  void aLibraryThatNeedsTestsInOrderBreaksOneRule() throws Exception {
    try (CommandProcess tck = tck("IN_ORDER", "NET-SEND-08,NET-SEND-10,NET-RECV-03,NET-TEST-02")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .containsPattern("NET-SEND-08 +ok")
          .containsPattern("NET-SEND-10 +ok")
          .containsPattern("NET-RECV-03 +ok")
          .containsPattern("NET-TEST-02 +FAILED .* failed with INTERNAL_ERROR: ")
          .contains("Wrong BREAKS the contract: 3 rules kept, 1 broken, 0 blocked");
    }
  }

  @Test
  void aSizeThatTheLibraryHasNotWrittenIsNotQuotedAsItsWord() throws Exception {
    try (CommandProcess tck = tck("NO_SIZES", "NET-RECV-04")) {
      assertThat(tck.exit()).as("%s", tck).isEqualTo(1);
      assertThat(tck.out())
          .contains(
              "a message of 64 bytes for a piece of 128 reported 128, or no size, for which"
                  + " Nitinol takes the room of the piece");
    }
  }
}
