// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes commands in the process of a peer. Each command names the object that it makes by a
 * number that the test chose. A command that may have to be repeated states for how many
 * milliseconds; 0 is one call.
 */
final class Puppet {

  /** A send or a receive. */
  private static final class CollOperation {
    final int comm;
    final boolean sends;
    final GuardedArea[] pieces;
    final int[] sizes;
    private final Supplier<@Nullable Request> posting;
    private @Nullable Request request;
    private boolean done;

    CollOperation(
        int comm, boolean sends, GuardedArea[] pieces, Supplier<@Nullable Request> posting) {
      this.comm = comm;
      this.sends = sends;
      this.pieces = pieces;
      this.sizes = new int[pieces.length];
      this.posting = posting;
    }

    /** Returns whether the plugin has it; asks for it where it has not. */
    boolean post() {
      if (request == null) {
        request = posting.get();
      }
      return request != null;
    }

    /** Tests it unless it has been reported complete, after which no call may name it. */
    boolean test(TestedNet net) {
      done = done || net.test(Objects.requireNonNull(request), sizes);
      return done;
    }
  }

  private final TestedNet net;
  private final Map<Integer, ListenComm> listeners = new HashMap<>();
  private final Map<Integer, MemorySegment> attempts = new HashMap<>();
  private final Map<Integer, Comm> comms = new HashMap<>();
  private final Map<Integer, CollOperation> operations = new LinkedHashMap<>();
  private Arena messages = Arena.ofShared();

  Puppet(TestedNet net) {
    this.net = net;
  }

  /** Executes a command and returns the words of the answer. */
  String obey(String[] words) {
    int id = words.length > 1 ? Integer.parseInt(words[1]) : 0;
    return switch (words[0]) {
      case "listen" -> listen(id, number(words, 2), number(words, 3));
      case "connect" -> connect(id, number(words, 2), words[3], millis(words, 4));
      case "accept" -> accept(number(words, 2), id, millis(words, 3));
      case "send" -> send(id, words);
      case "receive" -> receive(id, words);
      case "post" -> post(operation(id)) ? "yes" : "no";
      case "test" -> test(operation(id), millis(words, 2));
      case "poll" -> poll();
      case "verify" -> verify(operation(id), words);
      case "close" -> close(id);
      case "unlisten" -> unlisten(id);
      case "reset" -> reset();
      case "exit" -> {
        Runtime.getRuntime().exit(id);
        yield "";
      }
      default -> throw new IllegalArgumentException("unknown command " + Arrays.toString(words));
    };
  }

