// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrashLogTest {
  @TempDir private Path out;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SIGSEGV | J 182 c1 java.lang.String.hashCode()I java.base@25 (60 bytes) @ 0x1 [0x1+0x0] | true
          SIGILL  | J 77% c1 java.lang.StringLatin1.hashCode([B)I java.base@25 (52 bytes)         | true
          SIGBUS  | J 182 c1 java.lang.String.hashCode()I java.base@25 (60 bytes)                 | false
          SIGSEGV | J 182 c2 java.lang.String.hashCode()I java.base@25 (60 bytes)                 | false
          SIGSEGV | C  [libibverbs.so.1+0x1234]  ibv_free_device_list+0x4                        | false
          SIGSEGV | V  [libjvm.so+0x8d1234]  G1CardSet::add_card+0x4                             | false
          """)
  void knowsTheCrashesOfTheEmulation(String signal, String frame, boolean known) throws Exception {
    Files.writeString(
        out.resolve("hs_err_12.log"),
        """
        #
        # A fatal error has been detected by the Java Runtime Environment:
        #
        #  %s (0xb) at pc=0x00007f5d1c5d1b20, pid=12, tid=13
        #
        # JRE version: OpenJDK Runtime Environment (25.0+36)
        # Problematic frame:
        # %s
        #
        """
            .formatted(signal, frame));
    Files.writeString(out.resolve("console.txt"), "SIGSEGV (0xb)");
    List<CrashLog> logs = CrashLog.in(out);
    assertThat(logs).singleElement().returns(known, CrashLog::isOfEmulation);
    assertThat(logs.getFirst().frame()).isEqualTo(frame);
  }

  @Test
  void takesAnEmptyLogForAnUnknownCrash() throws Exception {
    Files.createFile(out.resolve("hs_err_12.log"));
    assertThat(CrashLog.in(out)).singleElement().returns(false, CrashLog::isOfEmulation);
  }
}
