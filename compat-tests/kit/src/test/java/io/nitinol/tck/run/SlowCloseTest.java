// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryNet12;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.NewestNet;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A machine that halts once makes no plugin wrong. */
@Slow
class SlowCloseTest {
  private static final AtomicBoolean HALTED = new AtomicBoolean();

  /** A right network on a machine that halts once, in a close. */
  public static final class HaltsOnce extends NewestNet {
    /** Over the sample. */
    public HaltsOnce() {
      super(new MemoryNet12());
    }

    @Override
    public void closeRecv(RecvComm comm) {
      if (HALTED.compareAndSet(false, true)) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5_500);
        while (System.nanoTime() - end < 0) {
          LockSupport.parkNanos(end - System.nanoTime());
        }
      }
      super.closeRecv(comm);
    }
  }

  @Test
  void oneSlowCloseIsNoMistake() {
    KitOptions options = KitOptions.quick().withoutProcesses().only(Set.of("NET-CLOSE-02"));
    assertThat(Kit.run(PluginUnderTest.of(HaltsOnce.class), options, new KitListener() {}).cases())
        .isNotEmpty()
        .extracting(CaseResult::outcome)
        .doesNotContain(Outcome.FAILED, Outcome.BLOCKED);
    assertThat(HALTED).isTrue();
  }
}
