// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.numeric.Contributions;
import io.nitinol.tck.numeric.InputSort;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TestedCollNet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes commands in the process of a peer with a CollNet: it is one member of one group, with
 * one operation at a time. A command that may have to be repeated states for how many milliseconds.
 */
final class CollPuppet {
  private final TestedCollNet net;
  private @Nullable ListenComm listener;
  private @Nullable CollComm comm;
  private @Nullable Request request;
  private @Nullable GuardedArea result;
  private @Nullable Contributions contributions;
  private long count;

  CollPuppet(TestedCollNet net) {
    this.net = net;
  }

  /** Executes a command and returns the words of the answer. */
  String obey(String[] words) {
    return switch (words[0]) {
      case "listen" -> listen(Integer.parseInt(words[1]));
      case "connect" ->
          connect(Integer.parseInt(words[1]), Arrays.copyOfRange(words, 2, words.length));
      case "start" -> start(words);
      case "finish" -> finish(millis(words[1]));
      case "reset" -> reset();
      case "exit" -> {
        Runtime.getRuntime().exit(0);
        yield "";
      }
      default -> throw new IllegalArgumentException("unknown command " + Arrays.toString(words));
    };
  }

  private String listen(int handleSize) {
    MemorySegment handle = Arena.global().allocate(handleSize, 8);
    listener = net.listen(0, handle);
    return HexFormat.of().formatHex(handle.toArray(ValueLayout.JAVA_BYTE));
  }

  /** connect RANK HANDLE... */
  private String connect(int rank, String[] hex) {
    MemorySegment[] handles = new MemorySegment[hex.length];
    for (int i = 0; i < hex.length; i++) {
      byte[] bytes = HexFormat.of().parseHex(hex[i]);
      handles[i] = Arena.global().allocate(bytes.length, 8);
      MemorySegment.copy(bytes, 0, handles[i], ValueLayout.JAVA_BYTE, 0, bytes.length);
    }
    comm = net.connect(handles, handles.length, rank, Objects.requireNonNull(listener));
    return "";
  }

  /** start TYPE OP COUNT SEED MEMBERS RANK MILLIS. */
  private String start(String[] words) {
    DataType type = DataType.valueOf(words[1]);
    ReductionOp op = ReductionOp.valueOf(words[2]);
    long elements = Long.parseLong(words[3]);
    Contributions all =
        new Contributions(
            InputSort.EXACT, type, op, Integer.parseInt(words[5]), Long.parseLong(words[4]));
    CollComm own = Objects.requireNonNull(comm);
    GuardedArea from = new GuardedArea(Arena.global(), elements * type.size(), "COLL-22");
    GuardedArea to = new GuardedArea(Arena.global(), elements * type.size(), "COLL-22");
    all.fill(from.segment(), 0, elements, Integer.parseInt(words[6]));
    MemoryHandle fromMr = net.regMr(own, from.memory());
    MemoryHandle toMr = net.regMr(own, to.memory());
    contributions = all;
    result = to;
    count = elements;
    return within(
        millis(words[7]),
        () -> {
          request = net.iallreduce(own, fromMr, 0, toMr, 0, elements, type, op);
          return request != null;
        });
  }

  /** Answers "yes" with the first wrong number, if there is one; or "no". */
  private String finish(long nanos) {
    Request flying = Objects.requireNonNull(request);
    String done = within(nanos, () -> net.test(flying, null));
    if (done.equals("no")) {
      return done;
    }
    request = null;
    GuardedArea area = Objects.requireNonNull(result);
    area.checkGuards();
    String wrong = Objects.requireNonNull(contributions).firstWrong(area.segment(), 0, count);
    return wrong == null ? "yes" : "yes " + wrong;
  }

  private String reset() {
    if (comm != null) {
      net.closeColl(comm);
      comm = null;
    }
    if (listener != null) {
      net.closeListen(listener);
      listener = null;
    }
    return "";
  }

  private static String within(long nanos, BooleanSupplier poll) {
    return Session.within(nanos, poll) ? "yes" : "no";
  }

  private static long millis(String word) {
    return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(word));
  }
}
