// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.doubling;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoublingAllReduceTest {
  /** Messages and bytes that rank 0 sends, with slots of some KiB. */
  @ParameterizedTest
  @CsvSource({
    "16, 512, 8,       4,  32", // everything to each of 4 others
    "16, 512, 32768,   4,  131072",
    "16, 512, 65536,   8,  122880", // half, a quarter, an eighth and a sixteenth, and back
    "16, 512, 1048576, 16, 1966080", // in two chunks
    "16, 64, 123328,  12, 362176", // of two chunks the second is a line shorter, and too short
    "4, 512, 65536,   2,  131072",
    "4, 512, 524288,  2,  1048576", // a ring is faster there
    "2, 512, 524288,  1,  524288", // halves would be as many bytes
    "17, 512, 65536,   1,  65536" // rank 0 only gives
  })
  void halvesWhatIsLargeEnough(int ranks, int slot, long bytes, int messages, long sent) {
    ChunkShape shape = new ChunkShape(slot << 10, 4, 32 << 10, 4 << 10, 64 << 10);
    DoublingAllReduce schedule = new DoublingAllReduce(ranks, 0, shape, 0);
    schedule.plan(bytes / Float.BYTES, Float.BYTES, 0, 1);
    Step step = new Step();
    int sends = 0;
    int receives = 0;
    long count = 0;
    for (long i = 0; i < schedule.steps(); i++) {
      schedule.step(i, step);
      assertThat(step.count()).as("%s", step).isPositive();
      if (step.kind().sends()) {
        sends++;
        count += step.count();
      } else {
        receives++;
      }
    }
    assertThat(sends).isEqualTo(messages);
    assertThat(receives).isEqualTo(messages);
    assertThat(count * Float.BYTES).isEqualTo(sent);
  }
}
