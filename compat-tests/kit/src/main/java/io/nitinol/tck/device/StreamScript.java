// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.device.v1.DeviceStream;
import java.util.Random;

/** Random copies and fills inside one image, each of which depends on those before it. */
public final class StreamScript {
  private record Step(int to, int from, int length, byte value) {}

  private final Step[] steps;

  /** Makes a script of so many steps for images of a size. */
  public StreamScript(Random random, int count, int size) {
    steps = new Step[count];
    int most = size / 3;
    for (int i = 0; i < count; i++) {
      int length = 1 + random.nextInt(most);
      int to = random.nextInt(size - length + 1);
      int from = -1;
      for (int attempt = 0; attempt < 8 && from < 0; attempt++) {
        int place = random.nextInt(size - length + 1);
        if (Math.abs(place - to) >= length) {
          from = place;
        }
      }
      steps[i] = new Step(to, i % 4 == 3 ? -1 : from, length, (byte) random.nextInt());
    }
  }

  /** Puts all steps into a stream. */
  public void put(DeviceStream stream, Image image) {
    for (Step step : steps) {
      if (step.from < 0) {
        stream.fill(image.at(step.to), step.value, step.length);
      } else {
        stream.copy(image.at(step.to), image.at(step.from), step.length);
      }
    }
  }

  /** Does all steps on what should be in the image. */
  public void expect(Image image) {
    for (Step step : steps) {
      if (step.from < 0) {
        image.expect(step.to, step.length, step.value);
      } else {
        image.expect(step.to, image.part(step.from, step.length));
      }
    }
  }
}
