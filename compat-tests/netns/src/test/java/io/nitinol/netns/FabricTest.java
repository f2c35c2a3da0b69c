// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.util.List;
import org.junit.jupiter.api.Test;

class FabricTest {
  @Test
  void twoLeavesAndASpine() throws Exception {
    try (Fabric fabric = Fabric.open(2, 2)) {
      assertThat(fabric.hosts()).hasSize(4);
      assertThat(fabric.leaves()).hasSize(2).doesNotContain(fabric.spine());
      assertThat(fabric.leaf(fabric.hosts().get(1))).isSameAs(fabric.leaves().getFirst());
      assertThat(fabric.leaf(fabric.hosts().get(2))).isSameAs(fabric.leaves().getLast());
      fabric.shape(1000);
      for (Namespace each : fabric.leaves()) {
        assertThat(each.run("tc qdisc show")).containsPattern("(?s)(tbf.*1Gbit.*){3}");
      }
      Namespace near = fabric.hosts().getFirst();
      Namespace far = fabric.hosts().getLast();
      assertThat(near.run("ip -br addr")).contains("eth0", fabric.address(near) + "/16");
      long before = fabric.sent(near);
      long framesBefore = fabric.sentInFrames(near);
      for (Namespace other : List.of(far, fabric.leaf(near), fabric.leaf(far), fabric.spine())) {
        Courier.carry(near, other, fabric.address(other));
      }
      long sent = fabric.sent(near) - before;
      assertThat(sent).isBetween(4L * Courier.BYTES, 4L * Courier.BYTES * 11 / 10);
      // 66 bytes of headers to 1448 of content.
      assertThat(fabric.sentInFrames(near) - framesBefore)
          .isBetween((long) (4L * Courier.BYTES * 1.045), 4L * Courier.BYTES * 11 / 10);
    } catch (Unavailable e) {
      System.err.println("no namespaces here: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  @Test
  void aSingleSwitchIsLeafAndSpine() throws Exception {
    try (Fabric fabric = Fabric.open(1, 3)) {
      assertThat(fabric.leaves()).containsExactly(fabric.spine());
      assertThat(fabric.hosts()).hasSize(3);
      Courier.carry(
          fabric.hosts().get(0), fabric.hosts().get(2), fabric.address(fabric.hosts().get(2)));
    } catch (Unavailable e) {
      System.err.println("no namespaces here: " + e.getMessage());
      abort(e.getMessage());
    }
  }
}
