// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnerProcessTest {
  private static final String STAT =
      "%d (a name) with %s) S 1 4711 4711 0 -1 4194304 128 0 0 0 0 0 0 0 20 0 1 0 %d 9 5";

  @Test
  void aProcessThatRunsHasNotEnded() {
    assertThat(OwnerProcess.SELF.hasEnded()).isFalse();
    assertThat(OwnerProcess.SELF.started()).isPositive();
  }

  @Test
  void anotherStartIsAnotherProcess() {
    OwnerProcess self = OwnerProcess.SELF;
    OwnerProcess earlier = new OwnerProcess(self.namespace(), self.pid(), self.started() - 1);
    assertThat(earlier.hasEnded()).isTrue();
  }

  @Test
  void ofAnotherNamespaceNothingIsKnown() {
    OwnerProcess self = OwnerProcess.SELF;
    assertThat(new OwnerProcess(self.namespace() + 1, self.pid(), 1).hasEnded()).isFalse();
  }

  @Test
  void aProcessThatHasEndedIsKnownToHave() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("cat").start();
    // What it is called by is not of interest: with this process's start it is another one.
    OwnerProcess other =
        new OwnerProcess(OwnerProcess.SELF.namespace(), process.pid(), OwnerProcess.SELF.started());
    process.getOutputStream().close();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(other.hasEnded()).isTrue();
  }

  @Test
  void theStartIsReadBehindAnyName() {
    long first = OwnerProcess.startIn(STAT.formatted(5, "(", 1000));
    assertThat(OwnerProcess.startIn(STAT.formatted(5, ") R 9 (", 1000))).isEqualTo(first);
    assertThat(OwnerProcess.startIn(STAT.formatted(5, "(", 1001))).isEqualTo(first + 1);
    assertThat(OwnerProcess.startIn(STAT.formatted(5, "", 1).replace(") S ", ") Z "))).isNegative();
  }
}
