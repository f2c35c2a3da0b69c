// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.FreeMemory;
import io.nitinol.tck.scene.Reserved;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.scene.UnlikeDevice;
import io.nitinol.tck.session.Flag;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.PostedReceives;
import io.nitinol.tck.session.Seen;
import io.nitinol.tck.session.TestedNet;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Additions of versions from 7 on: options, hints, wide sizes, registrations for all comms. */
public final class OptionRules {
  /** The first version whose properties have the greatest length of a message. */
  private static final int TELLS_LONGEST = 9;

  private static final long LENGTH = 4096;
  private static final int SHORT = 8;

  /** How often a receive is tested that may be complete before its message is sent. */
  private static final int EARLY = 100;

  /** The most address space that a test maps. */
  private static final long MOST_MAPPED = 1L << 34;

  @Rule("NET-OPT-01")
  void whatIsNotSupportedIsRefused(NetSession session) {
    Net net = session.newest().net();
    for (OptionalOperation operation : OptionalOperation.values()) {
      boolean first = session.step("NET-OPT-01", "supports", () -> net.supports(operation));
      boolean second = session.step("NET-OPT-01", "supports", () -> net.supports(operation));
      session.check(first == second, "supports(%s) was %s and is %s", operation, first, second);
    }
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerRecv(session.area(LENGTH));
    if (!net.supports(OptionalOperation.GET_DEVICE_MR)) {
      session.expect(
          "getDeviceMr, which supports denies",
          () -> net.getDeviceMr(connection.recv(), mr),
          ResultCode.INVALID_USAGE);
    }
    if (!net.supports(OptionalOperation.IRECV_CONSUMED)) {
      Request receiving = connection.irecv(mr, 0, LENGTH, SlotTraffic.TAG);
      session.expect(
          "irecvConsumed, which supports denies",
          () -> net.irecvConsumed(connection.recv(), 1, receiving),
          ResultCode.INVALID_USAGE);
    }
    if (!net.supports(OptionalOperation.MAKE_VDEVICE)) {
      session.expect(
          "makeVDevice, which supports denies",
          () -> net.makeVDevice(new VirtualDevice(List.of(0))),
          ResultCode.INVALID_USAGE);
    }
  }

  @Rule(value = "NET-OPT-03", needs = Need.V11)
  void moreComesThanWasAnnounced(NetSession session) {
    TestedNet net = session.anotherContext(7, NetCommConfig.DEFAULT);
    TestedNet.Newest newest = Objects.requireNonNull(net.newest());
    NetAttributes.Flows one = new NetAttributes.Flows(1, 1, 1, 1);
    NetAttributes.Flows open = new NetAttributes.Flows(-1, -1, -1, -1);
    for (NetAttributes.Flows flows : List.of(one, open)) {
      session.run(
          "NET-OPT-03",
          "setNetAttr",
          () ->
              newest.net().setNetAttr(newest.context(), new NetAttributes(flows, flows, -1, 1, 1)));
      for (int i = 0; i < 3; i++) {
        InitialisationRules.works(
            session,
            "a connection beyond what was announced",
            () -> session.connect(net, 0, session.listen(net, 0)).transfer(LENGTH));
      }
    }
  }

  @Rule("NET-OPT-04")
  void nobodyGetsADeviceHandleUnasked(NetSession session) {
    TestedNet.Newest newest = session.newest();
    NetListening listening = session.listen(0);
    MemorySegment copy = session.copyOf(listening.handle());
    @Nullable DeviceHandle[] none = {};
    session.expect(
        "connect with an empty array for a device handle",
        () -> newest.net().connect(newest.context(), 0, session.copyOf(listening.handle()), none),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "accept with an empty array for a device handle",
        () -> newest.net().accept(listening.comm(), none),
        ResultCode.INVALID_ARGUMENT);
    @Nullable SendComm[] send = new SendComm[1];
    @Nullable RecvComm[] recv = new RecvComm[1];
    @Nullable DeviceHandle[] offload = new DeviceHandle[1];
    if (session.lane().mayWait()) {
      throw session.skip("version 4 may wait in connect, and knows no device handles");
    }
    session.await(
        "NET-CONN-09",
        "a connection",
        () -> {
          if (send[0] == null) {
            send[0] = newest.net().connect(newest.context(), 0, copy, offload);
            staysNull(session, "connect", send[0], offload);
          }
          if (recv[0] == null) {
            recv[0] = newest.net().accept(listening.comm(), offload);
            staysNull(session, "accept", recv[0], offload);
          }
          return send[0] != null && recv[0] != null;
        });
    session.connection(send[0], recv[0]).transfer(LENGTH);
  }

