// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A device with a limit of its own. A plugin that looks at the limit of its first device, or at
 * that of its physical ones, is right everywhere else.
 *
 * @param net the instance that has the device
 * @param device its number
 * @param limit its limit
 */
public record UnlikeDevice(TestedNet net, int device, long limit) {
  /** The tests take some milliseconds for each. */
  private static final int MOST = 4;

  /**
   * Returns devices whose limit is not that of device 0, and a virtual one if its limit is another.
   *
   * @param name of the limit, for the report
   * @param limit reads the limit
   * @throws Inapplicable where there are none
   */
  public static List<UnlikeDevice> all(
      NetSession session, String name, ToLongFunction<NetProperties> limit) {
    long usual = limit.applyAsLong(session.properties(0));
    List<UnlikeDevice> found = new ArrayList<>();
    for (int device = 1; device < session.devices() && found.size() < MOST; device++) {
      add(found, usual, session.net(), device, limit.applyAsLong(session.properties(device)));
    }
    addVirtual(session, found, usual, limit);
    if (found.isEmpty()) {
      throw session.skip("every device has the " + name + " of device 0, which is " + usual);
    }
    return found;
  }

  private static void addVirtual(
      NetSession session,
      List<UnlikeDevice> found,
      long usual,
      ToLongFunction<NetProperties> limit) {
    TestedNet.Newest newest = session.net().newest();
    if (newest == null
        || session.devices() < 2
        || !newest.net().supports(OptionalOperation.MAKE_VDEVICE)) {
      return;
    }
    TestedNet own = session.another(); // a virtual device lives as long as its instance
    TestedNet.Newest there = own.newest();
    if (there == null) {
      return;
    }
    JoinedDevices joined;
    try {
      joined =
          JoinedDevices.make(session, "NET-VDEV-01", CommonNet.of(own), there.net()::makeVDevice);
    } catch (Inapplicable e) {
      session.note("no virtual device was looked at: " + e.getMessage());
      return;
    }
    int made = joined.number();
    add(found, usual, own, made, limit.applyAsLong(own.getProperties(made)));
  }

  private static void add(
      List<UnlikeDevice> found, long usual, TestedNet net, int device, long limit) {
    if (limit != usual) {
      found.add(new UnlikeDevice(net, device, limit));
    }
  }

  /** Connects the device to itself. */
  public NetConnection connect(NetSession session) {
    return session.connect(net, device, session.listen(net, device));
  }
}
