// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingMemoryTest {
  private final StagingMemory staging = new StagingMemory();

  private static boolean isAlive(StagingMemory.Buffer buffer) {
    return buffer.memory().scope().isAlive();
  }

  @Test
  void aBufferThatIsHeldOutlivesTheClose() {
    StagingMemory.Buffer lent = staging.lend(100);
    StagingMemory.Buffer held = staging.hold(100);
    staging.close(true);
    assertThat(isAlive(lent)).isFalse();
    assertThat(isAlive(held)).isTrue();
    staging.giveBack(held);
    assertThat(isAlive(held)).isFalse();
  }

  @Test
  void aBufferThatWasHeldIsLentAgain() {
    StagingMemory.Buffer held = staging.hold(5000);
    staging.giveBack(held);
    assertThat(staging.lend(5000)).isSameAs(held);
    staging.close(true);
  }

  /** What an operation that was given up may use is freed only where that has surely ended. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBufferThatIsLeftSharesTheFateOfThoseLent(boolean unused) {
    StagingMemory.Buffer before = staging.hold(100);
    StagingMemory.Buffer after = staging.hold(100);
    staging.leave(before);
    assertThat(isAlive(before)).isTrue();
    staging.close(unused);
    staging.leave(after);
    assertThat(isAlive(before)).isEqualTo(!unused);
    assertThat(isAlive(after)).isEqualTo(!unused);
  }
}