  /** After each call: the next one may put null back. */
  private static void staysNull(
      NetSession session, String call, @Nullable Comm answer, @Nullable DeviceHandle[] offload) {
    session.check(
        offload[0] == null,
        "%s, which answered with %s, left a device handle that nobody asked for: %s",
        call,
        answer == null ? "null" : "a comm",
        offload[0]);
  }

  @Rule(value = "NET-RECV-18", needs = Need.V9)
  void aMessageComesThoughItsReceiveIsOptional(NetSession session) {
    session.needsBytes(LENGTH);
    Net net = session.newest().net();
    NetConnection connection = session.connect();
    GuardedArea from = session.area(2 * LENGTH);
    GuardedArea to = session.area(2 * LENGTH);
    long seed = session.random().nextLong();
    from.fill(seed);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    @Nullable Request[] receiving = new Request[1];
    session.await(
        "NET-RECV-01",
        "room for a receive",
        () -> {
          receiving[0] = irecv(net, connection, toMr, 0, Net.OPTIONAL_RECV_COMPLETION);
          return receiving[0] != null;
        });
    Request first = Objects.requireNonNull(receiving[0]);
    @Nullable Request[] sends = new Request[2];
    boolean[] done = new boolean[4];
    // It may be complete before its message has been sent, and its request serve another one.
    for (int i = 0; i < EARLY && !done[1]; i++) {
      done[1] = connection.testRecv(first, null);
    }
    boolean early = done[1];
    Request second = connection.irecv(toMr, LENGTH, LENGTH, SlotTraffic.TAG);
    session.await(
        "NET-RECV-18",
        "the end of a receive with a hint, and of the one behind it",
        () -> {
          try {
            for (int i = 0; i < 2; i++) {
              if (sends[i] == null && (i == 0 || sends[0] != null)) {
                sends[i] =
                    net.isend(connection.send(), fromMr, i * LENGTH, LENGTH, SlotTraffic.TAG, 0);
              }
              Request sent = sends[i];
              done[2 * i] = done[2 * i] || (sent != null && net.test(sent, null));
            }
            done[1] = done[1] || net.test(first, null);
            done[3] = done[3] || net.test(second, null);
          } catch (RuntimeException e) {
            throw session.broken(
                "messages of which the first has a receive with a hint, complete before it was sent: "
                    + early
                    + ", failed: "
                    + e);
          }
          return done[0] && done[1] && done[2] && done[3];
        });
    session.await(
        "NET-RECV-18",
        "the message of a receive with a hint",
        () -> to.firstDifference(0, LENGTH, seed) < 0);
    long wrong = to.firstDifference(LENGTH, LENGTH, seed + LENGTH);
    session.check(
        to.segment().asSlice(LENGTH, LENGTH).mismatch(from.segment().asSlice(LENGTH, LENGTH)) < 0,
        "the message behind a receive with a hint arrived wrong, at byte %d or so",
        wrong);
  }

  /** A hint is for one receive, whatever else uses its request later. */
  @Rule(value = "NET-RECV-18", needs = Need.V9)
  void aHintIsForOneReceiveOnly(NetSession session) {
    session.needsBytes(LENGTH);
    int most = session.maxRequests();
    SlotTraffic traffic = new SlotTraffic(session, most, LENGTH);
    NetConnection connection = traffic.connection();
    for (int inFlight : new int[] {1, most}) {
      // Memory of its own: nothing tells when the last byte of a hinted receive has come.
      MemoryHandle hintedMr = connection.registerRecv(session.area((inFlight + 1) * LENGTH));
      ConnectAttempts.asOwn(
          session,
          inFlight + " receives with a hint and their messages: ",
          () -> exchangeWithHint(session, connection, traffic.fromMr(), hintedMr, inFlight));
      PostedReceives receives = new PostedReceives(connection);
      for (int i = 0; i < most; i++) {
        receives.add(
            connection.irecv(traffic.toMr(), traffic.offset(i), LENGTH - i, SlotTraffic.TAG));
      }
      for (int times = 0; times < EARLY; times++) {
        for (int i = 0; i < (session.isTestedInOrder() ? 1 : most); i++) {
          session.check(
              !receives.test(i),
              "a receive without a hint, behind %d with one, was complete before its message",
              inFlight);
        }
      }
      for (int i = 0; i < most; i++) {
        int length = (int) LENGTH - most - i;
        Request sending =
            connection.isend(
                traffic.fromMr(), traffic.offset(i), length, SlotTraffic.TAG, receives.get(i));
        int size = receives.finish(session, sending, i);
        session.check(
            size == length,
            "a message of %d bytes, behind %d receives with a hint, reported %d",
            length,
            inFlight,
            size);
      }
    }
  }

