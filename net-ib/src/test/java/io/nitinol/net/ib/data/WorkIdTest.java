// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkIdTest {

  @Test
  void whatWasPutInComesOut() {
    for (int kind = WorkId.DATA; kind <= WorkId.FLUSH; kind++) {
      for (int lane : new int[] {0, 1, 127, 255}) {
        for (int slot : new int[] {0, 31, 255}) {
          for (int posted : new int[] {0, 1, Integer.MAX_VALUE, -1}) {
            int generation = kind * 51;
            long id = WorkId.of(kind, lane, generation, slot, posted);
            assertThat(WorkId.generation(id)).isEqualTo(generation);
            assertThat(WorkId.kind(id)).isEqualTo(kind);
            assertThat(WorkId.lane(id)).isEqualTo(lane);
            assertThat(WorkId.slot(id)).isEqualTo(slot);
            assertThat(WorkId.posted(id)).isEqualTo(posted);
          }
        }
      }
    }
  }

  @Test
  void everyKindHasItsVerb() {
    assertThat(WorkId.verb(WorkId.of(WorkId.LAST, 0, 0, 0, 0))).isEqualTo("RDMA_WRITE_WITH_IMM");
    assertThat(WorkId.verb(WorkId.of(WorkId.FLUSH, 0, 0, 0, 0))).isEqualTo("RDMA_READ");
    assertThat(WorkId.verb(-1)).isEqualTo("unknown");
  }
}
