// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.AllReduce;
import io.nitinol.tck.scene.CloseBound;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Resources;
import io.nitinol.tck.session.Seen;
import io.nitinol.tck.session.TestedCollNet;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The contexts of communicators: NET-INIT-08 to NET-INIT-12. */
public final class ContextRules {
  private static final long ONE = 41;
  private static final long LENGTH = 4096;

  /** More than the threads and descriptors that the JVM itself may add meanwhile. */
  private static final int MANY = 40;

  /** More than a long has bits, twice. */
  private static final int YOUNG = 130;

  private static final int AT_ONCE = 10;

  /** A plugin may take its time for an init. */
  private static final long ENOUGH = TimeUnit.SECONDS.toNanos(5);

  /** NCCL takes a number of 64 bits by chance. */
  private static final long[] COMM_IDS = {
    0, 1L << 31, -(1L << 31) - 1, Long.MAX_VALUE, Long.MIN_VALUE
  };

  /** Two calls that end just before the kit gives them up, in each of three tries. */
  private static final int MOST = 90;

  @Rule(value = "NET-INIT-09", needs = Need.V11)
  void contextsOfOneCommIdAreApart(NetSession session) {
    TestedNet first = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    TestedNet second = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    Set<NetContext> contexts = Collections.newSetFromMap(new IdentityHashMap<>());
    contexts.addAll(List.of(context(first), context(second), context(session.net())));
    session.check(contexts.size() == 3, "two inits returned the same context");
    InitialisationRules.works(
        session,
        "connections in and between contexts",
        () -> {
          transfer(session, first, first);
          transfer(session, second, second);
          transfer(session, first, second);
          transfer(session, second, session.net());
        });
  }

  @Rule(value = "NET-INIT-09", needs = Need.V11)
  void anOldContextWorksAfterManyYoungOnes(NetSession session) {
    TestedNet old = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    NetListening listening = session.listen(old, 0);
    Deque<TestedNet> open = new ArrayDeque<>();
    long start = System.nanoTime();
    int made = 0;
    while (made < YOUNG && System.nanoTime() - start < ENOUGH) {
      open.add(session.anotherContext(made % 2 == 0 ? ONE : made, NetCommConfig.DEFAULT));
      made++;
      if (open.size() > AT_ONCE) {
        session.run("NET-INIT-08", "finalize", open.remove()::finish);
      }
    }
    if (made < YOUNG) {
      session.note("the kit has opened %d contexts, not %d: init is slow".formatted(made, YOUNG));
    }
    for (TestedNet young : open) {
      session.run("NET-INIT-08", "finalize", young::finish);
    }
    InitialisationRules.works(
        session,
        "a context that is open, after " + made + " younger ones have ended,",
        () -> {
          session.connect(old, 0, listening).transfer(LENGTH);
          transfer(session, old, old);
          transfer(session, session.net(), session.net());
        });
  }

  @Rule(value = "NET-INIT-09", needs = Need.V11)
  void anyNumberNamesACommunicator(NetSession session) {
    for (long commId : COMM_IDS) {
      ConnectAttempts.asOwn(
          session,
          "with commId " + commId + ", ",
          () -> {
            TestedNet net = session.anotherContext(commId, NetCommConfig.DEFAULT);
            transfer(session, net, net);
            session.run("NET-INIT-08", "finalize", net::finish);
          });
    }
  }

  @Rule(value = "NET-INIT-08", needs = Need.V11)
  void finalizeEndsOneContextAlone(NetSession session) {
    NetConnection before = session.connect();
    before.transfer(LENGTH);
    TestedNet other = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    NetListening listening = session.listen(other, 0);
    NetConnection there = session.connect(other, 0, listening);
    there.transfer(LENGTH);
    there.close();
    listening.close();
    session.run("NET-INIT-08", "finalize", other::finish);
    InitialisationRules.works(
        session, "a message on a comm of another context", () -> before.transfer(LENGTH));
    InitialisationRules.works(
        session, "a new connection in another context", () -> session.connect().transfer(LENGTH));
    TestedNet again = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    InitialisationRules.works(
        session,
        "a connection in a context that was opened afterwards",
        () -> transfer(session, again, again));
  }

