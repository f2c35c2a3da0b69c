// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.Session;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * A virtual device of two physical ones that go together.
 *
 * @param number what makeVDevice returned
 * @param first the first of the two
 * @param second the other one
 */
public record JoinedDevices(int number, int first, int second) {
  /** Where no two devices go together, the plugin is asked about 120 pairs. */
  private static final int MOST_DEVICES = 16;

  /** A number that no device has, in place of the exception for devices that stand apart. */
  private static final int APART = Integer.MIN_VALUE;

  /**
   * Makes a virtual device of the first pair of devices that go together; INVALID_USAGE is due for
   * those that do not (NET-VDEV-02).
   *
   * @param rule the rule that is broken where makeVDevice fails in another way
   * @param net an instance that supports makeVDevice
   * @param makeVDevice its method
   * @throws Inapplicable where no pair goes together
   */
  public static JoinedDevices make(
      Session session, String rule, CommonNet net, ToIntFunction<VirtualDevice> makeVDevice) {
    int[] devices =
        IntStream.range(0, net.devices())
            .filter(device -> device < 2 || isPhysical(net, device))
            .limit(MOST_DEVICES)
            .toArray();
    for (int i = 0; i < devices.length; i++) {
      for (int j = i + 1; j < devices.length; j++) {
        VirtualDevice pair = new VirtualDevice(List.of(devices[i], devices[j]));
        int made = session.step(rule, "makeVDevice", () -> numberUnlessApart(pair, makeVDevice));
        if (made != APART) {
          return new JoinedDevices(made, devices[i], devices[j]);
        }
      }
    }
    throw session.skip(
        "makeVDevice says of every two of %d devices that they do not go together"
            .formatted(devices.length));
  }

  private static int numberUnlessApart(
      VirtualDevice pair, ToIntFunction<VirtualDevice> makeVDevice) {
    try {
      return makeVDevice.applyAsInt(pair);
    } catch (NetException e) {
      if (e.result() == ResultCode.INVALID_USAGE) {
        return APART;
      }
      throw e;
    }
  }

  /** The instances of a native library may share virtual devices that were made before. */
  private static boolean isPhysical(CommonNet net, int device) {
    return net.getProperties(device).virtualDevice().devices().size() == 1;
  }

  /** Returns what the virtual device consists of. */
  public VirtualDevice parts() {
    return new VirtualDevice(List.of(first, second));
  }
}
