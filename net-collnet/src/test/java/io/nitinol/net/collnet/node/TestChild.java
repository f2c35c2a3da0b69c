// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A rank as a switch sees it, made of nothing but the wire's rules; driven by one thread. */
final class TestChild implements SwitchLink.Events, AutoCloseable {
  /** A message that is to go or come. */
  private record Message(MemoryHandle memory, long offset, long length, @Nullable Started of) {}

  /** A message under way. */
  private record Flight(Request request, Message message) {}

  /** An operation. */
  static final class Started {
    private int sends;
    private int results;

    /** Returns whether all has been sent and the result is there. */
    boolean isDone() {
      return sends == 0 && results == 0;
    }

    /** Returns whether the result is there: then the switch has had all that was sent. */
    boolean hasResult() {
      return results == 0;
    }

    @Override
    public String toString() {
      return sends + " messages to send and " + results + " to receive";
    }
  }

  private static final int MOST_FLIGHTS = 16;

  final int rank;
  final int nranks;
  final SwitchLink link;
  final CommPair pair;
  private final Net net;
  private final Arena arena = Arena.ofShared();
  private final Queue<ControlFrame> frames = new ConcurrentLinkedQueue<>();
  private final Queue<Message> toSend = new ArrayDeque<>();
  private final Queue<Message> toReceive = new ArrayDeque<>();
  private final Queue<Flight> sending = new ArrayDeque<>();
  private final Queue<Flight> receiving = new ArrayDeque<>();
  private volatile @Nullable String end;
  ControlFrame.@Nullable Admit admitted;
  ControlFrame.@Nullable Fail failed;
  ControlFrame.@Nullable Refuse refused;
  private boolean told;
  private boolean ready;
  private long operations;
  private @Nullable Segments segments;

  /** Asks for a place. */
  TestChild(
      SwitchLoop loop,
      SwitchKey key,
      Carrier carrier,
      InetSocketAddress at,
      GroupId group,
      int nranks,
      int rank,
      int sameSwitch) {
    this.rank = rank;
    this.nranks = nranks;
    this.net = carrier.net();
    this.pair = new CommPair(carrier, carrier.devices().getFirst());
    this.link = loop.connect(at, key, this, Duration.ofSeconds(20));
    link.send(
        new ControlFrame.Join(
            group,
            nranks,
            List.of(rank),
            sameSwitch,
            Segments.MOST_BYTES,
            0,
            net.name(),
            pair.handle()));
  }

  @Override
  public void frame(ControlFrame frame) {
    frames.add(frame);
  }

  @Override
  public void closed(String why) {
    end = why;
  }

  /** Hears what the switch says; returns whether the group is connected. */
  boolean pollReady() {
    for (ControlFrame frame = frames.poll(); frame != null; frame = frames.poll()) {
      switch (frame) {
        case ControlFrame.Admit admit -> {
          admitted = admit;
          segments = new Segments(new int[] {rank}, admit.segmentBytes());
          pair.connectTo(admit.handle());
        }
        case ControlFrame.Ready says -> ready = true;
        case ControlFrame.Fail fail -> failed = fail;
        case ControlFrame.Refuse refuse -> refused = refuse;
        default -> throw new AssertionError("rank " + rank + " hears " + frame);
      }
    }
    if (admitted != null && !told && failed == null && pair.poll()) {
      told = true;
      link.send(new ControlFrame.Ready());
    }
    return ready;
  }

  /** Returns whether the switch has ended the group or the link. */
  boolean isOver() {
    boolean ended = end != null; // before the look at what was said until then
    pollReady();
    return failed != null || refused != null || ended;
  }

  /** Says what the switch said last. */
  String lastWord() {
    return failed != null ? failed.text() : refused != null ? refused.text() : String.valueOf(end);
  }

  long operations() {
    return operations;
  }

  /**
   * Starts an operation.
   *
   * @param send what this rank sends, without gaps
   * @param receive where what it receives goes, without gaps
   */
  Started start(Descriptor of, MemorySegment send, MemorySegment receive) {
    Segments own = segments;
    if (own == null) {
      throw new AssertionError("rank " + rank + " is not admitted");
    }
    operations++;
    Started started = new Started();
    int inline = of.isInline() ? own.upBytes(of, 0) : 0;
    MemorySegment head = arena.allocate(Descriptor.BYTES + inline, 64);
    of.write(head, 0);
    MemorySegment.copy(send, 0, head, Descriptor.BYTES, inline);
    send(head, 0, head.byteSize(), started);
    MemoryHandle sendMemory = register(send, true);
    MemoryHandle receiveMemory = register(receive, false);
    long sent = 0;
    long received = 0;
    for (long s = 0; s < own.count(of); s++) {
      int up = own.upBytes(of, s);
      if (!of.isInline() && up > 0) {
        started.sends++;
        toSend.add(new Message(sendMemory, sent, up, started));
        sent += up;
      }
      if (own.isAnswered(of, s)) {
        int down = own.downBytes(of, s);
        started.results++;
        toReceive.add(new Message(receiveMemory, received, down, started));
        received += down;
      }
    }
    return started;
  }

  private MemoryHandle register(MemorySegment memory, boolean up) {
    MemorySegment some = memory.byteSize() == 0 ? arena.allocate(8) : memory;
    return net.regMr(up ? pair.send() : pair.recv(), Memory.ofHost(some));
  }

  /** Sends any bytes. */
  void send(MemorySegment memory, long offset, long length, @Nullable Started of) {
    if (of != null) {
      of.sends++;
    }
    toSend.add(new Message(register(memory, true), offset, length, of));
  }

  /** Moves what can be moved; returns whether something was. */
  boolean poll() {
    boolean moved = false;
    while (!toSend.isEmpty() && sending.size() < MOST_FLIGHTS) {
      Message next = toSend.element();
      Request request = net.isend(pair.send(), next.memory(), next.offset(), next.length(), 0, 0);
      if (request == null) {
        break;
      }
      sending.add(new Flight(request, toSend.remove()));
      moved = true;
    }
    while (hasArrived(sending)) {
      Started of = sending.remove().message().of();
      if (of != null) {
        of.sends--;
      }
      moved = true;
    }
    return moved | pollReceives();
  }

  /** Moves results only: once the group has failed, nobody takes what is sent. */
  boolean pollReceives() {
    boolean moved = false;
    while (hasArrived(receiving)) {
      Started of = receiving.remove().message().of();
      if (of != null) {
        of.results--;
      }
      moved = true;
    }
    while (!toReceive.isEmpty() && receiving.size() < MOST_FLIGHTS) {
      Message next = toReceive.element();
      Request request =
          net.irecv(
              pair.recv(),
              1,
              new MemoryHandle[] {next.memory()},
              new long[] {next.offset()},
              new long[] {next.length()},
              new int[1],
              null,
              0);
      if (request == null) {
        break;
      }
      receiving.add(new Flight(request, toReceive.remove()));
      moved = true;
    }
    return moved;
  }

  private boolean hasArrived(Queue<Flight> flights) {
    Flight oldest = flights.peek();
    int[] size = new int[1];
    if (oldest == null || !net.test(oldest.request(), size)) {
      return false;
    }
    if (size[0] != oldest.message().length()) {
      throw new AssertionError(
          "rank " + rank + ": " + size[0] + " bytes, expected " + oldest.message().length());
    }
    return true;
  }

  /** Leaves the group as a member does. */
  void leave() {
    link.send(new ControlFrame.Leave());
    close();
  }

  /** Ends as a process that is killed: without a word. */
  @Override
  public void close() {
    link.close();
    pair.close();
    arena.close();
  }
}
