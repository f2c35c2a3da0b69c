// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of a sequence and holds each answer against the model. Plays one sequence, in a
 * session that is for it alone, on one thread.
 */
final class SequencePlayer {
  private static final long VISIBLE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long APART = 0x9E3779B97F4A7C15L;

  /** Some contexts have one commId, others have not. */
  private static final long FIRST_COMM = 41;

  /** How often an attempt calls that is given up. */
  private static final int CALLS = 2;

  private final NetSession session;
  private final ModelTerms terms;
  private final List<NetStep> steps;
  private final long seed;
  private final NetModel model;

  /** The model at the end of the sequence, for the sizes of memory. */
  private final NetModel ended;

  private final Map<Integer, PlayedConnection> connections = new HashMap<>();
  private final Map<Integer, NetListening> listeners = new HashMap<>();
  private final Map<Integer, TestedNet> contexts = new HashMap<>();
  private final Set<Request> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable NetContext dead;
  private int current = NetStep.NO_CONNECTION;

  /**
   * Prepares a sequence.
   *
   * @param seed from which the content of the messages follows
   */
  SequencePlayer(NetSession session, ModelTerms terms, List<NetStep> steps, long seed) {
    this.session = session;
    this.terms = terms;
    this.steps = steps;
    this.seed = seed;
    this.model = new NetModel(terms);
    this.ended = NetModel.after(terms, steps);
  }

  /**
   * Plays the sequence, and ends what it has left open.
   *
   * @throws RuleViolation when an answer is not what the contract has
   */
  void play() {
    steps.forEach(this::take);
    model.rest().forEach(this::take);
    connections.values().forEach(connection -> connection.memory().checkKept());
  }

  /** Returns the connection that was used last. */
  int current() {
    return current;
  }