  /** Posts a receive of one message with some hints; null where there is no room. */
  private static @Nullable Request irecv(
      Net net, NetConnection connection, MemoryHandle mr, long offset, int hints) {
    return net.irecv(
        connection.recv(),
        1,
        new MemoryHandle[] {mr},
        new long[] {offset},
        new long[] {LENGTH},
        new int[] {SlotTraffic.TAG},
        null,
        hints);
  }

  /** Tests a receive, and gives it back when it is complete, as NCCL does (NET-TEST-06). */
  private static boolean isOver(NetConnection connection, Net net, Request receiving) {
    boolean over = connection.testRecv(receiving, null);
    if (over && net.supports(OptionalOperation.IRECV_CONSUMED)) {
      net.irecvConsumed(connection.recv(), 1, receiving);
    }
    return over;
  }

  /** Exchanges messages whose receives have a hint and may be complete whenever they like. */
  private static void exchangeWithHint(
      NetSession session,
      NetConnection connection,
      MemoryHandle fromMr,
      MemoryHandle toMr,
      int messages) {
    Net net = session.newest().net();
    Request[] receiving = new Request[messages];
    boolean[] received = new boolean[messages];
    for (int i = 0; i < messages; i++) {
      long offset = i * LENGTH;
      Seen<Request> posted = new Seen<>();
      session.await(
          "NET-RECV-01",
          "room for a receive",
          () ->
              posted.by(() -> irecv(net, connection, toMr, offset, Net.OPTIONAL_RECV_COMPLETION)));
      receiving[i] = posted.get();
    }
    // The caller tests no receive again that is complete. So one without a hint has the plugin go
    // on where all others are complete before their messages have come.
    Seen<Request> behind = new Seen<>();
    boolean[] behindReceived = new boolean[1];
    boolean[] behindSent = new boolean[1];
    Runnable test =
        () -> {
          for (int i = 0; i < messages; i++) {
            received[i] = received[i] || isOver(connection, net, receiving[i]);
            if (!received[i] && session.isTestedInOrder()) {
              return;
            }
          }
          if (behind.by(() -> irecv(net, connection, toMr, messages * LENGTH, 0))) {
            behindReceived[0] = behindReceived[0] || isOver(connection, net, behind.get());
            session.check(
                behindSent[0] || !behindReceived[0],
                "a receive without a hint, behind %d with one, was complete before its message",
                messages);
          }
        };
    for (int i = 0; i <= messages; i++) {
      long offset = i % messages * LENGTH;
      behindSent[0] = i == messages;
      Request sending = connection.isend(fromMr, offset, LENGTH, SlotTraffic.TAG, test);
      Flag sent = new Flag();
      session.await(
          "NET-TEST-05",
          "a send to a receive with a hint to be complete",
          () -> {
            test.run();
            return sent.by(() -> connection.testSend(sending, null));
          });
    }
    session.await(
        "NET-TEST-05",
        "receives with a hint to be complete",
        () -> {
          test.run();
          for (boolean each : received) {
            if (!each) {
              return false;
            }
          }
          return behindReceived[0];
        });
  }

  @Rule("NET-SEND-12")
  void aMessageThatIsTooLongIsRefused(NetSession session) {
    requireLongest(session);
    long most = session.properties(0).maxP2pBytes();
    if (most >= MOST_MAPPED) {
      throw session.skip("maxP2pBytes is " + most + ", more than the kit maps");
    }
    refusesLonger(session, session.connect(), most);
  }

  /** Each device has a longest message of its own, also a virtual one. */
  @Rule(value = "NET-SEND-12", needs = Need.TWO_DEVICES)
  void theLongestMessageIsThatOfTheDeviceOfTheComm(NetSession session) {
    requireLongest(session);
    for (UnlikeDevice unlike :
        UnlikeDevice.all(session, "maxP2pBytes", NetProperties::maxP2pBytes)) {
      if (unlike.limit() >= MOST_MAPPED) {
        session.note(
            "maxP2pBytes of device %d is %d, more than the kit maps"
                .formatted(unlike.device(), unlike.limit()));
        continue;
      }
      ConnectAttempts.asOwn(
          session,
          "on device " + unlike.device() + ", ",
          () -> refusesLonger(session, unlike.connect(session), unlike.limit()));
    }
  }

