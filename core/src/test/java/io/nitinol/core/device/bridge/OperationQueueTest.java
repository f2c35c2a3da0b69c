// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OperationQueueTest {
  private final OperationQueue queue = new OperationQueue();

  @Test
  void hasRoomForMoreThanItsFirstPlacesAndUsesThemAgain() {
    int many = 3 * OperationQueue.FIRST_PLACES;
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.oldest()).isNull();
    Set<HostOperation> places = putAndTake(many);
    assertThat(places).hasSize(many);
    for (int i = 0; i < 5; i++) {
      places.addAll(putAndTake(many));
    }
    assertThat(places.size() == many + 1).as("and the one taken last").isTrue();
  }

  private Set<HostOperation> putAndTake(int many) {
    Set<HostOperation> places = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < many; i++) {
      HostOperation place = queue.free();
      assertThat(queue.free()).as("before it is put").isSameAs(place);
      place.first = i;
      places.add(place);
      queue.put();
    }
    for (int i = 0; i < many; i++) {
      assertThat(queue.isEmpty()).isFalse();
      assertThat(Objects.requireNonNull(queue.oldest()).first).isEqualTo(i);
      queue.taken();
    }
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.oldest()).isNull();
    return places;
  }

  @Test
  void carriesEveryOperationWholeAndInOrder() throws Exception {
    int many = 20_000;
    CompletableFuture<Void> taker =
        CompletableFuture.runAsync(() -> {
          for (int i = 0; i < many; ) {
            HostOperation oldest = queue.oldest();
            if (oldest == null) {
              Thread.yield();
            } else {
              assertThat(oldest.first).isEqualTo(i);
              assertThat(oldest.chunks).isEqualTo(-i);
              queue.taken();
              i++;
            }
          }
        });
    for (int i = 0; i < many && !taker.isDone(); i++) {
      HostOperation place = queue.free();
      place.first = i;
      place.chunks = -i;
      queue.put();
      if (i % 1000 > 600) {
        Thread.yield(); // so that the taker comes near at times, and far behind at others
      }
    }
    taker.get(60, TimeUnit.SECONDS);
  }
}
