// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KitCrashTest {
  @TempDir private Path directory;

  @Test
  void theErrorFileOfTheJvmSaysWhere() throws Exception {
    Path file = directory.resolve("err-77.log");
    Files.writeString(
        file,
        """
        #
        #  SIGSEGV (0xb) at pc=0x00007f, pid=77, tid=78
        #
        # Problematic frame:
        # C  [libx.so+0x140b]  do_send+0x7

        Native frames: (J=compiled Java code)
        C  [libx.so+0x140b]  do_send+0x7
        j  jdk.internal.Stub.invoke()V+3 java.base@25
        j  io.nitinol.net.Net.isend()V+1 io.nitinol.net
        v  ~StubRoutines::call_stub

        Java frames: (J=compiled Java code)
        j  io.nitinol.net.Net.isend()V+1 io.nitinol.net

        """);
    KitCrash crash =
        KitCrash.of(77, 134, List.of("java", "-XX:ErrorFile=" + directory + "/err-%p.log", "x"));
    assertThat(crash.how())
        .isEqualTo(
            "was killed by signal 6 (SIGABRT) after SIGSEGV in C [libx.so+0x140b] do_send+0x7;"
                + " hs_err file: "
                + file);
    assertThat(crash.frames())
        .containsExactly(
            "v  ~StubRoutines::call_stub",
            "j  io.nitinol.net.Net.isend()V+1 io.nitinol.net",
            "C  [libx.so+0x140b]  do_send+0x7");
  }

  @Test
  void withoutAnErrorFileTheStatusIsAllThatIsKnown() {
    assertThat(KitCrash.of(1, 137, List.of("java")))
        .isEqualTo(new KitCrash("was killed by signal 9 (SIGKILL)", List.of()));
    assertThat(KitCrash.of(1, 0, List.of("java")).how())
        .isEqualTo("ended with exit status 0, as by a call of exit or _exit");
    assertThat(KitCrash.of(1, 130, List.of("java")).how())
        .as("a process that SIGINT ends notes that")
        .isEqualTo("ended with exit status 130, as by a call of exit or _exit");
  }
}
