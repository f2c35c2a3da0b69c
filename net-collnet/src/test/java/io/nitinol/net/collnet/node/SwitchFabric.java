// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.spi.testing.RecordingLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Switches of one test and what its ranks share. */
final class SwitchFabric implements AutoCloseable {
  final RecordingLog log = new RecordingLog();
  final SwitchKey key = SwitchKey.random();
  final Carrier carrier = Carrier.open("Socket", 0, log);
  final SwitchLoop loop = SwitchLoop.open("test-control", log);
  final List<Switch> switches = new ArrayList<>();
  private final List<TestGroup> groups = new ArrayList<>();

  SwitchOptions options() {
    return SwitchOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), key.bytes())
        .withThreads(2);
  }

  /** Starts a root. */
  Switch root() {
    return start(o -> o);
  }

  Switch start(UnaryOperator<SwitchOptions> with) {
    Switch started = Switch.start(with.apply(options()), log);
    switches.add(started);
    return started;
  }

  Switch below(Switch parent) {
    return start(o -> o.withParent(parent.address()));
  }

  /** Lets so many ranks join at one switch. */
  TestGroup join(Switch at, int nranks) {
    InetSocketAddress[] all = new InetSocketAddress[nranks];
    Arrays.fill(all, at.address());
    return join(all);
  }

  TestGroup join(InetSocketAddress... at) {
    TestGroup group = new TestGroup(loop, key, carrier, at);
    groups.add(group);
    return group;
  }

  /** A group that ends before the test does. */
  void leave(TestGroup group) {
    groups.remove(group);
    group.close();
  }

  @Override
  public void close() {
    groups.forEach(TestGroup::close);
    switches.forEach(Switch::close);
    loop.close();
    carrier.close();
  }
}
