// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the plugin under test beside its model. What the plugin has no room for waits
 * here, and is asked for again whenever the connection is used. One thread.
 */
final class PlayedConnection {

  /**
   * A pair of handles, one for each end.
   *
   * @param fromBase where the registered part of the memory to send from begins
   * @param toBase the same of the memory to receive into
   */
  private record Handles(MemoryHandle from, MemoryHandle to, long fromBase, long toBase) {}

  private record Sending(Request request, int message, Handles handles) {}

  private record Receiving(Request request, int receive, Handles handles) {}

  private final SequencePlayer player;
  private final NetSession session;
  private final NetConnection connection;
  private final ModelConnection model;
  private final PlayedMemory memory;
  private final List<Handles> old = new ArrayList<>();
  private Handles handles;
  private final Deque<Integer> waitingReceives = new ArrayDeque<>();
  private final List<Integer> waitingSends = new ArrayList<>();
  private final List<Sending> sends = new ArrayList<>();
  private final List<Receiving> receives = new ArrayList<>();
  private final BitSet started = new BitSet();

  /** The receives that are complete and have not been looked at again since. */
  private final List<Integer> complete = new ArrayList<>();

  /** The receives with a hint that are complete, and whose messages may not be there yet. */
  private final List<Receiving> owed = new ArrayList<>();

  private @Nullable RefusedCalls refusedCalls;
  private int seenReceives;
  private int seenMessages;
  private int flushable = ModelConnection.NONE;
  private int[] flushableSizes = {};
  private @Nullable RuleViolation wrongSize;

  PlayedConnection(
      SequencePlayer player,
      NetSession session,
      NetConnection connection,
      ModelConnection model,
      PlayedMemory memory) {
    this.player = player;
    this.session = session;
    this.connection = connection;
    this.model = model;
    this.memory = memory;
    this.handles = register(0, 0);
  }

  private Handles register(long fromBase, long toBase) {
    return new Handles(
        connection.registerSend(memory.from(), fromBase),
        connection.registerRecv(memory.to(), toBase),
        fromBase,
        toBase);
  }

  ModelConnection model() {
    return model;
  }

  PlayedMemory memory() {
    return memory;
  }

  /** Returns whether an operation has been started, or asked for, and is not complete. */
  boolean isUnderWay() {
    return !sends.isEmpty()
        || !receives.isEmpty()
        || !waitingSends.isEmpty()
        || !waitingReceives.isEmpty();
  }

  /** Takes the receives and messages that the model has and this connection has not seen yet. */
  void takeNew() {
    for (; seenReceives < model.receives(); seenReceives++) {
      waitingReceives.addLast(seenReceives);
    }
    for (; seenMessages < model.messages(); seenMessages++) {
      memory.fill(seenMessages, model.length(seenMessages));
      waitingSends.add(seenMessages);
    }
    start();
  }

  /** Starts what the plugin has room for: receives in their order, sends in that of each tag. */
  private void start() {
    takeOwed(); // it may make room
    while (!waitingReceives.isEmpty() && tryPost(waitingReceives.getFirst())) {
      waitingReceives.removeFirst();
    }
    Set<Integer> refused = new HashSet<>();
    waitingSends.removeIf(message -> {
      boolean sent = !refused.contains(model.tag(message)) && trySend(message);
      if (!sent) {
        refused.add(model.tag(message));
      }
      return sent;
    });
  }

  private boolean tryPost(int receive) {
    if (session.hasFewRequests() && receives.size() == session.maxRequests()) {
      return false; // NCCL would not ask for it
    }
    ModelConnection.Receive own = model.receive(receive);
    int n = own.tags().size();
    MemoryHandle[] mrs = new MemoryHandle[n];
    Arrays.fill(mrs, handles.to());
    long[] offsets = new long[n];
    Arrays.setAll(offsets, i -> memory.offsetOfPiece(own.first() + i) - handles.toBase());
    long[] lengths = new long[n];
    Arrays.fill(lengths, model.room());
    int[] tags = own.tags().stream().mapToInt(tag -> tag).toArray();
    @Nullable Request request =
        session.step(
            "NET-RECV-02",
            "irecv",
            () ->
                own.hinted()
                    ? connection.irecvWithHint(mrs, offsets, lengths, tags)
                    : connection
                        .receiver()
                        .irecv(connection.recv(), n, mrs, offsets, lengths, tags));
    if (request == null) {
      return false;
    }
    player.begun(request, "irecv");
    receives.add(new Receiving(request, receive, handles));
    return true;
  }

