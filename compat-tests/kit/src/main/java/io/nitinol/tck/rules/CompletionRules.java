// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.Promptness;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.Flag;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TestedNet;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The answers of test: when it reports completion, and what it writes. */
public final class CompletionRules {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int UNTOUCHED = -77;
  private static final long IN_ORDER = TimeUnit.SECONDS.toNanos(1);
  private static final long WATCHED = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MANY_POLLS = 20_000;

  /** How long a small message is watched that is to come. */
  private static final long ARRIVES = TimeUnit.MILLISECONDS.toNanos(5);

  @Rule("NET-TEST-01")
  void testReturnsWhilePeersAreIdle(NetSession session) {
    long length = session.cut(32L * MIB);
    GuardedArea from = session.area(length);
    GuardedArea to = session.area(2 * length);
    Promptness.check(
        session,
        "test of an operation of " + length + " bytes",
        watch -> {
          NetConnection connection = session.connect();
          MemoryHandle toMr = connection.registerRecv(to);
          MemoryHandle fromMr = connection.registerSend(from);
          Request first = connection.irecv(toMr, 0, length, SlotTraffic.TAG);
          Request second = connection.irecv(toMr, length, length, SlotTraffic.TAG);
          for (int i = 0; i < 50; i++) {
            watch.timed(() -> connection.testRecv(second, null));
          }
          Request sending = connection.isend(fromMr, 0, length, SlotTraffic.TAG, first);
          boolean sent = false;
          for (int i = 0; i < 50 && !sent; i++) {
            sent = watch.timed(() -> connection.testSend(sending, null));
          }
          boolean came = false;
          for (int i = 0; i < 50 && !came; i++) {
            came = watch.timed(() -> connection.testRecv(first, null));
          }
          connection.close();
        });
  }

