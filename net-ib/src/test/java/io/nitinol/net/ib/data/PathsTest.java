// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PathsTest {
  @Test
  void bothSidesMeanTheSamePath() {
    for (int ports = 1; ports <= 4; ports++) {
      for (int peerPorts = 1; peerPorts <= 4; peerPorts++) {
        Paths sender = Paths.of(true, 12, ports, peerPorts);
        Paths receiver = Paths.of(false, 12, peerPorts, ports);
        assertThat(sender.all()).isEqualTo(receiver.all());
        for (int lane = 0; lane < 12; lane++) {
          assertThat(sender.of(lane)).isEqualTo(receiver.of(lane));
          assertThat(sender.port(lane)).isEqualTo(receiver.peerPort(lane)).isEqualTo(lane % ports);
          Paths left = sender.without(receiver.of(lane));
          Paths right = receiver.without(sender.of(lane));
          assertThat(left.all()).isEqualTo(right.all()).isEqualTo(sender.all() & ~sender.of(lane));
          assertThat(left.lanes()).isEqualTo(right.lanes());
          assertThat(IntStream.range(0, left.lanes()).map(left::port).boxed().toList())
              .isEqualTo(IntStream.range(0, right.lanes()).map(right::peerPort).boxed().toList());
        }
      }
    }
  }

  @Test
  void aPortThatIsLostTakesItsPathsAlong() {
    Paths paths = Paths.of(true, 6, 2, 1);
    assertThat(paths.count()).isEqualTo(2);
    assertThat(paths.ports()).containsExactly(0, 1);
    Paths left = paths.without(paths.through(0));
    assertThat(left.ports()).containsExactly(1);
    assertThat(left.lanes()).isEqualTo(3);
    assertThat(left.count()).isEqualTo(1);
    assertThat(left.without(left.through(1)).lanes()).isZero();
    assertThat(left.without(left.through(0)).lanes()).isEqualTo(3);
  }

  /** Of a port of the peer nothing is known here but its paths. */
  @Test
  void pathsOfOnePortToSeveral() {
    Paths paths = Paths.of(false, 4, 1, 4);
    assertThat(paths.count()).isEqualTo(4);
    assertThat(paths.without(paths.of(2)).lanes()).isEqualTo(3);
    assertThat(paths.without(paths.of(2)).peerPort(2)).isEqualTo(3);
  }

  @Test
  void messagesAreSpreadOverWhatIsLeft() {
    Paths left = Paths.of(true, 4, 2, 2).without(Paths.of(true, 4, 2, 2).of(1));
    assertThat(new Stripes(4, 2).on(left)).isEqualTo(new Stripes(2, 1));
    assertThat(new Stripes(4, 4).on(left)).isEqualTo(new Stripes(2, 2));
    Paths three = Paths.of(true, 6, 3, 3).without(Paths.of(true, 3, 3, 3).of(1));
    assertThat(new Stripes(6, 3).on(three)).isEqualTo(new Stripes(4, 2));
  }

  /** One completion queue serves a card for the life of a comm. */
  @Test
  void theQueuesHaveRoomForWhatIsLeft() {
    for (int ports = 2; ports <= 4; ports++) {
      for (int pairs = 1; pairs <= 8; pairs++) {
        for (int width : new int[] {ports, ports * pairs}) {
          Stripes all = new Stripes(ports * pairs, width);
          QueueSizes sizes = QueueSizes.receiving(all, ports, false, 0, 1024, 1 << 20);
          Paths paths = Paths.of(false, all.lanes(), ports, ports);
          for (int lost = 0; lost < ports; lost++) {
            Paths left = paths.without(paths.through(lost));
            QueueSizes fewer = sizes.on(all.on(left));
            for (int port : left.ports()) {
              assertThat(entries(fewer, left, port))
                  .isLessThanOrEqualTo(entries(sizes, paths, port) + sizes.spare(pairs));
            }
          }
        }
      }
    }
  }

  private static int entries(QueueSizes sizes, Paths paths, int port) {
    return IntStream.range(0, paths.lanes())
        .filter(lane -> paths.port(lane) == port)
        .map(lane -> sizes.sends(lane) + sizes.receives())
        .sum();
  }
}