  private boolean trySend(int message) {
    int inFlight = sends.size();
    if (session.hasFewRequests() && inFlight == SlotTraffic.leastInFlight(session)) {
      return false;
    }
    @Nullable Request request =
        session.step(
            NetConnection.ruleOfSend(inFlight),
            "isend with " + inFlight + " sends in flight",
            () ->
                connection
                    .sender()
                    .isend(
                        connection.send(),
                        handles.from(),
                        memory.offsetOfMessage(message) - handles.fromBase(),
                        model.length(message),
                        model.tag(message)));
    if (request == null) {
      return false;
    }
    player.begun(request, "isend");
    started.set(message);
    sends.add(new Sending(request, message, handles));
    return true;
  }

  /** Tests one operation in flight, if there is any. */
  void testOne(boolean sending, int place) {
    if (sending) {
      testAt(sends, place, this::isSent);
    } else {
      testAt(receives, place, this::hasCome);
    }
    goOn();
  }

  private <T> void testAt(List<T> operations, int place, Predicate<T> completes) {
    if (!operations.isEmpty()) {
      int index = session.isTestedInOrder() ? 0 : place % operations.size();
      if (completes.test(operations.get(index))) {
        operations.remove(index);
      }
    }
  }

  /** Tests each operation in flight once. */
  void testAll() {
    connection.poll(sends, this::isSent);
    connection.poll(receives, this::hasCome);
    goOn();
  }

  private void goOn() {
    start();
    while (!old.isEmpty() && !isUsed(old.getFirst())) {
      Handles unused = old.removeFirst();
      session.run(
          "NET-REG-04",
          "deregMr of the older handle on a send comm",
          () -> connection.sender().deregMr(connection.send(), unused.from()));
      session.run(
          "NET-REG-04",
          "deregMr of the older handle on a recv comm",
          () -> connection.receiver().deregMr(connection.recv(), unused.to()));
    }
  }

  private boolean isUsed(Handles some) {
    return sends.stream().anyMatch(send -> send.handles().equals(some))
        || receives.stream().anyMatch(receive -> receive.handles().equals(some))
        || owed.stream().anyMatch(receive -> receive.handles().equals(some));
  }

  /**
   * Registers memory once more.
   *
   * @param rest whether only the part that nothing has used yet
   */
  void registerAgain(boolean rest) {
    old.add(handles);
    handles = rest ? registerRest() : register(0, 0);
    goOn();
  }

  private Handles registerRest() {
    int message = waitingSends.isEmpty() ? seenMessages : waitingSends.getFirst();
    int receive = waitingReceives.isEmpty() ? seenReceives : waitingReceives.getFirst();
    int piece = receive < model.receives() ? model.receive(receive).first() : model.pieces();
    return register(memory.offsetOfMessage(message), memory.offsetOfPiece(piece));
  }

  private boolean isSent(Sending send) {
    int[] sizes = {-1};
    if (!connection.testSend(send.request(), sizes)) {
      return false;
    }
    player.ended(send.request());
    int length = model.length(send.message());
    memory.checkSource(send.message(), length);
    if (sizes[0] != length && wrongSize == null) {
      // A message that arrives wrong is found first: it is the worse mistake, and the cause
      // perhaps.
      wrongSize =
          new RuleViolation(
              "NET-TEST-08",
              ErrorText.of("a send of %s bytes %s", length, session.reported(sizes[0], length)));
    }
    return true;
  }

