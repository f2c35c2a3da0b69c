// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads consoles of guests whose kernel failed: a debugger had put a bad instruction into it. */
class KernelOopsTest {
  @TempDir private Path directory;

  private static KernelOops recorded(String name) throws Exception {
    return KernelOops.in(path(name)).orElseThrow();
  }

  private static Path path(String name) throws URISyntaxException {
    return Path.of(Objects.requireNonNull(KernelOopsTest.class.getResource(name)).toURI());
  }

  @Test
  void softRoceIsOfTheEmulation() throws Exception {
    KernelOops oops = recorded("oops-soft-roce.txt");
    assertThat(oops.reason())
        .isEqualTo("kernel NULL pointer dereference, address: 0000000000000038");
    assertThat(oops.frames())
        .startsWith("rxe_receiver [rdma_rxe]", "do_task [rdma_rxe]", "process_one_work")
        .doesNotContain("__pfx_kthread")
        .endsWith("ret_from_fork_asm");
    assertThat(oops.isOfEmulation()).isTrue();
    assertThat(oops)
        .asString()
        .startsWith("kernel: kernel NULL pointer dereference")
        .contains("in rxe_receiver [rdma_rxe] (");
  }

  /** A list that Soft-RoCE has corrupted, found by another function. */
  @Test
  void whatSoftRoceHasCalledIsOfTheEmulation() throws Exception {
    String text = Files.readString(path("oops-soft-roce.txt"));
    Path console = directory.resolve("console.txt");
    Files.writeString(console, text.replaceAll("rxe_receiver(\\S+) \\[rdma_rxe]", "__list_del$1"));
    assertThat(KernelOops.in(console).orElseThrow())
        .returns("__list_del", oops -> oops.frames().getFirst())
        .returns(true, KernelOops::isOfEmulation);
    // What merely lay on the stack is no caller.
    Files.writeString(console, Files.readString(console).replace("  do_task+0x", "  ? do_task+0x"));
    assertThat(KernelOops.in(console).orElseThrow()).returns(false, KernelOops::isOfEmulation);
  }

  @Test
  void aBreakpointOfTheKernelsOwnIsOfTheEmulation() throws Exception {
    KernelOops oops = recorded("oops-breakpoint.txt");
    assertThat(oops.reason()).startsWith("int3: 0000 [#1]");
    assertThat(oops.frames()).startsWith("version_proc_show", "seq_read_iter");
    assertThat(oops.isOfEmulation()).isTrue();
  }

  @Test
  void anythingElseIsNot() throws Exception {
    KernelOops oops = recorded("oops-elsewhere.txt");
    assertThat(oops.reason()).startsWith("kernel NULL pointer dereference");
    assertThat(oops.frames()).startsWith("cmdline_proc_show", "seq_read_iter");
    assertThat(oops.isOfEmulation()).isFalse();
  }

  @Test
  void aWellKernelHasNone() throws Exception {
    Path console = directory.resolve("console.txt");
    Files.writeString(
        console,
        """
        guest [4.81 s] ready
        Oops: said a program of the guest
        BUG: said another
        [    9.12] Kernel panic - not syncing: sysrq triggered crash
        """);
    assertThat(KernelOops.in(console)).isEqualTo(Optional.empty());
  }
}