  /** An attempt to connect belongs to its context, as a comm does. */
  @Rule(value = "NET-INIT-08", needs = Need.V11)
  void attemptsOfOtherContextsGoOn(NetSession session) {
    NetListening listening = session.listen(0);
    MemorySegment handle = session.copyOf(listening.handle());
    TestedNet other = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    SendComm early = session.step("NET-CONN-07", "connect", () -> session.net().connect(0, handle));
    if (early != null) {
      session.atEnd(() -> session.net().closeSend(early));
      throw session.skip("connect returns a comm at once, so no attempt is under way");
    }
    session.run("NET-INIT-08", "finalize", other::finish);
    ConnectAttempts.driveBoth(session, listening, () -> session.net().connect(0, handle))
        .transfer(LENGTH);
  }

  /** Nobody says that an attempt was abandoned, so finalize cannot wait for its end. */
  @Rule(value = "NET-INIT-08", needs = Need.V11, seconds = MOST)
  void finalizeWaitsForNoAbandonedAttempt(NetSession session) {
    for (boolean own : new boolean[] {true, false}) {
      CloseBound.check(session, watch -> finalizeAfterAnAttempt(session, watch, own));
    }
  }

  private static void finalizeAfterAnAttempt(NetSession session, CloseBound watch, boolean own) {
    NetListening listening = session.listen(0);
    TestedNet ending = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    TestedNet trying = own ? ending : session.net();
    MemorySegment handle = ConnectAttempts.lastingCopy(listening.handle());
    SendComm early = session.step("NET-CONN-07", "connect", () -> trying.connect(0, handle));
    if (early != null) {
      session.run("NET-CLOSE-02", "closeSend", () -> trying.closeSend(early));
      throw session.skip("connect returns a comm at once, so no attempt is under way");
    }
    watch.timed(
        "finalize after an attempt to connect in "
            + (own ? "this context" : "another context")
            + " was abandoned",
        () -> session.run("NET-INIT-08", "finalize", ending::finish));
    listening.close();
  }

  @Rule(value = "NET-INIT-08", needs = Need.V11)
  void afterTheLastContextThereCanBeAnother(NetSession session) {
    TestedNet instance = session.another();
    NetListening listening = session.listen(instance, 0);
    NetConnection connection = session.connect(instance, 0, listening);
    connection.transfer(LENGTH);
    connection.close();
    listening.close();
    session.run("NET-INIT-08", "finalize of the last context", instance::finish);
    session.run(
        "NET-INIT-08", "init after the last finalize", () -> instance.init(session.terms().log()));
    InitialisationRules.works(
        session,
        "a connection after the instance had no context",
        () -> transfer(session, instance, instance));
  }

  @Rule(value = "NET-INIT-11", needs = Need.V11)
  void aDeadContextIsRefused(NetSession shared) {
    // What a refusal must not do to the other contexts would be named by the tests that follow.
    shared.newest();
    try (NetSession session = shared.afresh()) {
      refusesDeadContexts(session);
    }
  }

  private static void refusesDeadContexts(NetSession session) {
    TestedNet other = session.anotherContext(ONE, NetCommConfig.DEFAULT);
    NetContext dead = context(other);
    session.run("NET-INIT-08", "finalize", other::finish);
    NetContext theirs = context(session.another());
    refused(session, "that was finalized", dead);
    refused(session, "of another instance", theirs);
    refused(session, "of no plugin", new NetContext() {});
  }