  private boolean hasCome(Receiving receiving) {
    ModelConnection.Receive receive = model.receive(receiving.receive());
    int n = receive.tags().size();
    int[] sizes = new int[n];
    Arrays.fill(sizes, -1);
    if (!connection.testRecv(receiving.request(), sizes)) {
      return false;
    }
    player.ended(receiving.request());
    if (receive.hinted()) {
      owed.add(receiving); // when its messages are there nothing tells
      return true;
    }
    int obstacle = model.obstacle(receiving.receive(), started::get);
    if (obstacle != ModelConnection.NONE) {
      throw tooEarly(receiving.receive(), obstacle);
    }
    for (int piece = receive.first(); piece < receive.first() + n; piece++) {
      player.checkContent(this, piece);
    }
    for (int piece = receive.first(); piece < receive.first() + n; piece++) {
      memory.checkBehind(piece, lengthIn(piece));
    }
    for (int i = 0; i < n; i++) {
      int length = lengthIn(receive.first() + i);
      session.require(
          "NET-RECV-04",
          sizes[i] == length,
          "message %d of %d bytes %s",
          model.messageOf(receive.first() + i),
          length,
          session.reported(sizes[i], model.room()));
    }
    complete.add(receiving.receive());
    flushable = receiving.receive();
    flushableSizes = sizes;
    return true;
  }

  private int lengthIn(int piece) {
    return model.length(model.messageOf(piece));
  }

  private RuleViolation tooEarly(int receive, int obstacle) {
    int message = model.messageOf(obstacle);
    if (message != ModelConnection.NONE
        && model.length(message) >= PlayedMemory.TELLING
        && memory.holds(obstacle, message, model.length(message))) {
      return new RuleViolation(
          "NET-SEND-02",
          ErrorText.of("message %s has come, for which isend has answered null", message));
    }
    int waiting = model.receiveWith(obstacle);
    return waiting == receive
        ? new RuleViolation(
            "NET-TEST-05",
            ErrorText.of(
                "receive %s is complete, and a message that belongs into it has not been sent",
                receive))
        : new RuleViolation(
            "NET-RECV-03",
            ErrorText.of("receive %s is complete before receive %s is full", receive, waiting));
  }

  /** Flushes the last receive that is complete: host memory needs no flush. */
  void flush() {
    if (flushable == ModelConnection.NONE
        || PointerType.CUDA.in(session.properties(0).ptrSupport())) {
      return;
    }
    ModelConnection.Receive receive = model.receive(flushable);
    int n = receive.tags().size();
    MemoryHandle[] mrs = new MemoryHandle[n];
    Arrays.fill(mrs, handles.to());
    long[] offsets = new long[n];
    Arrays.setAll(offsets, i -> memory.offsetOfPiece(receive.first() + i) - handles.toBase());
    if (offsets[0] < 0) {
      return; // the handle that it was received with may be dead
    }
    long[] lengths = Arrays.stream(flushableSizes).asLongStream().toArray();
    Request request =
        session.step(
            "NET-FLUSH-02",
            "iflush",
            () -> connection.receiver().iflush(connection.recv(), n, mrs, offsets, lengths));
    session.require(
        "NET-FLUSH-02", request == null, "iflush of host memory returned a request, expected null");
  }

  /** Tests until everything is complete, for as long as the kit has patience. */
  void finish() {
    takeNew();
    boolean done =
        NetSession.within(
            session.terms().patience().nanos(),
            () -> {
              start();
              testAll();
              return !isUnderWay();
            });
    if (!done) {
      throw new RuleViolation(
          ruleOfWait(),
          ErrorText.of(
              "waited in vain for %s sends and %s receives in flight, and room for %s and %s more%s",
              sends.size(),
              receives.size(),
              waitingSends.size(),
              waitingReceives.size(),
              player.isUnderWayBeside(this) ? ", while other connections stood still" : ""));
    }
    awaitOwed();
    lookAgain();
  }