  private String listen(int id, int device, int handleSize) {
    MemorySegment handle = Arena.global().allocate(handleSize, 8);
    listeners.put(id, net.listen(device, handle));
    return HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE));
  }

  private String connect(int id, int device, String hex, long nanos) {
    MemorySegment handle =
        attempts.computeIfAbsent(
            id,
            absent -> {
              byte[] bytes = HexFormat.of().parseHex(hex);
              MemorySegment copy = Arena.global().allocate(bytes.length, 8);
              MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
              return copy;
            });
    return within(
        nanos,
        () -> {
          SendComm comm = net.connect(device, handle);
          if (comm != null) {
            comms.put(id, comm);
          }
          return comm != null;
        });
  }

  private String accept(int listener, int id, long nanos) {
    ListenComm listening = find(listeners, listener, "listener");
    return within(
        nanos,
        () -> {
          RecvComm comm = net.accept(listening);
          if (comm != null) {
            comms.put(id, comm);
          }
          return comm != null;
        });
  }

  /** send ID COMM SIZE SEED TAG MILLIS. */
  private String send(int id, String[] words) {
    SendComm comm = (SendComm) comm(number(words, 2));
    GuardedArea area = new GuardedArea(messages, number(words, 3), "NET-RECV-05");
    area.fill(Long.parseLong(words[4]));
    MemoryHandle mr = net.regMr(comm, area.memory());
    int tag = number(words, 5);
    CollOperation operation =
        new CollOperation(
            number(words, 2),
            true,
            new GuardedArea[] {area},
            () -> net.isend(comm, mr, 0, area.size(), tag));
    operations.put(id, operation);
    return within(millis(words, 6), () -> post(operation));
  }

  /** Posts an operation behind the older ones of its comm, whose order is that of the commands. */
  private boolean post(CollOperation operation) {
    for (CollOperation each : operations.values()) {
      if (each.comm == operation.comm && !posted(each)) {
        return false;
      }
      if (each == operation) {
        return true;
      }
    }
    throw new IllegalArgumentException("the operation's comm is closed");
  }

  /** Posts it; says which call has failed, since the command may be about another one. */
  private static boolean posted(CollOperation operation) {
    try {
      return operation.post();
    } catch (NetException e) {
      throw operation.sends
          ? new CallFailed("NET-SEND-08", "isend", e)
          : new CallFailed("NET-RECV-02", "irecv", e);
    }
  }

  /**
   * Posts and tests the operations of all comms once, as NCCL does: the oldest of a comm that is
   * not complete.
   */
  private String poll() {
    Set<Integer> busy = new HashSet<>();
    for (CollOperation each : operations.values()) {
      if (!busy.contains(each.comm) && !(posted(each) && each.test(net))) {
        busy.add(each.comm);
      }
    }
    return "";
  }

  /** receive ID COMM MILLIS SIZE:TAG... */
  private String receive(int id, String[] words) {
    RecvComm comm = (RecvComm) comm(number(words, 2));
    int n = words.length - 4;
    MemoryHandle[] mrs = new MemoryHandle[n];
    long[] lengths = new long[n];
    int[] tags = new int[n];
    GuardedArea[] pieces = new GuardedArea[n];
    for (int i = 0; i < n; i++) {
      String[] piece = words[4 + i].split(":", -1);
      lengths[i] = Long.parseLong(piece[0]);
      tags[i] = Integer.parseInt(piece[1]);
      pieces[i] = new GuardedArea(messages, lengths[i], "NET-RECV-05");
      mrs[i] = net.regMr(comm, pieces[i].memory());
    }
    CollOperation operation =
        new CollOperation(
            number(words, 2),
            false,
            pieces,
            () -> net.irecv(comm, n, mrs, new long[n], lengths, tags));
    operations.put(id, operation);
    return within(millis(words, 3), () -> post(operation));
  }

  private String test(CollOperation operation, long nanos) {
    String done = within(nanos, () -> post(operation) && operation.test(net));
    if (done.equals("no")) {
      return operation.request == null ? PeerRequest.NO_ROOM : done;
    }
    StringBuilder sizes = new StringBuilder(done);
    for (int size : operation.sizes) {
      sizes.append(' ').append(size);
    }
    return sizes.toString();
  }

  /** verify ID PIECE LENGTH SEED: the first wrong byte, or -1. */
  private static String verify(CollOperation operation, String[] words) {
    GuardedArea piece = operation.pieces[number(words, 2)];
    piece.checkGuards();
    return Long.toString(
        piece.firstDifference(0, Long.parseLong(words[3]), Long.parseLong(words[4])));
  }

  private String close(int id) {
    Comm comm = comm(id);
    comms.remove(id);
    operations.values().removeIf(operation -> operation.comm == id);
    if (comm instanceof SendComm send && attempts.containsKey(id)) {
      net.closeSend(send);
    } else {
      net.closeRecv((RecvComm) comm);
    }
    return "";
  }

  private String unlisten(int id) {
    ListenComm listener = find(listeners, id, "listener");
    listeners.remove(id);
    net.closeListen(listener);
    return "";
  }

  private String reset() {
    for (Integer id : comms.keySet().toArray(Integer[]::new)) {
      close(id);
    }
    for (Integer id : listeners.keySet().toArray(Integer[]::new)) {
      unlisten(id);
    }
    attempts.clear();
    operations.clear();
    messages.close();
    messages = Arena.ofShared();
    return "";
  }

  private Comm comm(int id) {
    return find(comms, id, "comm");
  }

  private CollOperation operation(int id) {
    return find(operations, id, "operation");
  }

  private static <T> T find(Map<Integer, T> map, int id, String what) {
    T found = map.get(id);
    if (found == null) {
      throw new IllegalArgumentException("there is no " + what + " " + id);
    }
    return found;
  }

  private static String within(long nanos, BooleanSupplier poll) {
    if (nanos == 0) {
      return poll.getAsBoolean() ? "yes" : "no";
    }
    return Session.within(nanos, poll) ? "yes" : "no";
  }

  private static int number(String[] words, int at) {
    return Integer.parseInt(words[at]);
  }

  private static long millis(String[] words, int at) {
    return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[at]));
  }
}