  private static void requireLongest(NetSession session) {
    if (session.lane().presented() < TELLS_LONGEST) {
      throw session.skip(
          "version " + session.lane().presented() + " has no maxP2pBytes: see NET-SEND-06");
    }
  }

  private static void refusesLonger(NetSession session, NetConnection connection, long most) {
    List<Long> lengths = new ArrayList<>(List.of(most + 1));
    // Its low 32 bits are a small number. Old versions cannot register so much.
    long cutToLittle = (1L << 32) + SHORT;
    if (most < cutToLittle && Math.min(FreeMemory.available(), Reserved.room()) > 2 * cutToLittle) {
      lengths.add(cutToLittle);
    }
    MemoryHandle mr = null;
    while (mr == null) {
      try {
        MemorySegment reserved = Reserved.map(session, lengths.getLast());
        mr = connection.sender().regMr(connection.send(), Memory.ofHost(reserved));
      } catch (NetException | UncheckedIOException e) {
        long refused = lengths.removeLast();
        if (lengths.isEmpty()) {
          throw session.skip("regMr of " + refused + " bytes: " + e.getMessage());
        }
      }
    }
    MemoryHandle registered = mr;
    for (long length : lengths) {
      session.expect(
          "isend of " + length + " bytes, where maxP2pBytes is " + most,
          () ->
              connection.sender().isend(connection.send(), registered, 0, length, SlotTraffic.TAG),
          ResultCode.INVALID_ARGUMENT);
    }
    connection.transfer(Math.min(LENGTH, most));
  }

  @Rule("NET-REG-14")
  void aRegistrationIsGoodForAllCommsOfItsDevice(NetSession session) {
    if (!session.properties(0).regIsGlobal()) {
      throw session.skip("device 0 does not declare regIsGlobal");
    }
    int there = session.receivingDevice();
    if (there != 0) {
      throw session.skip("the kit was asked to send from device 0 to device " + there);
    }
    long length = session.cut(LENGTH);
    NetConnection oldest = session.connect();
    NetConnection owner = session.connect();
    NetConnection older = session.connect();
    GuardedArea from = session.area(length);
    GuardedArea to = session.area(length);
    MemoryHandle fromMr = owner.registerSend(from);
    MemoryHandle toMr = owner.registerRecv(to);
    NetConnection younger = session.connect();
    passes(session, "on a connection older than their own", oldest, fromMr, toMr, from, to);
    passes(session, "on one between their own and themselves", older, fromMr, toMr, from, to);
    passes(session, "on a connection younger than they are", younger, fromMr, toMr, from, to);
    passes(session, "on their own", owner, fromMr, toMr, from, to);
    // A close undoes the registrations of its own comm alone.
    older.closeSend();
    older.closeRecv();
    younger.closeRecv();
    younger.closeSend();
    NetConnection youngest = session.connect();
    passes(session, "after others have closed", youngest, fromMr, toMr, from, to);
    passes(session, "on their own, after others have closed", owner, fromMr, toMr, from, to);
    owner.transfer(LENGTH);
  }

  /** Sends a message with two handles on a connection that need not be their own. */
  private static void passes(
      NetSession session,
      String where,
      NetConnection user,
      MemoryHandle fromMr,
      MemoryHandle toMr,
      GuardedArea from,
      GuardedArea to) {
    long length = from.size();
    long seed = session.random().nextLong();
    from.fill(seed);
    @Nullable Request[] requests = new Request[2];
    session.await(
        "NET-REG-14",
        "a receive and a send with global handles " + where,
        () -> {
          if (requests[0] == null) {
            MemoryHandle[] mrs = {toMr};
            requests[0] =
                session.step(
                    "NET-REG-14",
                    "irecv with a global handle " + where,
                    () ->
                        user.receiver()
                            .irecv(
                                user.recv(),
                                1,
                                mrs,
                                new long[1],
                                new long[] {length},
                                new int[] {SlotTraffic.TAG}));
          }
          if (requests[1] == null) {
            requests[1] =
                session.step(
                    "NET-REG-14",
                    "isend with a global handle " + where,
                    () -> user.sender().isend(user.send(), fromMr, 0, length, SlotTraffic.TAG));
          }
          return requests[0] != null && requests[1] != null;
        });
    user.finish(Objects.requireNonNull(requests[1]), Objects.requireNonNull(requests[0]), 1);
    long wrong = to.firstDifference(0, length, seed);
    session.check(wrong < 0, "a message arrived wrong at byte %d, %s", wrong, where);
  }
}
