// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of a connection, with the steps of tests on it. A right plugin passes every step; a
 * step that fails names the rule that it is about. Closed with the session, if not before.
 */
public final class NetConnection {
  /** NCCL's NCCL_NET_MAX_REQUESTS_V6: queues of plugins may be as short. */
  private static final int LEAST_FULL = 8;

  private final NetSession session;
  private final TestedNet sender;
  private final TestedNet receiver;
  private final SendComm send;
  private final RecvComm recv;
  private boolean sendClosed;
  private boolean recvClosed;

  NetConnection(
      NetSession session, TestedNet sender, TestedNet receiver, SendComm send, RecvComm recv) {
    this.session = session;
    this.sender = sender;
    this.receiver = receiver;
    this.send = send;
    this.recv = recv;
  }

  /** Returns the instance that sends. */
  public TestedNet sender() {
    return sender;
  }

  /** Returns the instance that receives. */
  public TestedNet receiver() {
    return receiver;
  }

  /** Returns the sending end. */
  public SendComm send() {
    return send;
  }

  /** Returns the receiving end. */
  public RecvComm recv() {
    return recv;
  }

  /** Registers an area with the sending end. */
  public MemoryHandle registerSend(GuardedArea area) {
    return registerSend(area, 0);
  }

  /** Registers the bytes of an area from one on with the sending end. */
  public MemoryHandle registerSend(GuardedArea area, long from) {
    return session.step(
        "NET-REG-05", "regMr on a send comm", () -> sender.regMr(send, area.memoryFrom(from)));
  }

  /** Registers an area with the receiving end. */
  public MemoryHandle registerRecv(GuardedArea area) {
    return registerRecv(area, 0);
  }

  /** Registers the bytes of an area from one on with the receiving end. */
  public MemoryHandle registerRecv(GuardedArea area, long from) {
    return session.step(
        "NET-REG-05", "regMr on a recv comm", () -> receiver.regMr(recv, area.memoryFrom(from)));
  }

  /**
   * Returns the rule that an exception from isend breaks.
   *
   * @param inFlight how many sends of the comm are in flight: if there are as many as the NCCL of
   *     the oldest versions ever has, the exception stands for a lack of room
   */
  public static String ruleOfSend(int inFlight) {
    return inFlight < LEAST_FULL ? "NET-SEND-08" : "NET-SEND-04";
  }

  /** Starts a send, asking again while there is no room. */
  public Request isend(MemoryHandle mr, long offset, long length, int tag) {
    return isend(mr, offset, length, tag, () -> {});
  }

  /**
   * The same while the receive of this very message is tested, as NCCL does on the other side: some
   * plugins get no further without.
   */
  public Request isend(MemoryHandle mr, long offset, long length, int tag, Request receiving) {
    return isend(mr, offset, length, tag, () -> stillReceiving(receiving));
  }

  /** The same with calls of the other end meanwhile, which some plugins need to get further. */
  public Request isend(MemoryHandle mr, long offset, long length, int tag, Runnable meanwhile) {
    session.needsBytes(length);
    Seen<Request> request = new Seen<>();
    session.await(
        "NET-SEND-02",
        "room for a send of " + length + " bytes",
        () -> {
          boolean taken =
              request.by(() ->
                  session.step(
                      "NET-SEND-08", "isend", () -> sender.isend(send, mr, offset, length, tag)));
          if (!taken) {
            meanwhile.run();
          }
          return taken;
        });
    return request.get();
  }

  /** Starts a receive of one piece, asking again while there is no room. */
  public Request irecv(MemoryHandle mr, long offset, long length, int tag) {
    return irecv(
        new MemoryHandle[] {mr}, new long[] {offset}, new long[] {length}, new int[] {tag});
  }

  /** Starts a receive of as many pieces as the arrays are long. */
  public Request irecv(MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    for (long length : lengths) {
      session.needsBytes(length);
    }
    Seen<Request> request = new Seen<>();
    session.await(
        "NET-RECV-02",
        "room for a receive of " + mrs.length + " pieces",
        () ->
            request.by(() ->
                session.step(
                    "NET-RECV-02",
                    "irecv",
                    () -> receiver.irecv(recv, mrs.length, mrs, offsets, lengths, tags))));
    return request.get();
  }

  /**
   * Asks once for a receive that may be complete before its messages are there. When it is, the
   * test gives it back.
   *
   * @return null where there is no room
   */
  public @Nullable Request irecvWithHint(
      MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return session
        .newest()
        .net()
        .irecv(recv, mrs.length, mrs, offsets, lengths, tags, null, Net.OPTIONAL_RECV_COMPLETION);
  }