  @Rule("NET-TEST-02")
  void requestsMayBeTestedInAnyOrder(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 60, KIB);
    for (int round = 0; round < (session.full() ? 200 : 24); round++) {
      testInAnyOrder(session, traffic, 60, round % 2 == 0 ? 6 : session.maxRequests());
    }
  }

  private static void testInAnyOrder(
      NetSession session, SlotTraffic traffic, int messages, int window) {
    NetConnection connection = traffic.connection();
    List<Request> sends = new ArrayList<>();
    List<Request> receives = new ArrayList<>();
    int[] started = new int[2];
    BooleanSupplier anyOrder =
        () -> {
          if (started[0] < messages && receives.size() < window) {
            if (traffic.tryPost(started[0], KIB, SlotTraffic.TAG)) {
              started[0]++;
              receives.add(traffic.takeReceive());
            }
          }
          if (started[1] < started[0] && sends.size() < window) {
            if (traffic.trySend(started[1], KIB, SlotTraffic.TAG)) {
              started[1]++;
              sends.add(traffic.takeSend());
            }
          }
          // Now and then only, or there would never be two in flight where messages arrive at once.
          if (started[1] == messages || session.random().nextInt(4) == 0) {
            if (testOne(session, sends, request -> connection.sender().test(request, null))) {
              traffic.takenSendEnded();
            }
            testOne(session, receives, request -> connection.receiver().test(request, null));
          }
          return started[1] == messages && sends.isEmpty() && receives.isEmpty();
        };
    if (!NetSession.within(session.terms().patience().nanos(), anyOrder)) {
      session.terms().patience().disappointed();
      // What does not complete in any other order, either, is not a matter of the order.
      boolean inOrder =
          NetSession.within(
              IN_ORDER,
              () -> {
                sends.removeIf(request -> connection.testSend(request, null));
                receives.removeIf(request -> connection.testRecv(request, null));
                return sends.isEmpty() && receives.isEmpty();
              });
      throw new RuleViolation(
          inOrder ? "NET-TEST-02" : "NET-TEST-05",
          ErrorText.of(
              "waited in vain for %s messages whose requests are tested in an order of chance",
              messages));
    }
    for (int k = 0; k < messages; k++) {
      traffic.verifyContent(k, "NET-RECV-03");
    }
  }

  /** Tests one of the requests, if there is any; returns whether it is complete. */
  private static boolean testOne(
      NetSession session, List<Request> requests, Predicate<Request> test) {
    if (requests.isEmpty()) {
      return false;
    }
    int index = session.random().nextInt(requests.size());
    Request request = requests.get(index);
    boolean complete =
        session.step(
            "NET-TEST-02",
            "test of request " + index + " of " + requests.size(),
            () -> test.test(request));
    if (complete) {
      requests.remove(index);
    }
    return complete;
  }

  @Rule("NET-TEST-03")
  void testingTheYoungestIsEnough(NetSession session) {
    for (int most : new int[] {KIB, 256 * KIB}) {
      int length = session.cut(most);
      // Of short messages as many as may be under way.
      int messages = most == KIB ? session.maxRequests() : 6;
      SlotTraffic traffic = new SlotTraffic(session, messages, length);
      NetConnection connection = traffic.connection();
      List<Request> receives = new ArrayList<>();
      List<Request> sends = new ArrayList<>();
      Flag[] received = flags(messages);
      Flag[] sent = flags(messages);
      for (int k = 0; k < messages; k++) {
        traffic.post(k, length, () -> testYoungest(receives, received, connection::testRecv));
        receives.add(traffic.takeReceive());
      }
      for (int k = 0; k < messages; k++) {
        traffic.send(
            k,
            length,
            SlotTraffic.TAG,
            () -> {
              testYoungest(sends, sent, connection::testSend);
              testYoungest(receives, received, connection::testRecv);
            });
        sends.add(traffic.takeSend());
      }
      session.await(
          "NET-TEST-03",
          "the youngest of " + messages + " messages of " + length + " bytes, the only one tested",
          () -> {
            boolean last = testYoungest(sends, sent, connection::testSend);
            return testYoungest(receives, received, connection::testRecv) && last;
          });
      for (int k = 0; k < messages; k++) {
        int each = k;
        session.await(
            "NET-TEST-03",
            "message " + k + ", before one that has completed",
            () -> sent[each].by(() -> connection.testSend(sends.get(each), null)));
        session.await(
            "NET-TEST-03",
            "message " + k + ", before one that has completed",
            () -> received[each].by(() -> connection.testRecv(receives.get(each), null)));
      }
      for (int k = 0; k < messages; k++) {
        traffic.verifyContent(k, "NET-RECV-03");
      }
    }
  }

  private static Flag[] flags(int count) {
    Flag[] flags = new Flag[count];
    Arrays.setAll(flags, i -> new Flag());
    return flags;
  }

  /** Tests the last request so far once, unless it has completed; true when it has. */
  private static boolean testYoungest(List<Request> requests, Flag[] done, Tested test) {
    int last = requests.size() - 1;
    return last >= 0 && done[last].by(() -> test.test(requests.get(last), null));
  }

  /** A test of one end's requests. */
  private interface Tested {
    boolean test(Request request, int @Nullable [] sizes);
  }

  @Rule("NET-TEST-05")
  void nothingIsCompleteBeforeItHasHappened(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 2, KIB);
    traffic.post(0, KIB);
    watchIncomplete(session, traffic, 1, "a receive for which nothing has been sent");
    traffic.post(1, KIB);
    traffic.send(0, KIB);
    session.await(
        "NET-TEST-05",
        "the first of two receives to complete",
        () -> {
          traffic.poll();
          return traffic.receiving() < 2 && traffic.sending() == 0;
        });
    watchIncomplete(session, traffic, 1, "the second of two receives for one message");
    traffic.send(1, KIB);
    traffic.finish();
    traffic.verify(0, 2);
  }

  private static void watchIncomplete(
      NetSession session, SlotTraffic traffic, int expected, String what) {
    int[] polls = new int[1];
    long end = System.nanoTime() + WATCHED;
    while (polls[0]++ < MANY_POLLS || System.nanoTime() - end < 0) {
      traffic.poll();
      session.check(
          traffic.receiving() == expected, "%s was complete after %d tests", what, polls[0]);
    }
  }

  @Rule("NET-TEST-05")
  void everyOperationCompletes(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 4, KIB);
    for (int round = 0; round < 100; round++) {
      for (int k = 0; k < 4; k++) {
        traffic.post(k, KIB);
      }
      for (int k = 0; k < 4; k++) {
        traffic.send(k, KIB);
      }
      traffic.finish();
      traffic.verify(0, 4);
    }
  }

  @Rule("NET-TEST-07")
  void anArrayForTheSizesMustBeLongEnough(NetSession session) {
    int pieces = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, pieces, KIB);
    NetConnection connection = traffic.connection();
    int[] tags = new int[pieces];
    Arrays.setAll(tags, i -> i);
    traffic.post(0, KIB, tags);
    Request receiving = traffic.takeReceive();
    refused(session, "a receive under way", connection, receiving, new int[pieces - 1], false);
    traffic.send(0, KIB, tags[0]);
    Request sending = traffic.takeSend();
    refused(session, "a send", connection, sending, new int[0], true);
    for (int k = 1; k < pieces; k++) {
      traffic.send(k, KIB, tags[k]);
    }
    // By now the bytes may have come; they must not be lost on a call that is refused.
    NetSession.within(
        TimeUnit.MILLISECONDS.toNanos(5),
        () -> {
          traffic.pollSends();
          refused(session, "a send", connection, sending, new int[0], true);
          refused(session, "a receive", connection, receiving, new int[pieces - 1], false);
          return false;
        });
    int[] longer = new int[pieces + 3];
    boolean[] done = new boolean[2];
    session.await(
        "NET-TEST-07",
        "operations to complete that were tested with too short an array before",
        () -> {
          traffic.pollSends();
          done[0] = done[0] || after(session, connection.sender(), sending, new int[5]);
          done[1] = done[1] || after(session, connection.receiver(), receiving, longer);
          return done[0] && done[1];
        });
  }

  /** Checks that a request survives refused tests of it. */
  private static boolean after(NetSession session, TestedNet net, Request request, int[] sizes) {
    return session.step(
        "NET-TEST-07",
        "test of a request that was tested with too short an array before",
        () -> net.test(request, sizes));
  }

  @Rule("NET-TEST-07")
  void noArrayForTheSizesIsNeeded(NetSession session) {
    int most = session.maxRecvs();
    int[] tags = new int[most];
    Arrays.setAll(tags, i -> i);
    for (int pieces : most == 1 ? new int[] {1} : new int[] {1, most}) {
      SlotTraffic traffic = new SlotTraffic(session, pieces, KIB);
      traffic.post(0, KIB, Arrays.copyOf(tags, pieces));
      Request receiving = traffic.takeReceive();
      withoutSizes(session, traffic.connection().receiver(), receiving, pieces);
      for (int k = 0; k < pieces; k++) {
        traffic.send(k, KIB, tags[k]);
      }
      session.await(
          "NET-TEST-05",
          "a receive of " + pieces + " pieces, tested with null for the sizes, to complete",
          () -> {
            traffic.pollSends();
            return withoutSizes(session, traffic.connection().receiver(), receiving, pieces);
          });
      traffic.finish();
      for (int k = 0; k < pieces; k++) {
        traffic.verifyContent(k, "NET-RECV-03");
      }
    }
  }

  private static boolean withoutSizes(
      NetSession session, TestedNet net, Request request, int pieces) {
    try {
      return net.test(request, null);
    } catch (RuntimeException e) {
      throw session.broken(
          "test of a receive of " + pieces + " pieces with null for the sizes threw " + e);
    }
  }

  private static void refused(
      NetSession session,
      String what,
      NetConnection connection,
      Request request,
      int[] sizes,
      boolean sends) {
    session.expect(
        "test of " + what + " with an array of " + sizes.length + " elements",
        () -> (sends ? connection.sender() : connection.receiver()).test(request, sizes),
        ResultCode.INVALID_ARGUMENT);
  }

  @Rule("NET-TEST-08")
  void sizesAreWrittenOnlyWithTheAnswer(NetSession session) {
    int longest = session.cut(3 * MIB + 1001);
    SlotTraffic traffic = new SlotTraffic(session, 1, longest);
    NetConnection connection = traffic.connection();
    for (int most : new int[] {64, 777, 65 * KIB - 3, 256 * KIB, MIB + 1, longest}) {
      int length = session.cut(most);
      traffic.post(0, longest);
      Request receiving = traffic.takeReceive();
      int[] sizes = new int[4];
      Arrays.fill(sizes, UNTOUCHED);
      Runnable early =
          () -> {
            session.check(
                !connection.testRecv(receiving, sizes), "a receive was complete before its send");
            untouched(session, sizes, 0, "an answer of false");
          };
      for (int i = 0; i < 100; i++) {
        early.run();
      }
      traffic.send(0, length, SlotTraffic.TAG, early);
      Request sending = traffic.takeSend();
      boolean[] done = new boolean[2];
      int[] sent = new int[4];
      Arrays.fill(sent, UNTOUCHED);
      session.await(
          "NET-TEST-05",
          "a message of " + length + " bytes",
          () -> {
            done[0] = done[0] || answers(session, connection, sending, sent, true);
            done[1] = done[1] || answers(session, connection, receiving, sizes, false);
            return done[0] && done[1];
          });
      session.check(
          sent[0] == length, "a send of %d bytes reported %d in element 0", length, sent[0]);
      session.require(
          "NET-RECV-04",
          sizes[0] == length,
          "a message of %d bytes for a piece of %d %s",
          length,
          longest,
          session.reported(sizes[0] == UNTOUCHED ? -1 : sizes[0], longest));
      untouched(session, sent, 1, "a send");
      untouched(session, sizes, 1, "a receive of one piece");
    }
    if (session.maxRecvs() > 1) {
      sizesOfAllPiecesAreWrittenAtOnce(session);
    }
  }

  /** Those that have come have their sizes when the last one has come, and not before. */
  private static void sizesOfAllPiecesAreWrittenAtOnce(NetSession session) {
    int pieces = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, pieces, KIB);
    int[] tags = new int[pieces];
    Arrays.setAll(tags, i -> 100 + i);
    traffic.post(0, KIB, tags);
    Request receiving = traffic.takeReceive();
    int[] sizes = new int[pieces + 2];
    Arrays.fill(sizes, UNTOUCHED);
    NetConnection connection = traffic.connection();
    int[] sent = new int[1];
    Runnable early =
        () -> {
          session.require(
              "NET-RECV-10",
              !connection.testRecv(receiving, sizes),
              "a receive of %d pieces was complete after %d messages",
              pieces,
              sent[0]);
          untouched(session, sizes, 0, "an answer of false after " + sent[0] + " of the messages");
        };
    for (; sent[0] < pieces - 1; sent[0]++) {
      traffic.send(sent[0], KIB - sent[0], tags[sent[0]], early);
      NetSession.within(
          ARRIVES,
          () -> {
            traffic.pollSends();
            early.run();
            return false;
          });
    }
    traffic.send(sent[0], KIB - sent[0], tags[sent[0]], early);
    session.await(
        "NET-TEST-05",
        "a receive of " + pieces + " pieces",
        () -> {
          traffic.pollSends();
          return answers(session, connection, receiving, sizes, false);
        });
    untouched(session, sizes, pieces, "a receive of " + pieces + " pieces");
    traffic.finish();
  }

  /** NCCL has room for one: an int on its stack. */
  @Rule("NET-TEST-08")
  void aSendWritesOneSizeAtMost(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle toMr = connection.registerRecv(session.area(KIB));
    MemoryHandle fromMr = connection.registerSend(session.area(KIB));
    for (int length : new int[] {0, 1, 64, KIB}) {
      Request receiving = connection.irecv(toMr, 0, KIB, SlotTraffic.TAG);
      Request sending = connection.isend(fromMr, 0, length, SlotTraffic.TAG, receiving);
      int[] sent = new int[4];
      Arrays.fill(sent, UNTOUCHED);
      Flag gone = new Flag();
      Flag came = new Flag();
      session.await(
          "NET-TEST-05",
          "a message of " + length + " bytes",
          () -> {
            boolean complete = gone.by(() -> connection.testSend(sending, sent));
            return came.by(() -> connection.testRecv(receiving, null)) && complete;
          });
      untouched(session, sent, 1, "a send");
    }
  }

  private static boolean answers(
      NetSession session, NetConnection connection, Request request, int[] sizes, boolean sends) {
    boolean done =
        sends ? connection.testSend(request, sizes) : connection.testRecv(request, sizes);
    if (!done) {
      untouched(session, sizes, 0, "an answer of false");
    }
    return done;
  }

  private static void untouched(NetSession session, int[] sizes, int from, String what) {
    for (int i = from; i < sizes.length; i++) {
      session.check(
          sizes[i] == UNTOUCHED,
          "%s wrote %d into element %d of an array of %d",
          what,
          sizes[i],
          i,
          sizes.length);
    }
  }

  /** The two ends are driven by two threads, as in two processes. */
  @Rule("NET-TEST-09")
  void theBytesAreThereWhenTheReceiveIsComplete(NetSession session) {
    int messages = session.full() ? 200 : 40;
    for (int most : new int[] {8, 4 * KIB, 256 * KIB}) {
      int length = session.cut(most);
      NetConnection connection = session.connect();
      GuardedArea from = session.area((long) messages * length);
      GuardedArea to = session.area(length);
      MemoryHandle fromMr = connection.registerSend(from);
      MemoryHandle toMr = connection.registerRecv(to);
      long seed = session.random().nextLong();
      SideThread sender =
          SideThread.start(
              "send",
              () -> {
                for (int i = 0; i < messages; i++) {
                  long offset = (long) i * length;
                  from.fill(offset, length, seed + i);
                  connection.finishSend(connection.isend(fromMr, offset, length, SlotTraffic.TAG));
                }
              });
      for (int i = 0; i < messages; i++) {
        Request receiving = connection.irecv(toMr, 0, length, SlotTraffic.TAG);
        session.await(
            "NET-TEST-05",
            "message " + i + " of " + length + " bytes from another thread",
            () -> {
              sender.check();
              return connection.testRecv(receiving, null);
            });
        long wrong = to.firstDifference(0, length, seed + i);
        session.check(
            wrong < 0,
            "message %d of %d bytes was reported complete with a wrong byte at %d",
            i,
            length,
            wrong);
      }
      sender.join(session.terms().patience().nanos());
    }
  }
}
