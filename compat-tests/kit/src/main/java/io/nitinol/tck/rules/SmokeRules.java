// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;

/** The basics that must work before anything else can be tested. */
public final class SmokeRules {

  @Rule("NET-CONN-09")
  void connectsAndCarriesOneMessage(NetSession session) {
    NetConnection connection = session.connect();
    connection.transfer(4096);
  }

  @Rule("COLL-03")
  void connectsAndReducesOnce(CollSession session) {
    AllReduce.once(session, session.connect(2));
  }

  @Rule("DEVSTREAM-04")
  void bytesGoToADeviceAndBack(DeviceSession session) {
    Image image = Image.onDevice(session, session.device(), 10_000);
    image.check("they were copied there and back");
  }
}
