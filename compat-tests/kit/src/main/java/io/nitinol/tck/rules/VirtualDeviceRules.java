// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.JoinedDevices;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.Flag;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Several devices made one: NET-VDEV-01 to NET-VDEV-03. Each test has an instance of its own. */
public final class VirtualDeviceRules {
  private static final long LENGTH = 100_000;
  private static final long OTHER_COMM_ID = 4711;
  private static final long PIECE = 512;

  private record Instance(TestedNet tested, Net net) {}

  private static Instance instance(NetSession session) {
    session.newest();
    TestedNet tested = session.another();
    Net net = Objects.requireNonNull(tested.newest()).net();
    if (!net.supports(OptionalOperation.MAKE_VDEVICE)) {
      throw session.skip("supports denies MAKE_VDEVICE");
    }
    return new Instance(tested, net);
  }

  private static JoinedDevices make(NetSession session, Instance instance) {
    return JoinedDevices.make(
        session, "NET-VDEV-01", CommonNet.of(instance.tested()), instance.net()::makeVDevice);
  }

  @Rule(
      value = "NET-VDEV-01",
      needs = {Need.V9, Need.TWO_DEVICES})
  void theNewDeviceComesLast(NetSession session) {
    Instance instance = instance(session);
    Net net = instance.net();
    List<NetProperties> before = properties(net);
    JoinedDevices joined = make(session, instance);
    int made = joined.number();
    session.check(
        made == before.size() && net.devices() == before.size() + 1,
        "makeVDevice returned %d, devices was %d and is %d",
        made,
        before.size(),
        net.devices());
    List<NetProperties> after = properties(net);
    session.check(
        after.subList(0, before.size()).equals(before),
        "the other devices have changed: %s",
        after);
    session.check(
        after.getLast().virtualDevice().equals(joined.parts()),
        "the new device consists of %s, expected %s",
        after.getLast().virtualDevice().devices(),
        joined.parts().devices());
    theNextOneComesBehindIt(session, net, after, joined.parts().devices().reversed());
    // Each call makes a device, also of what one was made of before.
    theNextOneComesBehindIt(session, net, properties(net), joined.parts().devices());
    theNextOneComesBehindIt(session, net, properties(net), joined.parts().devices());
  }

  @Rule(
      value = "NET-INIT-05",
      needs = {Need.V9, Need.TWO_DEVICES})
  void virtualDevicesAreOfOneInstance(NetSession session) {
    if (session.plugin().isLibrary(session.lane())) {
      throw session.skip("instances of a native library share its variables");
    }
    Net another = instance(session).net();
    List<NetProperties> before = properties(another);
    make(session, instance(session));
    List<NetProperties> after = properties(another);
    session.check(
        after.equals(before),
        "makeVDevice on one instance changed the devices of another: %s, before %s",
        after,
        before);
  }

  @Rule(
      value = "NET-VDEV-01",
      needs = {Need.V9, Need.TWO_DEVICES})
  void aVirtualDeviceOutlivesEachContext(NetSession session) {
    Instance instance = instance(session);
    Net net = instance.net();
    NetContext other =
        session.step(
            "NET-INIT-09",
            "init of a further context",
            () -> net.init(OTHER_COMM_ID, NetCommConfig.DEFAULT, session.terms().log(), null));
    Flag ended = new Flag();
    Runnable end =
        () ->
            ended.by(() -> {
              session.run(
                  "NET-INIT-08",
                  "finalize of one of two contexts",
                  () -> net.finalizeContext(other));
              return true;
            });
    session.atEnd(end); // also if what follows fails
    make(session, instance);
    List<NetProperties> before = properties(net);
    end.run();
    List<NetProperties> after = properties(net);
    session.check(
        after.equals(before),
        "the end of one of two contexts changed the devices: %s, before %s",
        after,
        before);
  }

