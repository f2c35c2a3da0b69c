// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BusyStreamsTest {
  private final FakeDevices fakes = new FakeDevices("fake");
  private final Device device = fakes.devices().getFirst();
  private final BusyStreams busy = new BusyStreams();

  private DeviceStream stream() {
    return device.createStream(false);
  }

  @Test
  void streamsThatNobodyWaitsForMakeRoomWhenTheyAreDone() {
    for (int i = 0; i < 1000; i++) {
      busy.add(stream());
      assertThat(busy.list()).hasSizeLessThanOrEqualTo(16);
    }
  }

  @Test
  void closedStreamsMakeRoom() {
    fakes.busy = () -> true;
    for (int i = 0; i < 1000; i++) {
      DeviceStream stream = stream();
      busy.add(stream);
      assertThat(busy.list()).hasSizeLessThanOrEqualTo(16);
      stream.close();
    }
  }

  @Test
  void streamsWithWorkAreAllKept() {
    fakes.busy = () -> true;
    List<DeviceStream> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(stream());
      busy.add(all.getLast());
      busy.add(all.get(i / 2));
    }
    assertThat(busy.list()).containsExactlyInAnyOrderElementsOf(all);
  }

  /** A loop over two takes the way without a lock, also for one that has just made room. */
  @Test
  void aStreamThatMadeRoomIsAddedAgain() {
    DeviceStream one = stream();
    DeviceStream two = stream();
    for (int i = 0; i < 20; i++) {
      busy.add(one);
      busy.add(two);
      busy.add(stream());
      busy.add(one);
      assertThat(busy.list()).contains(one);
      busy.add(two);
      assertThat(busy.list()).contains(one, two);
    }
  }

  @Test
  void theLastThatIsRemovedIsTold() {
    AtomicInteger told = new AtomicInteger();
    DeviceStream one = stream();
    DeviceStream two = stream();
    busy.add(one);
    busy.add(two);
    busy.remove(one, () -> true, told::incrementAndGet);
    assertThat(busy.list()).containsExactly(one, two);
    busy.remove(one, () -> false, told::incrementAndGet);
    assertThat(told).hasValue(0);
    busy.remove(two, () -> false, told::incrementAndGet);
    assertThat(told).hasValue(1);
    busy.add(two);
    assertThat(busy.list()).containsExactly(two);
  }
}