  private static void refused(NetSession session, String what, NetContext wrong) {
    TestedNet.Newest newest = session.newest();
    NetListening listening = session.listen(0);
    session.expect(
        "listen in a context " + what,
        () -> newest.net().listen(wrong, 0, session.handle()),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "connect in a context " + what,
        () ->
            newest.net().connect(wrong, 0, session.copyOf(listening.handle()), new DeviceHandle[1]),
        ResultCode.INVALID_ARGUMENT);
    session.expect(
        "finalize of a context " + what,
        () -> newest.net().finalizeContext(wrong),
        ResultCode.INVALID_ARGUMENT);
    InitialisationRules.works(
        session,
        "the context that is open, after calls were refused in one " + what,
        () -> transfer(session, session.net(), session.net()));
    session.check(
        session.net().devices() == session.devices(),
        "devices is %d after calls were refused in a context %s, was %d",
        session.net().devices(),
        what,
        session.devices());
  }

  @Rule(value = "NET-INIT-12", needs = Need.V11)
  void aTrafficClassIsUsedOrRefused(NetSession shared) {
    shared.newest();
    try (NetSession session = shared.afresh()) {
      asksForClasses(session);
    }
  }

  private static void asksForClasses(NetSession session) {
    for (int wanted : new int[] {0, 106, Integer.MAX_VALUE}) {
      NetCommConfig config = new NetCommConfig(wanted);
      Net plugin = session.newest().net();
      try {
        plugin.finalizeContext(plugin.init(ONE, config, session.terms().log(), null));
      } catch (NetException e) {
        session.code(
            session.terms().rule(),
            "init with traffic class " + wanted,
            e,
            ResultCode.INVALID_USAGE);
        isOfOneContext(session, wanted);
        continue;
      }
      TestedNet asking = session.anotherContext(ONE, config);
      isOfOneContext(session, wanted);
      connect(session, asking, wanted);
      isOfOneContext(session, wanted);
    }
  }

  /** The class is that of the context that asked for it (NET-INIT-09). */
  private static void isOfOneContext(NetSession session, int wanted) {
    InitialisationRules.works(
        session,
        "a connection in a context that asked for no class, after an init with class " + wanted,
        () -> transfer(session, session.net(), session.net()));
  }

  /** A plugin may begin with its work before it looks at the class. */
  @Rule(
      value = "NET-INIT-02",
      needs = {Need.V11, Need.PROC},
      in = Placement.PROCESS)
  void aRefusedClassLeavesNothing(NetSession session) {
    Net plugin = session.newest().net();
    session.connect().transfer(LENGTH);
    boolean[] refused = new boolean[1];
    Runnable asking =
        () -> {
          NetCommConfig config = new NetCommConfig(Integer.MAX_VALUE);
          NetContext context;
          try {
            context = plugin.init(ONE, config, session.terms().log(), null);
          } catch (NetException e) {
            refused[0] = true;
            return;
          }
          session.run("NET-INIT-08", "finalize", () -> plugin.finalizeContext(context));
        };
    asking.run();
    if (!refused[0]) {
      throw session.skip("init refuses no traffic class");
    }
    Resources before = Resources.now();
    for (int i = 0; i < MANY; i++) {
      asking.run();
    }
    checkRestored(session, before, "threads", Resources::threads);
    checkRestored(session, before, "descriptors", Resources::descriptors);
    isOfOneContext(session, Integer.MAX_VALUE);
  }

  private static void checkRestored(
      NetSession session, Resources before, String what, ToIntFunction<Resources> figure) {
    session.check(
        before.awaitRestored(session, figure),
        "%d inits that were refused for their traffic class have left %s: %d, before them %d",
        MANY,
        what,
        figure.applyAsInt(Resources.now()),
        figure.applyAsInt(before));
  }