  /** What a plugin remembers of a number that was refused ends when a device gets it. */
  @Rule(
      value = "NET-VDEV-01",
      needs = {Need.V9, Need.TWO_DEVICES})
  void theNewNumberMayHaveBeenAskedAboutBefore(NetSession session) {
    Instance instance = instance(session);
    TestedNet tested = instance.tested();
    int next = tested.devices();
    NetListening other = session.listen(tested, 0);
    refusesDevice(session, "getProperties", next, () -> tested.getProperties(next));
    refusesDevice(session, "listen", next, () -> tested.listen(next, session.handle()));
    refusesDevice(
        session, "connect", next, () -> tested.connect(next, session.copyOf(other.handle())));
    other.close(); // NET-VDEV-04: there is nothing of its devices when it is made
    int made = make(session, instance).number();
    ConnectAttempts.asOwn(
        session,
        "device " + made + ", about which the plugin was asked before it was made: ",
        () -> {
          long most =
              session.step(
                  "NET-DEV-02", "getProperties", () -> tested.getProperties(made).maxP2pBytes());
          NetListening listening = session.listen(tested, made);
          session.connect(tested, made, listening).transfer(Math.min(PIECE, most));
        });
  }

  private static void refusesDevice(NetSession session, String call, int device, Runnable asking) {
    try {
      asking.run();
    } catch (NetException e) {
      session.code("NET-DEV-03", call + " with device " + device, e, ResultCode.INVALID_ARGUMENT);
      return;
    }
    session.require("NET-DEV-03", false, "%s took device %d, which does not exist", call, device);
  }

  /** The same devices, perhaps in another order, which go together as well. */
  private static void theNextOneComesBehindIt(
      NetSession session, Net net, List<NetProperties> before, List<Integer> devices) {
    VirtualDevice other = new VirtualDevice(devices);
    int made;
    try {
      made = net.makeVDevice(other);
    } catch (NetException e) {
      session.code(
          "NET-VDEV-02",
          "makeVDevice once more",
          e,
          ResultCode.INVALID_USAGE,
          ResultCode.INVALID_ARGUMENT);
      session.note("a second virtual device of the same devices is refused: " + e.getMessage());
      return;
    }
    List<NetProperties> after = properties(net);
    session.check(
        made == before.size() && after.size() == before.size() + 1,
        "makeVDevice once more returned %d, devices was %d and is %d",
        made,
        before.size(),
        after.size());
    session.check(
        after.subList(0, before.size()).equals(before),
        "with a second virtual device the other devices have changed: %s",
        after);
    session.check(
        after.getLast().virtualDevice().equals(other),
        "a further new device consists of %s, expected %s",
        after.getLast().virtualDevice().devices(),
        devices);
  }

  @Rule(
      value = "NET-VDEV-02",
      needs = {Need.V9, Need.TWO_DEVICES})
  void whatIsNoPhysicalDeviceIsRefused(NetSession session) {
    Instance instance = instance(session);
    Net net = instance.net();
    JoinedDevices joined = make(session, instance);
    int one = joined.first();
    int count = net.devices();
    List<Integer> many = new ArrayList<>();
    for (int i = 0; i <= Net.MAX_DEVS_PER_NIC; i++) {
      many.add(i);
    }
    for (List<Integer> wrong : List.of(List.of(one, count), List.of(one, joined.number()), many)) {
      session.expect(
          "makeVDevice of " + wrong,
          () -> net.makeVDevice(new VirtualDevice(wrong)),
          ResultCode.INVALID_ARGUMENT);
      session.check(
          net.devices() == count, "devices is %d after a refusal, was %d", net.devices(), count);
    }
  }

  @Rule(
      value = "NET-VDEV-03",
      needs = {Need.V9, Need.TWO_DEVICES})
  void messagesPassThroughAVirtualDevice(NetSession session) {
    Instance instance = instance(session);
    JoinedDevices joined = make(session, instance);
    int made = joined.number();
    long most =
        properties(instance.net()).stream()
            .mapToLong(NetProperties::maxP2pBytes)
            .min()
            .orElseThrow();
    for (int[] way : new int[][] {{made, made}, {joined.first(), made}, {made, joined.second()}}) {
      InitialisationRules.works(
          session,
          "a message from device " + way[0] + " to device " + way[1],
          () -> {
            NetListening listening = session.listen(instance.tested(), way[1]);
            NetConnection connection = session.connect(instance.tested(), way[0], listening);
            // Pieces for each of the devices below may have to differ in length.
            for (long length : new long[] {LENGTH, 1, 8193, 65_537}) {
              connection.transfer(Math.min(length, most));
            }
          });
    }
  }

