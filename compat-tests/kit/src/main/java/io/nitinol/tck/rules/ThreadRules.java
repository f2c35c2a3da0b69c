// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.scene.MessageSeries;
import io.nitinol.tck.scene.NumberedMessages;
import io.nitinol.tck.scene.ThreadBarrier;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.PostedReceives;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.tck.solo.Errand;
import io.nitinol.tck.solo.Solo;
import io.nitinol.tck.solo.SoloResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which calls may run at once, and on which threads. */
public final class ThreadRules {
  private static final int COUNT = 4;
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);
  private static final int LONGEST = 20_000;

  /** Fewer messages than a counter of 16 bits tells apart, which the tests are not about. */
  private static final int NUMBERED = 50_000;

  private static final int AT_A_TIME = 500;

  /** Enough that two threads are in the same few instructions at once, even on two processors. */
  private static final long SIDE_BY_SIDE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /**
   * The least time for which messages run beside registrations; they run on until enough of them
   * have met one, or until BESIDE_NANOS.
   */
  private static final long DRIVEN_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  /** How many registrations a comm has that are older than those of its messages. */
  private static final int OLDER = 32;

  private static final long UNDONE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int BESIDE_MESSAGES = 200;
  private static final long BESIDE_NANOS = TimeUnit.SECONDS.toNanos(3);

  @Rule("NET-THREAD-01")
  void devicesAreAskedAndListenedOnByManyThreads(NetSession session) {
    NetProperties before = session.properties(0);
    together(
        session,
        thread -> {
          int device = thread % session.devices();
          for (int i = 0; i < 30; i++) {
            NetProperties seen = session.net().getProperties(device);
            session.check(
                device != 0 || before.name().equals(seen.name()),
                "device 0 was %s and is %s",
                before,
                seen);
            NetListening listening = session.listen(device);
            session.check(
                !isZero(listening), "listen beside others left the handle empty, call %d", i);
            listening.close();
          }
        });
  }

  @Rule("NET-THREAD-01")
  void manyThreadsConnectAtOnce(NetSession session) {
    List<NetListening> listeners = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      listeners.add(session.listen(i % session.devices()));
    }
    Queue<NetConnection> made = new ConcurrentLinkedQueue<>();
    together(
        session,
        thread -> {
          for (int i = 0; i < 8; i++) {
            int device = thread % session.devices();
            made.add(session.connect(session.net(), device, listeners.get(thread)));
          }
        });
    made.forEach(connection -> connection.transfer(256));
  }

  @Rule("NET-THREAD-02")
  void commsAreDrivenByAThreadEach(NetSession session) {
    ReceivingRules.requireSizes(session);
    NetConnection[] connections = new NetConnection[COUNT];
    for (int i = 0; i < COUNT; i++) {
      connections[i] = session.connect();
    }
    long seed = session.random().nextLong();
    int longest = session.cut(LONGEST);
    together(
        session,
        thread -> {
          // Other lengths than those of the other threads, so that nobody takes theirs unnoticed.
          MessageSeries messages = new MessageSeries(session, connections[thread], longest);
          Random random = new Random(seed + thread);
          for (int i = 0; i < 200; i++) {
            messages.send(thread * 1_000L + i, 1L + random.nextInt(longest));
          }
          NumberedMessages small = new NumberedMessages(session, connections[thread], thread * 11);
          long start = System.nanoTime();
          for (int i = 0; i < NUMBERED; i += AT_A_TIME) {
            small.pass(AT_A_TIME);
            if (System.nanoTime() - start > SIDE_BY_SIDE_NANOS) {
              break;
            }
          }
        });
  }

  /** Sends on one thread, receives on another: two comms of one instance. */
  @Rule("NET-THREAD-02")
  void bothEndsAreDrivenByAThreadEach(NetSession session) {
    session.needsBytes(4096);
    NetConnection connection = session.connect();
    GuardedArea from = session.area(4096);
    GuardedArea to = session.area(4096);
    long seed = session.random().nextLong();
    from.fill(seed);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    together(
        session,
        thread -> {
          if (thread == 0) {
            for (int i = 0; i < 200; i++) {
              connection.finishSend(connection.isend(fromMr, 0, 4096, 0));
            }
          } else if (thread == 1) {
            for (int i = 0; i < 200; i++) {
              to.set((byte) 0);
              int[] sizes = connection.finishRecv(connection.irecv(toMr, 0, 4096, 0), 1);
              session.check(
                  sizes[0] == 4096 && to.firstDifference(0, 4096, seed) < 0,
                  "message %d between two threads arrived wrong, as %d bytes",
                  i,
                  sizes[0]);
            }
          }
        });
  }

  @Rule("NET-THREAD-02")
  void listenersAreDrivenByAThreadEach(NetSession session) {
    List<NetListening> listeners = new ArrayList<>();
    for (int i = 0; i < COUNT * 8; i++) {
      listeners.add(session.listen(0));
    }
    Queue<NetConnection> made = new ConcurrentLinkedQueue<>();
    together(
        session,
        thread -> {
          for (int i = thread; i < listeners.size(); i += COUNT) {
            made.add(session.connect(session.net(), 0, listeners.get(i)));
            listeners.get(i).close();
          }
        });
    made.forEach(connection -> connection.transfer(256));
  }

  @Rule("NET-THREAD-04")
  void memoryIsRegisteredWhileTheCommIsDriven(NetSession session) {
    session.needsBytes(4096);
    NetConnection connection = session.connect();
    MessageSeries messages =
        new MessageSeries(session, connection, 4096); // registers, as nobody else yet
    GuardedArea area = session.area(64 * 4096);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger registered = new AtomicInteger();
    SideThread registering =
        SideThread.start(
            "registering",
            () -> {
              while (!stop.get()) {
                register(session, connection, area);
                registered.incrementAndGet();
              }
            });
    try {
      long start = System.nanoTime();
      int beside = 0;
      // On a busy machine the two threads run by turns for long: then nothing has been tried yet.
      for (int i = 0;
          i < 300
              || (i < NUMBERED
                  && (System.nanoTime() - start < DRIVEN_NANOS
                      || (beside < BESIDE_MESSAGES && System.nanoTime() - start < BESIDE_NANOS)));
          i++) {
        int before = registered.get();
        messages.send(i);
        if (registered.get() > before) {
          beside++;
        }
        registering.check();
      }
    } catch (RuntimeException e) {
      throw session.broken("beside regMr and deregMr of another thread: " + e.getMessage());
    } finally {
      stop.set(true);
    }
    registering.join(session.patient(LIMIT));
    session.check(registered.get() > 0, "regMr beside messages has never returned");
    olderOnesAreUndoneWhileTheCommIsDriven(session, connection);
  }

  /** Registrations older than those in use are undone by another thread, round by round. */
  private static void olderOnesAreUndoneWhileTheCommIsDriven(
      NetSession session, NetConnection connection) {
    GuardedArea area = session.area(OLDER * 64L);
    MessageSeries messages = new MessageSeries(session, connection, 64);
    AtomicReference<@Nullable List<Runnable>> work = new AtomicReference<>();
    AtomicBoolean stop = new AtomicBoolean();
    SideThread undoing =
        SideThread.start(
            "undoing",
            () -> {
              while (!stop.get()) {
                List<Runnable> undo = work.get();
                if (undo == null) {
                  Thread.yield();
                } else {
                  undo.forEach(Runnable::run);
                  work.set(null);
                }
              }
            });
    long start = System.nanoTime();
    try {
      for (int message = 0; message == 0 || System.nanoTime() - start < UNDONE_NANOS; ) {
        List<Runnable> undo = older(connection, area);
        messages.registerAgain();
        work.set(undo);
        while (work.get() != null) {
          messages.send(message++);
          undoing.check();
        }
      }
    } catch (RuntimeException e) {
      throw session.broken(
          "beside deregMr of older registrations on another thread: " + e.getMessage());
    } finally {
      stop.set(true);
    }
    undoing.join(session.patient(LIMIT));
  }

  private static List<Runnable> older(NetConnection connection, GuardedArea area) {
    List<Runnable> undo = new ArrayList<>();
    for (int i = 0; i < OLDER; i++) {
      Memory memory = Memory.ofHost(area.segment().asSlice(i * 64L, 64));
      TestedNet sender = connection.sender();
      TestedNet receiver = connection.receiver();
      MemoryHandle sendMr = sender.regMr(connection.send(), memory);
      MemoryHandle recvMr = receiver.regMr(connection.recv(), memory);
      undo.add(() -> sender.deregMr(connection.send(), sendMr));
      undo.add(() -> receiver.deregMr(connection.recv(), recvMr));
    }
    return undo;
  }

  private static void register(NetSession session, NetConnection connection, GuardedArea area) {
    try {
      TestedNet sender = connection.sender();
      TestedNet receiver = connection.receiver();
      MemoryHandle sendMr = sender.regMr(connection.send(), area.memory());
      sender.deregMr(connection.send(), sendMr);
      MemoryHandle recvMr = receiver.regMr(connection.recv(), area.memory());
      receiver.deregMr(connection.recv(), recvMr);
    } catch (RuntimeException e) {
      throw session.broken("registration while another thread drives the comm failed: " + e);
    }
  }

  @Rule("NET-THREAD-05")
  void everyCallIsMadeByAnotherThread(NetSession session) {
    session.needsBytes(4096);
    GuardedArea from = session.area(4096);
    GuardedArea to = session.area(4096);
    long seed = session.random().nextLong();
    from.fill(seed);
    NetListening listening = elsewhere(session, () -> session.listen(0));
    NetConnection connection =
        elsewhere(session, () -> session.connect(session.net(), 0, listening));
    MemoryHandle fromMr = elsewhere(session, () -> connection.registerSend(from));
    MemoryHandle toMr = elsewhere(session, () -> connection.registerRecv(to));
    for (int i = 0; i < 5; i++) {
      to.set((byte) 0);
      Request receiving = elsewhere(session, () -> connection.irecv(toMr, 0, 4096, 0));
      Request sending = elsewhere(session, () -> connection.isend(fromMr, 0, 4096, 0, receiving));
      boolean[] done = new boolean[2];
      session.await(
          session.terms().rule(),
          "message " + i + " tested by a new thread each time",
          () -> {
            done[0] = done[0] || elsewhere(session, () -> connection.testSend(sending, null));
            done[1] = done[1] || elsewhere(session, () -> connection.testRecv(receiving, null));
            return done[0] && done[1];
          });
      long wrong = to.firstDifference(0, 4096, seed);
      session.check(wrong < 0, "message %d arrived wrong at byte %d", i, wrong);
    }
    for (Runnable close :
        List.<Runnable>of(
            () -> connection.sender().deregMr(connection.send(), fromMr),
            () -> connection.receiver().deregMr(connection.recv(), toMr),
            connection::closeSend,
            connection::closeRecv,
            listening::close)) {
      elsewhere(
          session,
          () -> {
            close.run();
            return true;
          });
    }
  }

  /** A comm goes from thread to thread with operations in flight. */
  @Rule("NET-THREAD-05")
  void aCommIsPassedOnInFlight(NetSession session) {
    session.needsBytes(4096);
    NetConnection connection = session.connect();
    int count = 8;
    GuardedArea from = session.area(count * 4096L);
    GuardedArea to = session.area(count * 4096L);
    long seed = session.random().nextLong();
    from.fill(seed);
    MemoryHandle fromMr = connection.registerSend(from);
    MemoryHandle toMr = connection.registerRecv(to);
    PostedReceives receives = new PostedReceives(connection);
    Request[] sends = new Request[count];
    for (int i = 0; i < count; i++) {
      int at = i;
      receives.add(elsewhere(session, () -> connection.irecv(toMr, at * 4096L, 4096, at)));
    }
    for (int i = 0; i < count; i++) {
      int at = i;
      sends[i] =
          elsewhere(
              session,
              () -> connection.isend(fromMr, at * 4096L, 4096, at, () -> receives.testOldest(at)));
    }
    for (int i = 0; i < count; i++) {
      int at = i;
      elsewhere(session, () -> receives.finish(session, sends[at], at));
    }
    long wrong = to.firstDifference(0, count * 4096L, seed);
    session.check(wrong < 0, "what several threads sent arrived wrong at byte %d", wrong);
  }

  @Rule(value = "NET-THREAD-07", needs = Need.SOLO, withoutDevices = true)
  void threadsAreDaemonsNamedAfterThePlugin(Session session) {
    SoloResult seen = Solo.run(session, Errand.WORK);
    String plugin = String.join("", seen.all("name"));
    session.check(seen.all("held").isEmpty(), "threads that are no daemons: %s", seen.all("held"));
    if (session.plugin().isLibrary(session.lane())) {
      return; // the library names its threads itself, in 15 characters at most
    }
    List<String> carriers = session.lane().kind() == Kind.COLLNET ? networks() : List.of();
    for (String thread : seen.all("thread")) {
      session.check(
          thread.startsWith(plugin) || carriers.stream().anyMatch(thread::startsWith),
          "the thread \"%s\" is not named after the plugin, \"%s\"",
          thread,
          plugin);
    }
  }

  /** Returns the names of this program's networks; any of them may move a CollNet's bytes. */
  private static List<String> networks() {
    return PluginCatalog.process().describe().stream()
        .filter(each -> each.kind() == PluginKind.NET && each.state() != PluginState.REJECTED)
        .map(PluginDescription::name)
        .toList();
  }

  @Rule(value = "NET-CLOSE-09", needs = Need.SOLO, withoutDevices = true)
  void theProcessEndsWithEverythingOpen(Session session) {
    SoloResult seen = Solo.run(session, Errand.LEAVE_OPEN);
    session.check(
        seen.ended(),
        "a process whose main has returned is still there after 10 s; threads that are no daemons:"
            + " %s",
        seen.all("held"));
    session.check(
        seen.status() == 0, "a process whose main returned ended with status %d", seen.status());
  }

  /** Runs the work on another thread while this one waits. */
  private static <T> T elsewhere(NetSession session, Supplier<T> work) {
    AtomicReference<T> result = new AtomicReference<>();
    try {
      SideThread.start("elsewhere", () -> result.set(work.get())).join(session.patient(LIMIT));
    } catch (RuntimeException e) {
      throw session.broken("a call on a thread that made none before failed: " + e.getMessage());
    }
    return result.get();
  }

  private static void together(NetSession session, IntConsumer work) {
    CyclicBarrier start = new CyclicBarrier(COUNT);
    List<SideThread> threads = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      int number = i;
      threads.add(
          SideThread.start(
              "thread-" + i,
              () -> {
                ThreadBarrier.at(start);
                work.accept(number);
              }));
    }
    RuleViolation first = null;
    Inapplicable none = null;
    for (SideThread thread : threads) {
      try {
        thread.join(session.patient(LIMIT));
      } catch (Inapplicable e) {
        none = e; // what another thread has seen counts
      } catch (RuntimeException e) {
        if (first == null) {
          first = session.broken(COUNT + " threads at once: " + e.getMessage());
        }
      }
    }
    if (first != null) {
      throw first;
    }
    if (none != null) {
      throw none;
    }
  }

  private static boolean isZero(NetListening listening) {
    return listening
            .handle()
            .mismatch(MemorySegment.ofArray(new byte[(int) listening.handle().byteSize()]))
        < 0;
  }
}