  /** Gives a receive with a hint back that is complete, where the plugin keeps it until then. */
  public void giveBack(Request receiving, int pieces) {
    Net net = session.newest().net();
    if (net.supports(OptionalOperation.IRECV_CONSUMED)) {
      session.run("NET-TEST-06", "irecvConsumed", () -> net.irecvConsumed(recv, pieces, receiving));
    }
  }

  /** Tests a send once; true when it has completed. */
  public boolean testSend(Request request, int @Nullable [] sizes) {
    return session.step("NET-TEST-02", "test of a send", () -> sender.test(request, sizes));
  }

  /** Tests a receive once; true when it has completed. */
  public boolean testRecv(Request request, int @Nullable [] sizes) {
    return session.step("NET-TEST-02", "test of a receive", () -> receiver.test(request, sizes));
  }

  /**
   * Tests one send and one receive until both have completed.
   *
   * @return the sizes of the receive's pieces
   */
  public int[] finish(Request sending, Request receiving, int pieces) {
    Flag sent = new Flag();
    Flag received = new Flag();
    int[] sizes = new int[pieces];
    Arrays.fill(sizes, -1);
    session.await(
        "NET-TEST-05",
        "a message to be complete on both sides (send "
            + CallTrace.name(sending)
            + ", receive "
            + CallTrace.name(receiving)
            + ")",
        () -> {
          boolean gone = sent.by(() -> testSend(sending, null));
          return received.by(() -> testRecv(receiving, sizes)) && gone;
        });
    return sizes;
  }

  /**
   * Tests operations of one comm, the oldest first, each once, and takes those from the list that
   * have completed. Of a library none is tested before the older ones have completed, as by NCCL.
   *
   * @param completes tests one of them
   */
  public <T> void poll(List<T> operations, Predicate<T> completes) {
    if (!session.isTestedInOrder()) {
      operations.removeIf(completes);
      return;
    }
    while (!operations.isEmpty() && completes.test(operations.getFirst())) {
      operations.removeFirst();
    }
  }

  /** Tests a send until it has completed, without calls at the receiving end. */
  public void finishSend(Request sending) {
    session.await("NET-TEST-05", "a send to complete", () -> testSend(sending, null));
  }

  /** Tests a receive until it has completed and returns its sizes. */
  public int[] finishRecv(Request receiving, int pieces) {
    int[] sizes = new int[pieces];
    Arrays.fill(sizes, -1);
    session.await("NET-TEST-05", "a receive to complete", () -> testRecv(receiving, sizes));
    return sizes;
  }

  /**
   * Sends one message of this length, or of the greatest that the devices take, through fresh
   * memory and looks at what arrives.
   */
  public void transfer(long most) {
    long length = session.cut(most);
    GuardedArea from = session.area(length);
    GuardedArea to = session.area(length);
    long seed = session.random().nextLong();
    from.fill(seed);
    long before = from.sample();
    MemoryHandle fromMr = registerSend(from);
    session.require(
        "NET-REG-05", from.sample() == before, "regMr of %d bytes changed some of them", length);
    MemoryHandle toMr = registerRecv(to);
    Request receiving = irecv(toMr, 0, length, 7);
    Request sending = isend(fromMr, 0, length, 7, receiving);
    int[] sizes = finish(sending, receiving, 1);
    session.require(
        "NET-RECV-04",
        sizes[0] == length,
        "a message of %d bytes %s",
        length,
        session.reported(sizes[0], length));
    long wrong = to.firstDifference(0, length, seed);
    session.require(
        "NET-SEND-08", wrong < 0, "a message of %d bytes arrived wrong at byte %d", length, wrong);
    session.run("NET-REG-07", "deregMr", () -> sender.deregMr(send, fromMr));
    session.run("NET-REG-07", "deregMr", () -> receiver.deregMr(recv, toMr));
  }

  /** Tests a receive whose message has not been sent. */
  private void stillReceiving(Request receiving) {
    session.require(
        "NET-TEST-05",
        !testRecv(receiving, new int[1]),
        "a receive was complete before its message was sent");
  }

  /** Closes the sending end the first time. */
  public void closeSend() {
    closeSend("NET-CLOSE-02");
  }

  /** The same with the rule that is broken when it fails. */
  public void closeSend(String rule) {
    if (!sendClosed) {
      sendClosed = true;
      session.run(rule, "closeSend", () -> sender.closeSend(send));
    }
  }

  /** Closes the receiving end the first time. */
  public void closeRecv() {
    closeRecv("NET-CLOSE-02");
  }

  /** The same with the rule that is broken when it fails. */
  public void closeRecv(String rule) {
    if (!recvClosed) {
      recvClosed = true;
      session.run(rule, "closeRecv", () -> receiver.closeRecv(recv));
    }
  }

  /** Closes what is open. */
  public void close() {
    closeSend();
    closeRecv();
  }
}