  private void take(NetStep step) {
    if (step.connection() != NetStep.NO_CONNECTION) {
      current = step.connection();
    }
    model.apply(step);
    switch (step) {
      case NetStep.Open open -> open(open);
      case NetStep.Post post -> played(post).takeNew();
      case NetStep.Send send -> played(send).takeNew();
      case NetStep.TestOne one -> played(one).testOne(one.sending(), one.place());
      case NetStep.TestAll all -> played(all).testAll();
      case NetStep.Flush flush -> played(flush).flush();
      case NetStep.RegisterAgain again -> played(again).registerAgain(again.rest());
      case NetStep.Finish finish -> played(finish).finish();
      case NetStep.Close close -> played(close).close(close.sending());
      case NetStep.CloseListener close -> close(close);
      case NetStep.GiveUp give -> played(give).giveUp(give.sendingFirst());
      case NetStep.Fail fail -> played(fail).fail();
      case NetStep.Refuse refuse -> played(refuse).refuse(refuse.call(), dead);
      case NetStep.OpenContext open ->
          contexts.put(
              open.context(),
              session.anotherContext(FIRST_COMM + open.context() % 2, NetCommConfig.DEFAULT));
      case NetStep.CloseContext close -> close(close);
      case NetStep.Announce announce -> announce(announce);
      case NetStep.GiveUpConnect attempt -> giveUpConnect(attempt);
      case NetStep.Rest rest -> LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(rest.micros()));
    }
  }

  private void open(NetStep.Open open) {
    NetListening listening =
        listeners.computeIfAbsent(
            open.listener(),
            listener ->
                session.listen(net(NetStep.Open.contextOf(listener)), receivingDevice(listener)));
    List<Integer> devices = terms.scope().devices();
    int device = devices.get(open.device() % devices.size());
    NetConnection connection = session.connect(net(open.context()), device, listening);
    PlayedMemory memory =
        new PlayedMemory(
            session, ended.connection(open.connection()), seed + APART * (1 + open.connection()));
    connections.put(
        open.connection(),
        new PlayedConnection(
            this, session, connection, model.connection(open.connection()), memory));
  }

  /** Returns the plugin in a context. */
  private TestedNet net(int context) {
    if (context == 0) {
      return session.net();
    }
    TestedNet net = contexts.get(context);
    if (net == null) {
      throw new IllegalStateException("context " + context + " is not open");
    }
    return net;
  }

  private int receivingDevice(int listener) {
    List<Integer> devices = terms.scope().devices();
    int device = devices.get(listener % devices.size());
    return device == 0 ? session.receivingDevice() : device;
  }

  private void close(NetStep.CloseContext close) {
    TestedNet net = net(close.context());
    contexts.remove(close.context());
    dead = newest(net).context();
    session.run("NET-INIT-08", "finalize", net::finish);
  }

  private static TestedNet.Newest newest(TestedNet net) {
    return Objects.requireNonNull(net.newest());
  }

  private void announce(NetStep.Announce announce) {
    TestedNet.Newest newest = newest(net(announce.context()));
    int most = announce.connections();
    NetAttributes.Flows flows = new NetAttributes.Flows(most, most, most, most);
    session.run(
        "NET-OPT-03",
        "setNetAttr",
        () -> newest.net().setNetAttr(newest.context(), new NetAttributes(flows, flows, -1, 1, 1)));
  }

  /** Either side may have its comm already, and then closes it. */
  private void giveUpConnect(NetStep.GiveUpConnect attempt) {
    TestedNet net = net(attempt.context());
    NetListening listening = session.listen(net, receivingDevice(0));
    MemorySegment handle = session.copyOf(listening.handle());
    SendComm send = null;
    RecvComm recv = null;
    for (int call = 0; call < CALLS && send == null; call++) {
      send = session.step("NET-CONN-09", "connect", () -> net.connect(0, handle));
      if (attempt.accepting() && recv == null) {
        recv = session.step("NET-CONN-09", "accept", () -> net.accept(listening.comm()));
      }
    }
    session.run("NET-CLOSE-07", "closeListen", listening::close);
    SendComm sending = send;
    if (sending != null) {
      session.run("NET-CLOSE-06", "closeSend", () -> net.closeSend(sending));
    }
    RecvComm receiving = recv;
    if (receiving != null) {
      session.run("NET-CLOSE-06", "closeRecv", () -> net.closeRecv(receiving));
    }
  }

  private void close(NetStep.CloseListener close) {
    NetListening listening = listeners.remove(close.listener());
    if (listening != null) {
      session.run("NET-CLOSE-07", "closeListen", listening::close);
    }
  }

  private PlayedConnection played(NetStep step) {
    PlayedConnection connection = connections.get(step.connection());
    if (connection == null) {
      throw new IllegalStateException(step.text() + ": not open");
    }
    return connection;
  }

  /** Returns whether another connection has something under way. */
  boolean isUnderWayBeside(PlayedConnection one) {
    return connections.values().stream().anyMatch(other -> other != one && other.isUnderWay());
  }

  /** A request may be an object of old, but only one whose operation has ended. */
  void begun(Request request, String call) {
    session.require(
        "NET-TEST-05",
        inFlight.add(request),
        "%s returned the request of an operation that has not ended",
        call);
  }

  void ended(Request request) {
    inFlight.remove(request);
  }

  /** Checks that a piece holds the message that belongs into it. */
  void checkContent(PlayedConnection connection, int piece) {
    ModelConnection own = connection.model();
    PlayedMemory memory = connection.memory();
    int message = own.messageOf(piece);
    int length = own.length(message);
    long wrong = memory.firstDifference(piece, message, length);
    if (wrong < 0) {
      return;
    }
    for (PlayedConnection other : connections.values()) {
      for (int each = 0; each < other.model().messages(); each++) {
        if (other == connection && each == message) {
          continue; // it may have come meanwhile, and is late then
        }
        int common = Math.min(length, other.model().length(each));
        if (common >= PlayedMemory.TELLING && memory.holds(piece, other.memory(), each, common)) {
          throw mixedUp(own, piece, other == connection, other.model(), each);
        }
      }
    }
    if (NetSession.within(VISIBLE, () -> memory.holds(piece, message, length))) {
      throw new RuleViolation(
          "NET-TEST-09",
          ErrorText.of(
              "a message of %s bytes was reported complete while byte %s was still missing",
              length, wrong));
    }
    throw new RuleViolation(
        "NET-SEND-08",
        ErrorText.of("message %s of %s bytes arrived wrong at byte %s", message, length, wrong));
  }

  private static RuleViolation mixedUp(
      ModelConnection own, int piece, boolean here, ModelConnection other, int found) {
    String rule;
    if (!here) {
      rule = "NET-CONN-22";
    } else if (other.tag(found) != own.tag(own.messageOf(piece))
        || other.receiveOf(found) == own.receiveWith(piece)) {
      rule = "NET-RECV-09";
    } else {
      rule = own.hasSeveralTags() ? "NET-RECV-11" : "NET-RECV-03";
    }
    return new RuleViolation(
        rule,
        ErrorText.of(
            "piece %s, where message %s belongs, has message %s%s",
            piece, own.messageOf(piece), found, here ? "" : " of another connection"));
  }
}
