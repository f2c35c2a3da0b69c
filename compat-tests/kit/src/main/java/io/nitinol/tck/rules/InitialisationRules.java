// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.LogLevel;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.tck.solo.Errand;
import io.nitinol.tck.solo.Solo;
import io.nitinol.tck.solo.SoloResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starting: once, beside others, without hardware, and within a bound. */
public final class InitialisationRules {
  private static final int ATTEMPTS = 8;
  private static final long CONNECT = TimeUnit.SECONDS.toNanos(60);

  /** Checks that init and devices return; every session begins with these calls. */
  @Rule(value = "NET-INIT-03", withoutDevices = true)
  void whatIsMissingIsLogged(Session session) {
    if (session.devices() > 0) {
      throw session.skip("nothing is missing here: there are " + session.devices() + " devices");
    }
    CommonNet fresh = session.create();
    session.run("NET-INIT-03", "init", () -> fresh.init(session.terms().log()));
    boolean said =
        session.terms().log().lines().stream()
            .anyMatch(line -> line.level() == LogLevel.INFO || line.level() == LogLevel.WARN);
    if (!said && session.plugin().isLibrary(session.lane())) {
      session.note("devices is 0, and no line at INFO says what is missing, as Nitinol expects");
      return;
    }
    session.check(said, "devices is 0, and no line at INFO says what is missing");
  }

  @Rule(value = "NET-INIT-04", withoutDevices = true, seconds = 70)
  void initEndsInTime(Session session) {
    CommonNet fresh = session.create();
    long start = System.nanoTime();
    session.run("NET-INIT-03", "init", () -> fresh.init(session.terms().log()));
    long nanos = System.nanoTime() - start;
    session.check(
        nanos < session.patient(CONNECT),
        "init took %d ms, expected 60,000 at most",
        nanos / 1_000_000);
  }

  @Rule(value = "NET-INIT-04", needs = Need.PROCESSES)
  void initWaitsForNoOtherProcess(NetSession session) {
    NetListening listening = session.listen(0);
    NetConnection connection = session.connect(session.net(), 0, listening);
    Peer peer = Peer.startNew(session);
    connection.transfer(64);
    peer.release();
  }

  /** Calls init with hardly a descriptor left, so that one open or another fails. */
  @Rule(
      value = "NET-INIT-02",
      needs = {Need.SOLO, Need.PROC},
      withoutDevices = true)
  void aFailedInitLeavesNothing(Session session) {
    SoloResult seen = Solo.run(session, Errand.INITIALIZE_STARVED);
    if (seen.all("attempts").isEmpty()) {
      throw session.skip("init could not be made to fail: it works without free descriptors");
    }
    for (String line : seen.all("attempts")) {
      String[] words = line.split(" ", 3);
      int descriptors = Integer.parseInt(words[1]);
      int threads = Integer.parseInt(words[2]);
      session.check(
          descriptors < ATTEMPTS && threads < ATTEMPTS,
          "%d inits that failed with %s descriptors left have left %d descriptors and %d threads",
          ATTEMPTS,
          words[0],
          descriptors,
          threads);
    }
  }

  @Rule(value = "NET-INIT-07", needs = Need.SOLO, withoutDevices = true)
  void nothingIsPrinted(Session session) {
    SoloResult seen = Solo.run(session, Errand.WORK);
    session.check(
        seen.printed().isEmpty(),
        "%d lines on stdout and stderr, the first: %s",
        seen.printed().size(),
        seen.printed().isEmpty() ? "" : seen.printed().getFirst());
  }

  @Rule("NET-INIT-05")
  void aSecondInstanceWorksBesideTheFirst(NetSession session) {
    NetConnection first = session.connect();
    first.transfer(4096);
    works(
        session,
        "a second instance",
        () -> {
          TestedNet second = session.another();
          NetConnection connection = session.connect(second, 0, session.listen(second, 0));
          connection.transfer(4096);
          connection.close();
        });
    works(session, "the first instance beside a second one", () -> first.transfer(4096));
    works(
        session,
        "a new connection of the first instance beside a second one",
        () -> session.connect().transfer(4096));
  }

  @Rule("NET-INIT-05")
  void twoInstancesReachEachOther(NetSession session) {
    session.connect().transfer(4096); // what fails with one instance is of other rules
    TestedNet second = session.another();
    works(
        session,
        "a connection from one instance to another",
        () -> session.connect(session.net(), 0, session.listen(second, 0)).transfer(4096));
    works(
        session,
        "a connection back",
        () -> session.connect(second, 0, session.listen(session.net(), 0)).transfer(4096));
  }

  /** Each of two new instances makes its first attempt, and both are under way at once. */
  @Rule(value = "NET-INIT-05", needs = Need.V5)
  void twoInstancesConnectAtOnce(NetSession session) {
    List<TestedNet> nets = List.of(session.another(), session.another());
    List<NetListening> listeners = new ArrayList<>();
    List<MemorySegment> handles = new ArrayList<>();
    for (TestedNet net : nets) {
      NetListening listening = session.listen(net, 0);
      MemorySegment handle = session.copyOf(listening.handle());
      listeners.add(listening);
      handles.add(handle);
      SendComm comm = session.step("NET-CONN-07", "connect", () -> net.connect(0, handle));
      if (comm != null) {
        session.atEnd(() -> session.run("NET-CLOSE-02", "closeSend", () -> net.closeSend(comm)));
        throw session.skip("connect gives a comm before the other side accepts");
      }
    }
    for (int i = 0; i < nets.size(); i++) {
      int at = i;
      works(
          session,
          "an attempt beside one of another instance",
          () ->
              session
                  .connectFrom(nets.get(at), 0, handles.get(at), listeners.get(at))
                  .transfer(4096));
    }
  }

  @Rule("NET-INIT-05")
  void otherVersionsWorkBesideThisOne(NetSession session) {
    if (session.plugin().isLibrary(session.lane())) {
      throw session.skip(
          "a native library: NCCL takes the newest version that it has and calls no other");
    }
    NetConnection own = session.connect();
    own.transfer(4096);
    boolean others = false;
    for (Lane lane : session.plugin().lanes()) {
      if (lane.kind() == Kind.NET && lane.isDirect() && lane.provided() != provided(session)) {
        others = true;
        works(session, "version " + lane.provided(), () -> useBeside(session, lane));
        works(session, "this version beside another", () -> own.transfer(4096));
      }
    }
    if (!others) {
      throw session.skip("the plugin offers one version");
    }
  }

  private static int provided(NetSession session) {
    return session.lane().provided();
  }

  private static void useBeside(NetSession session, Lane lane) {
    NetInstance instance =
        NetInstance.start(session.plugin(), lane, session.terms().trace(), session.terms().log());
    try (NetSession other = new NetSession(session.terms().on(lane), instance)) {
      other.connect().transfer(4096);
    }
  }

  static void works(Session session, String what, Runnable use) {
    try {
      use.run();
    } catch (RuntimeException e) {
      throw session.broken(what + " does not work: " + e.getMessage());
    }
  }
}
