// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Thorough
@Timeout(7200)
class GuestTest {
  private static final Duration SHORT = Duration.ofSeconds(20);
  private static final Duration A_DAY = Duration.ofDays(1);

  private static GuestRun run(String name, int mtu, Duration limit, GuestCommand... commands)
      throws Exception {
    return Guests.run(GuestTest.class, name, mtu, limit, List.of(commands));
  }

  @Test
  void runsCommandsOfTheHostWithTwoDevices() throws Exception {
    Path here = Path.of("").toAbsolutePath();
    GuestRun run =
        run(
            "commands",
            4200,
            Duration.ofSeconds(120),
            new GuestCommand("devices", SHORT, "rdma", "link"),
            new GuestCommand("mtu", SHORT, "cat", "/sys/class/net/veth0/mtu"),
            new GuestCommand(
                "words",
                List.of("sh", "-c", "echo \"$WHAT\"; echo 'an error' >&2; exit 42"),
                Map.of("WHAT", "it's 1 > 0"),
                SHORT),
            new GuestCommand("readonly", SHORT, "touch", "/host-is-not-changed"),
            new GuestCommand("sources", SHORT, "test", "-e", here.resolve("pom.xml").toString()),
            new GuestCommand("late", Duration.ofSeconds(1), "sh", "-c", "sleep 86400 | cat"),
            new GuestCommand(
                "netem", SHORT, "tc", "qdisc", "add", "dev", "lo", "root", "netem", "loss", "1%"),
            new GuestCommand(
                "crash",
                Duration.ofSeconds(80),
                "sh",
                "-c",
                "java -m jdk.httpserver -b 127.0.0.1 -p 8000 >/run/served & "
                    + "until grep -q Serving /run/served; do sleep 0.1; done; "
                    + "kill -SEGV $!; wait $!"));
    assertThat(run.result("devices").out())
        .contains("rxe0/1 state ACTIVE", "rxe1/1 state ACTIVE", "netdev veth1");
    assertThat(run.result("mtu").out()).isEqualTo("4200\n");
    assertThat(run.result("words"))
        .returns(42, GuestResult::status)
        .returns("it's 1 > 0\n", GuestResult::out)
        .returns("an error\n", GuestResult::err);
    assertThat(run.result("readonly").status()).isZero();
    assertThat(Path.of("/host-is-not-changed")).doesNotExist();
    assertThat(run.result("sources").status()).isZero();
    assertThat(run.result("late").status()).isEqualTo(124);
    assertThat(run.result("late").seconds()).isGreaterThanOrEqualTo(1.0);
    assertThat(run.result("netem").status()).isZero();
    assertThat(run.result("crash").status()).isEqualTo(128 + 6); // a JVM then aborts
    assertThat(run.repeated()).isEmpty();
    assertThat(run.crashes())
        .singleElement()
        .isInstanceOfSatisfying(
            CrashLog.class, log -> assertThat(log.signal()).isEqualTo("SIGSEGV"))
        .returns(false, Crash::isOfEmulation);
  }

  /** A command that outlives its own limit, as one in the kernel may. */
  @Test
  void endsAGuestThatHangs() throws Exception {
    GuestRun run =
        run(
            "hang",
            0,
            Duration.ofSeconds(15),
            new GuestCommand("first", SHORT, "echo", "done"),
            new GuestCommand("hang", A_DAY, "sh", "-c", "echo begun; sleep 86400"));
    assertThat(run.end()).contains("limit");
    assertThat(run.result("first").out()).isEqualTo("done\n");
    assertThatThrownBy(() -> run.result("hang"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("hang has not ended", "first ended with status 0", "begun");
  }

  @Test
  void tellsThatTheKernelHasPanicked() throws Exception {
    GuestRun run =
        run(
            "panic",
            0,
            Duration.ofSeconds(60),
            new GuestCommand("panic", SHORT, "sh", "-c", "echo c >/proc/sysrq-trigger"));
    assertThatThrownBy(() -> run.result("panic"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("panic has not ended: ended before its job had");
    assertThat(run.console()).content().contains("Kernel panic - not syncing: sysrq");
    assertThat(run.crashes()).isEmpty();
  }

  @Test
  void repeatsARunOnceForACrashOfTheEmulation() throws Exception {
    GuestRun run =
        run(
            "repeat",
            0,
            Duration.ofSeconds(60),
            new GuestCommand(
                "log",
                SHORT,
                "sh",
                "-c",
                "printf '#  SIGSEGV (0xb)\\n# Problematic frame:\\n# J 9 c1 A.b()V @ 0x1\\n'"
                    + " >/out/hs_err_9.log"));
    assertThat(run.repeated()).singleElement().returns(true, Crash::isOfEmulation);
    assertThat(run.crashes()).singleElement().returns(true, Crash::isOfEmulation);
    assertThat(run.result("log").status()).isZero();
    assertThat(run.summary()).contains("repeated once for [SIGSEGV in J 9 c1", "crashed: [SIGSEGV");
  }
}
