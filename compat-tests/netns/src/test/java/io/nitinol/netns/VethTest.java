// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class VethTest {

  @Test
  void twoHostsAndACable() throws Exception {
    try (Veth veth = Veth.open()) {
      assertThat(veth.near().run("ip -br addr")).contains("eth0", "10.98.0.1/24", "UP");
      assertThat(veth.far().run("ip -br addr")).contains("eth0", "10.98.0.2/24", "UP");
      veth.shape(10_000);
      assertThat(veth.near().run("tc qdisc show dev eth0")).contains("tbf", "10Gbit");
      assertThatThrownBy(() -> veth.near().run("echo this; false"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("echo this; false: this");
    } catch (Unavailable e) {
      System.err.println("no namespaces here: " + e.getMessage());
      abort(e.getMessage());
    }
  }
}