  /** Without a test: the requests of receives with a hint have ended (NET-RECV-18). */
  private void awaitOwed() {
    boolean came =
        NetSession.within(
            session.terms().patience().nanos(),
            () -> {
              takeOwed();
              return owed.isEmpty();
            });
    if (!came) {
      ModelConnection.Receive receive = model.receive(owed.getFirst().receive());
      for (int i = 0; i < receive.tags().size(); i++) {
        player.checkContent(this, receive.first() + i); // it may be another message
      }
      throw new RuleViolation(
          "NET-RECV-18",
          ErrorText.of("the messages of receive %s, which has a hint, never came", receive));
    }
    goOn();
  }

  /** Gives receives with a hint back whose messages are there, which the memory alone tells. */
  private void takeOwed() {
    owed.removeIf(each -> {
      ModelConnection.Receive receive = model.receive(each.receive());
      int end = receive.first() + receive.tags().size();
      for (int piece = receive.first(); piece < end; piece++) {
        int message = model.messageOf(piece);
        if (message == ModelConnection.NONE
            || !started.get(message)
            || !memory.holds(piece, message, model.length(message))) {
          return false;
        }
      }
      for (int piece = receive.first(); piece < end; piece++) {
        memory.checkBehind(piece, lengthIn(piece));
      }
      connection.giveBack(each.request(), receive.tags().size());
      complete.add(each.receive());
      return true;
    });
  }

  private String ruleOfWait() {
    if (player.isUnderWayBeside(this)) {
      return "NET-CONN-22";
    }
    if (!waitingReceives.isEmpty() && receives.isEmpty()) {
      return "NET-RECV-02";
    }
    if (!waitingSends.isEmpty() && sends.isEmpty()) {
      return model.hasSeveralTags() ? "NET-RECV-11" : "NET-SEND-02";
    }
    return "NET-TEST-05";
  }

  /** Nothing changes what has come, unless a later receive is for the same memory. */
  private void lookAgain() {
    for (int each : complete) {
      ModelConnection.Receive receive = model.receive(each);
      for (int i = 0; i < receive.tags().size(); i++) {
        int piece = receive.first() + i;
        session.require(
            "NET-RECV-05",
            memory.holds(piece, model.messageOf(piece), lengthIn(piece)),
            "the message in piece %d was changed after its receive had completed",
            piece);
        memory.checkBehind(piece, lengthIn(piece));
      }
    }
    complete.clear();
    if (wrongSize != null) {
      throw wrongSize;
    }
  }

  void close(boolean sending) {
    lookAgain();
    if (sending) {
      connection.closeSend();
    } else {
      connection.closeRecv();
    }
  }

  /** Closes both ends, whatever is under way. */
  void giveUp(boolean sendingFirst) {
    for (boolean sending : new boolean[] {sendingFirst, !sendingFirst}) {
      if (sending) {
        connection.closeSend();
      } else {
        connection.closeRecv();
        memory.keep();
      }
    }
    sends.forEach(send -> player.ended(send.request()));
    receives.forEach(receiving -> player.ended(receiving.request()));
    sends.clear();
    receives.clear();
    waitingSends.clear();
    waitingReceives.clear();
    owed.clear();
    complete.clear();
    old.clear();
  }

  /** Sends a message that is longer than its piece, and waits until the receive has failed. */
  void fail() {
    GuardedArea area = session.area(2 * FailedReceive.ROOM);
    FailedReceive failed = new FailedReceive(session, connection, area, model.anyTag());
    failed.play();
  }

  /** Makes a call that the plugin has to refuse. */
  void refuse(WrongCall call, @Nullable NetContext dead) {
    if (refusedCalls == null) {
      refusedCalls = new RefusedCalls(session, connection);
    }
    Receiving oldest = receives.isEmpty() ? null : receives.getFirst();
    refusedCalls.make(
        call,
        model.anyTag(),
        oldest == null ? null : oldest.request(),
        oldest == null ? 0 : model.receive(oldest.receive()).tags().size(),
        dead);
  }
}