  /** What its properties promise holds: a receive has as many pieces. */
  @Rule(
      value = "NET-VDEV-03",
      needs = {Need.V9, Need.TWO_DEVICES})
  void receivesThroughAVirtualDeviceHaveAllTheirPieces(NetSession session) {
    Instance instance = instance(session);
    int made = make(session, instance).number();
    NetProperties properties = instance.net().getProperties(made);
    long length = Math.min(PIECE, properties.maxP2pBytes());
    for (int pieces : new int[] {1, properties.maxRecvs()}) {
      InitialisationRules.works(
          session,
          "a receive of "
              + pieces
              + " pieces on a virtual device with maxRecvs "
              + properties.maxRecvs(),
          () -> {
            NetListening listening = session.listen(instance.tested(), made);
            NetConnection connection = session.connect(instance.tested(), made, listening);
            fillAllPieces(session, connection, pieces, length);
            connection.close();
            listening.close();
          });
    }
  }

  private static void fillAllPieces(
      NetSession session, NetConnection connection, int pieces, long length) {
    GuardedArea from = session.area(pieces * length);
    GuardedArea to = session.area(pieces * length);
    long seed = session.random().nextLong();
    from.fill(seed);
    MemoryHandle sendMr = connection.registerSend(from);
    MemoryHandle[] mrs = new MemoryHandle[pieces];
    Arrays.fill(mrs, connection.registerRecv(to));
    long[] offsets = new long[pieces];
    long[] lengths = new long[pieces];
    int[] tags = new int[pieces];
    for (int i = 0; i < pieces; i++) {
      offsets[i] = i * length;
      lengths[i] = length;
      tags[i] = i;
    }
    Request receiving = connection.irecv(mrs, offsets, lengths, tags);
    boolean[] came = new boolean[1];
    List<Request> sends = new ArrayList<>();
    Runnable test = () -> came[0] = came[0] || connection.testRecv(receiving, null);
    for (int i = 0; i < pieces; i++) {
      sends.add(connection.isend(sendMr, i * length, length, i, test));
    }
    session.await(
        "NET-TEST-05",
        "a receive of " + pieces + " pieces and its messages",
        () -> {
          test.run();
          connection.poll(sends, sending -> connection.testSend(sending, null));
          return came[0] && sends.isEmpty();
        });
    long wrong = to.firstDifference(0, pieces * length, seed);
    session.check(wrong < 0, "the messages of %d pieces are wrong at byte %d", pieces, wrong);
  }

  /** All rules hold for it, those of properties among them. */
  @Rule(
      value = "NET-VDEV-03",
      needs = {Need.V9, Need.TWO_DEVICES})
  void aVirtualDeviceHasThePropertiesOfADevice(NetSession session) {
    Instance instance = instance(session);
    Net net = instance.net();
    JoinedDevices joined = make(session, instance);
    NetProperties p = net.getProperties(joined.number());
    int first = net.getProperties(joined.first()).ptrSupport();
    int second = net.getProperties(joined.second()).ptrSupport();
    int common = first & second;
    if (common == 0) {
      throw session.skip("devices " + joined.parts().devices() + " support no kind of memory both");
    }
    session.check(
        (p.ptrSupport() & ~common) == 0,
        "ptrSupport of a virtual device is 0x%x, and its devices have 0x%x and 0x%x",
        p.ptrSupport(),
        first,
        second);
    session.check(
        PointerType.HOST.in(p.ptrSupport()) || PointerType.CUDA.in(p.ptrSupport()),
        "ptrSupport of a virtual device, 0x%x, has neither HOST nor CUDA",
        p.ptrSupport());
    session.check(
        !p.name().isBlank()
            && p.latency() >= 0
            && Float.isFinite(p.latency())
            && p.maxComms() >= 1
            && p.maxRecvs() >= 1
            && p.maxP2pBytes() >= 1
            && p.maxCollBytes() >= 1
            && p.maxMultiRequestSize() >= 1,
        "a virtual device has %s (NET-DEV-04, NET-DEV-11)",
        p);
  }

  private static List<NetProperties> properties(Net net) {
    List<NetProperties> all = new ArrayList<>();
    for (int device = 0; device < net.devices(); device++) {
      all.add(net.getProperties(device));
    }
    return all;
  }
}
