// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A peer that is silent is to blame only where its thread stands in the plugin. */
class PeerSilenceTest {

  @Test
  void theInnermostFrameThatIsNotTheJdksDecides() {
    assertThat(
            PeerSilence.call(
                List.of(
                    "java.base/java.lang.Thread.sleep0(Native Method)",
                    "java.base/java.lang.Thread.sleep(Thread.java:500)",
                    "my.net/org.vendor.MyNet.connect(MyNet.java:7)",
                    "io.nitinol.tck/io.nitinol.tck.peer.Puppet.connect(Puppet.java:9)")))
        .isEqualTo("org.vendor.MyNet.connect(MyNet.java:7)");
    assertThat(
            PeerSilence.call(
                List.of(
                    "java.base/java.util.concurrent.LinkedBlockingQueue.take(Q.java:1)",
                    "io.nitinol.tck/io.nitinol.tck.peer.PeerMain.main(PeerMain.java:80)")))
        .isNull();
    assertThat(PeerSilence.call(List.of("io.nitinol.tck.peer.PeerMain.main(PeerMain.java:80)")))
        .isNull();
    assertThat(PeerSilence.call(List.of())).isNull();
  }
}