  /** Any call of connect may refuse, not only the first. */
  private static void connect(NetSession session, TestedNet net, int wanted) {
    NetListening listening = session.listen(net, 0);
    MemorySegment handle = session.copyOf(listening.handle());
    Seen<SendComm> send = new Seen<>();
    Seen<RecvComm> recv = new Seen<>();
    @Nullable NetException[] refusal = new NetException[1];
    session.await(
        "NET-CONN-09",
        "a connection with traffic class " + wanted,
        () -> {
          boolean accepted =
              recv.by(
                  () -> session.step("NET-CONN-09", "accept", () -> net.accept(listening.comm())));
          try {
            return send.by(() -> net.connect(0, handle)) && accepted;
          } catch (NetException e) {
            refusal[0] = e;
            return true;
          }
        });
    NetException refused = refusal[0];
    if (refused == null) {
      session.connection(net, send.get(), recv.get()).transfer(LENGTH);
      return;
    }
    RecvComm half = recv.orNull();
    if (half != null) {
      session.run("NET-CLOSE-06", "closeRecv", () -> net.closeRecv(half));
    }
    session.code(
        session.terms().rule(),
        "connect with traffic class " + wanted,
        refused,
        ResultCode.INVALID_USAGE);
  }

  @Rule(value = "NET-INIT-08", needs = Need.V11)
  void finalizeEndsOneContextAloneOfACollNet(CollSession session) {
    TestedCollNet other = session.anotherContext(ONE);
    AllReduce.once(session, session.connect(session.listeners(List.of(other, other))));
    AllReduce.once(session, session.connect(2));
    TestedCollNet third = session.anotherContext(ONE);
    session.run("NET-INIT-08", "finalize", third::finish);
    InitialisationRules.works(
        session,
        "a group beside a context that was finalized",
        () -> AllReduce.once(session, session.connect(2)));
  }

  @Rule(value = "NET-INIT-09", needs = Need.V11)
  void contextsOfACollNetAreApart(CollSession session) {
    TestedCollNet first = session.anotherContext(ONE);
    TestedCollNet second = session.anotherContext(ONE);
    Set<NetContext> contexts = Collections.newSetFromMap(new IdentityHashMap<>());
    for (TestedCollNet net : List.of(first, second, session.net())) {
      contexts.add(Objects.requireNonNull(net.newest()).context());
    }
    session.check(contexts.size() == 3, "two inits returned the same context");
    AllReduce.once(session, session.connect(session.listeners(List.of(first, second))));
    AllReduce.once(session, session.connect(session.listeners(List.of(second, session.net()))));
  }

  @Rule(value = "NET-INIT-09", needs = Need.V11)
  void anyNumberNamesACommunicatorOfACollNet(CollSession session) {
    for (long commId : COMM_IDS) {
      ConnectAttempts.asOwn(
          session,
          "with commId " + commId + ", ",
          () -> {
            TestedCollNet net = session.anotherContext(commId);
            AllReduce.once(session, session.connect(session.listeners(List.of(net, net))));
          });
    }
  }

  @Rule(value = "NET-INIT-11", needs = Need.V11)
  void aDeadContextIsRefusedByACollNet(CollSession session) {
    TestedCollNet other = session.anotherContext(ONE);
    NetContext dead = Objects.requireNonNull(other.newest()).context();
    session.run("NET-INIT-08", "finalize", other::finish);
    for (NetContext wrong : List.of(dead, new NetContext() {})) {
      session.expect(
          "listen in a context that is not open here",
          () -> session.newest().net().listen(wrong, 0, session.handle()),
          ResultCode.INVALID_ARGUMENT);
      session.expect(
          "finalize of a context that is not open here",
          () -> session.newest().net().finalizeContext(wrong),
          ResultCode.INVALID_ARGUMENT);
    }
    AllReduce.once(session, session.connect(2));
  }

  private static NetContext context(TestedNet net) {
    return Objects.requireNonNull(net.newest()).context();
  }

  private static void transfer(NetSession session, TestedNet from, TestedNet to) {
    NetListening listening = session.listen(to, 0);
    NetConnection connection = session.connect(from, 0, listening);
    connection.transfer(LENGTH);
    connection.close();
    listening.close();
  }
}
