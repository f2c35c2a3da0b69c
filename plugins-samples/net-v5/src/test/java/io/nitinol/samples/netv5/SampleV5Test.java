// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.module.ModuleDescriptor;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two ends of the plugin, over TCP on the loopback interface; names of rules are SPEC.md's. */
class SampleV5Test {
  private static final int SIZE = 1 << 20;
  private static final int[] ONE_TAG = {7};

  private final Log log = new Log();
  private final SampleV5 sender = plugin(log);
  private final SampleV5 receiver = plugin(log);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment from = arena.allocate(SIZE);
  private final MemorySegment into = arena.allocate(SIZE);
  private final MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
  private ListenComm listener;
  private SendComm send;
  private RecvComm recv;
  private MemoryHandle sendMr;
  private MemoryHandle recvMr;

  @BeforeEach
  void connect() {
    listener = receiver.listen(0, handle);
    MemorySegment copy = copy();
    await(() -> {
      send = send == null ? sender.connect(0, copy) : send;
      recv = recv == null ? receiver.accept(listener) : recv;
      return send != null && recv != null;
    });
    sendMr = sender.regMr(send, Memory.ofHost(from));
    recvMr = receiver.regMr(recv, Memory.ofHost(into));
    for (int i = 0; i < SIZE; i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
    }
  }

  @AfterEach
  void release() {
    arena.close();
  }

  @Test
  void messagesOfEveryLengthArriveAndReportTheirSize() {
    int[] size = {-1, -1};
    for (int length : new int[] {0, 1, 3, 4095, 4096, 4097, 65_537, SIZE - 9}) {
      into.fill((byte) 0x55);
      Request r = irecv(4, SIZE - 4, 7);
      Request s = isend(9, length, 7);
      finish(r, size, s);
      assertThat(size).containsExactly(length, -1); // NET-TEST-08
      assertThat(into.asSlice(4, length).mismatch(from.asSlice(9, length))).isEqualTo(-1);
      assertThat(into.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 0x55);
      if (4 + length < SIZE) {
        assertThat(into.get(ValueLayout.JAVA_BYTE, 4 + length)).isEqualTo((byte) 0x55);
      }
    }
  }

  @Test
  void tagsChooseThePieceAndEqualOnesGoInOrder() {
    Request r = irecv(new int[] {0, 100, 200, 300}, 100, new int[] {5, 6, 5, 9});
    Request a = isend(1000, 10, 9);
    Request b = isend(2000, 20, 5);
    Request c = isend(3000, 30, 5);
    Request d = isend(4000, 40, 6);
    int[] sizes = new int[4];
    finish(r, sizes, a, b, c, d);
    assertThat(sizes).containsExactly(20, 40, 30, 10); // NET-RECV-09, NET-RECV-10
    assertThat(into.asSlice(0, 20).mismatch(from.asSlice(2000, 20))).isEqualTo(-1);
    assertThat(into.asSlice(100, 40).mismatch(from.asSlice(4000, 40))).isEqualTo(-1);
    assertThat(into.asSlice(200, 30).mismatch(from.asSlice(3000, 30))).isEqualTo(-1);
    assertThat(into.asSlice(300, 10).mismatch(from.asSlice(1000, 10))).isEqualTo(-1);
  }

  @Test
  void aSendThatRunsAheadIsNullUntilItsReceiveIsTheOldest() {
    Request first = irecv(new int[] {0, 100}, 100, new int[] {1, 2});
    Request second = irecv(new int[] {200, 300}, 100, new int[] {1, 2});
    Request one = isend(0, 10, 1);
    assertThat(sender.isend(send, sendMr, 10, 10, 1)).isNull(); // NET-RECV-11
    assertThat(sender.isend(send, sendMr, 10, 10, 3)).isNull(); // a tag nobody has, NET-RECV-12
    Request two = isend(20, 10, 2);
    Request three = isend(30, 10, 1);
    Request four = isend(40, 10, 2);
    finish(first, null, one, two);
    finish(second, null, three, four);
    assertThat(into.asSlice(200, 10).mismatch(from.asSlice(30, 10))).isEqualTo(-1);
    assertThat(into.asSlice(300, 10).mismatch(from.asSlice(40, 10))).isEqualTo(-1);
  }

  @Test
  void asManyOperationsFlyAsTheContractAsks() {
    List<Request> receives = new ArrayList<>();
    List<Request> sends = new ArrayList<>();
    int[] tags = {0, 1, 2, 3};
    for (int i = 0; i < Net.MAX_REQUESTS; i++) {
      int at = i * 256;
      receives.add(irecv(new int[] {at, at + 64, at + 128, at + 192}, 64, tags));
    }
    assertThat(
            receiver.irecv(
                recv, 1, new MemoryHandle[] {recvMr}, new long[1], new long[] {1}, ONE_TAG))
        .isNull(); // NET-RECV-02
    for (int i = 0; i < Net.MAX_REQUESTS * 4; i++) {
      sends.add(isend(i * 64, 64, i % 4)); // NET-SEND-03
    }
    Request youngest = receives.removeLast();
    await(() -> receiver.test(youngest, null)); // NET-TEST-03
    Request last = sends.removeLast();
    await(() -> sender.test(last, null));
    for (Request r : receives) {
      assertThat(receiver.test(r, new int[4])).isTrue();
    }
    for (Request s : sends) {
      assertThat(sender.test(s, null)).isTrue();
    }
    assertThat(into.asSlice(0, 8192).mismatch(from.asSlice(0, 8192))).isEqualTo(-1);
  }

  @Test
  void twoThreadsCarryThousandsOfMessagesInMixedReceives() throws Exception {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<?> sent = threads.submit(() -> sendMixed(seed));
      Future<?> received = threads.submit(() -> receiveMixed(seed));
      received.get(240, TimeUnit.SECONDS);
      sent.get(240, TimeUnit.SECONDS);
    }
  }

  /** For each receive a seeded number of messages, sent in another order than that of its tags. */
  private void sendMixed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ArrayDeque<Request> flying = new ArrayDeque<>();
    for (int round = 0; round < 500; round++) {
      int pieces = random.nextInt(1, 5);
      int base = random.nextInt(1000);
      for (int i = pieces - 1; i >= 0; i--) {
        int piece = i;
        Request[] s = new Request[1];
        int offset = base + piece;
        await(() -> {
          flying.removeIf(r -> sender.test(r, null));
          s[0] = sender.isend(send, sendMr, offset, length(base, piece), piece);
          return s[0] != null;
        });
        flying.add(s[0]);
      }
    }
    await(() -> {
      flying.removeIf(r -> sender.test(r, null));
      return flying.isEmpty();
    });
  }

  private void receiveMixed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = new int[4];
    for (int round = 0; round < 500; round++) {
      int pieces = random.nextInt(1, 5);
      int base = random.nextInt(1000);
      int[] at = new int[pieces];
      int[] tags = new int[pieces];
      for (int i = 0; i < pieces; i++) {
        at[i] = i * 40_000;
        tags[i] = i;
      }
      Request r = irecv(at, 40_000, tags);
      await(() -> receiver.test(r, sizes));
      for (int i = 0; i < pieces; i++) {
        int length = length(base, i);
        assertThat(sizes[i]).isEqualTo(length);
        assertThat(into.asSlice(at[i], length).mismatch(from.asSlice(base + i, length)))
            .isEqualTo(-1);
      }
    }
  }

  private static int length(int base, int piece) {
    return (base * 37 + piece * 11) % 40_000;
  }

  @Test
  void nobodyEverWaitsForAnybody() { // NET-CONN-07 to NET-CONN-11
    assertThat(receiver.accept(listener)).isNull();
    List<SendComm> sends = new ArrayList<>();
    List<MemorySegment> copies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      copies.add(copy());
    }
    List<RecvComm> recvs = new ArrayList<>();
    await(() -> {
      copies.removeIf(c -> {
        SendComm comm = sender.connect(0, c);
        return comm != null && sends.add(comm);
      });
      RecvComm comm = receiver.accept(listener);
      return comm != null && recvs.add(comm) && recvs.size() == 20;
    });
    await(() -> {
      copies.removeIf(c -> sender.connect(0, c) != null);
      return copies.isEmpty();
    });
    assertThat(recvs).doesNotHaveDuplicates();
    sends.forEach(sender::closeSend);
    recvs.forEach(receiver::closeRecv);
  }

  @Test
  void strangersAreDroppedAndDelayNobody() throws Exception {
    int port = Short.toUnsignedInt(handle.asByteBuffer().getShort(12));
    InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (Socket _ = new Socket(address, port);
        Socket garbage = new Socket(address, port)) {
      garbage.getOutputStream().write(new byte[200]);
      MemorySegment copy = copy();
      SendComm[] s = new SendComm[1];
      RecvComm[] r = new RecvComm[1];
      await(() -> {
        s[0] = s[0] == null ? sender.connect(0, copy) : s[0];
        r[0] = r[0] == null ? receiver.accept(listener) : r[0];
        return s[0] != null && r[0] != null;
      });
      await(() -> {
        receiver.accept(listener);
        return log.lines.stream().anyMatch(l -> l.startsWith("WARN") && l.contains("127.0.0.1"));
      });
    }
  }

  @Test
  void aMessageLargerThanItsPieceIsInvalidUsage() {
    into.fill((byte) 0x55);
    Request r = irecv(0, 99, 7);
    Request s = isend(0, 100, 7);
    NetException e = failure(() -> receiver.test(r, null));
    assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE); // NET-RECV-06
    assertThat(e).hasMessageContaining("100 bytes").hasMessageContaining("99");
    assertThat(into.mismatch(arena.allocate(SIZE).fill((byte) 0x55))).isEqualTo(-1);
    assertThatThrownBy(() -> irecv(0, 99, 7)).isInstanceOf(NetException.class); // NET-ERR-05
    await(() -> sender.test(s, null)); // NET-SEND-10: it has left
    assertThat(failure(() -> sender.isend(send, sendMr, 0, 1, 7) != null).result())
        .isEqualTo(ResultCode.REMOTE_ERROR); // NET-RECV-07
  }

  @Test
  void whatWasSentBeforeACloseArrivesAndWhatComesLaterIsRemoteError() {
    Request first = irecv(0, SIZE, 7);
    irecv(0, SIZE, 7); // gets the next message whole or not at all
    Request third = irecv(0, SIZE, 7);
    Request s = isend(0, 5000, 7);
    int[] size = new int[1];
    finish(first, size, s);
    assertThat(size).containsExactly(5000);
    isend(0, SIZE, 7);
    sender.closeSend(send); // NET-CLOSE-02
    assertThat(failure(() -> receiver.test(third, null)).result()) // NET-CLOSE-05
        .isEqualTo(ResultCode.REMOTE_ERROR);
    receiver.closeRecv(recv); // NET-CLOSE-06
  }

  @Test
  void aReceiverThatLeavesIsRemoteErrorToTheSender() {
    irecv(0, SIZE, 7);
    isend(0, SIZE, 7);
    receiver.deregMr(recv, recvMr); // NET-REG-09
    receiver.closeRecv(recv);
    assertThat(failure(() -> sender.isend(send, sendMr, 0, 1, 7) != null).result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
    sender.closeSend(send);
  }

  @Test
  void aListenerThatIsClosedIsRemoteError() {
    receiver.closeListen(listener);
    MemorySegment copy = copy();
    assertThat(failure(() -> sender.connect(0, copy) != null).result()) // NET-CONN-14
        .isEqualTo(ResultCode.REMOTE_ERROR);
    Request r = irecv(0, 10, 7); // NET-CLOSE-07
    finish(r, null, isend(0, 10, 7));
  }

  @Test
  void wrongArgumentsAreInvalidAndHarmNothing() {
    invalid(() -> sender.isend(send, sendMr, -1, 1, 7));
    invalid(() -> sender.isend(send, sendMr, 0, -1, 7));
    invalid(() -> sender.isend(send, sendMr, 1, SIZE, 7));
    invalid(() -> sender.isend(send, sendMr, Long.MAX_VALUE, Long.MAX_VALUE, 7));
    invalid(() -> sender.isend(send, recvMr, 0, 1, 7)); // NET-REG-06
    invalid(() -> receiver.isend(send, sendMr, 0, 1, 7)); // NET-ERR-02
    invalid(() -> sender.isend(null, sendMr, 0, 1, 7));
    invalid(() -> sender.isend(send, null, 0, 1, 7));
    invalid(() -> sender.test(new Request() {}, null));
    invalid(() -> sender.regMr(send, Memory.ofDevice(4096, 4096, PointerType.CUDA)));
    invalid(() -> sender.getProperties(-1));
    invalid(() -> receiver.listen(0, arena.allocate(127)));
    invalid(() -> sender.connect(0, arena.allocate(Net.HANDLE_MAXSIZE))); // NET-CONN-15
    invalid(() -> irecv(new int[5], 1, new int[5])); // NET-RECV-08
    invalid(() -> irecv(new int[2], 1, new int[1]));
    invalid(() -> irecv(new int[] {0, SIZE}, 1, new int[2])); // NET-RECV-16
    MemoryHandle readOnly = receiver.regMr(recv, Memory.ofHost(into.asReadOnly()));
    invalid(() ->
        receiver.irecv(recv, 1, new MemoryHandle[] {readOnly}, new long[1], new long[1], ONE_TAG));
    receiver.deregMr(recv, readOnly);
    invalid(() -> receiver.deregMr(recv, readOnly)); // NET-REG-07
    assertThat(receiver.iflush(recv, 1, new MemoryHandle[] {recvMr}, new long[1], new long[] {1}))
        .isNull(); // NET-FLUSH-02
    Request r = irecv(new int[] {0, 1}, 1, new int[] {1, 2});
    invalid(() -> receiver.test(r, new int[1])); // NET-TEST-07
    invalid(() -> sender.test(r, null));
    finish(r, new int[2], isend(0, 1, 2), isend(0, 1, 1)); // NET-ERR-03
    receiver.closeRecv(recv);
    invalid(() -> irecv(0, 1, 7));
  }

  @Test
  void thePluginIsDeclaredForTheModulePathAndTheClassPath() throws IOException { // SEL-01
    try (InputStream in = SampleV5.class.getResourceAsStream("/module-info.class")) {
      assertThat(ModuleDescriptor.read(in).provides())
          .anyMatch(p ->
              p.service().equals(Net.class.getName())
                  && p.providers().contains(SampleV5.class.getName()));
    }
    try (InputStream in =
        SampleV5.class.getResourceAsStream("/META-INF/services/" + Net.class.getName())) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
          .isEqualTo(SampleV5.class.getName());
    }
    assertThat(new SampleV5().name()).isEqualTo("SampleV5");
    assertThat(sender.getProperties(0)).isEqualTo(sender.getProperties(0));
    assertThat(sender.getProperties(0).maxRecvs()).isEqualTo(4);
  }

  private MemorySegment copy() {
    return arena.allocate(Net.HANDLE_MAXSIZE).copyFrom(handle);
  }

  private Request isend(int offset, int length, int tag) {
    Request[] s = new Request[1];
    await(() -> (s[0] = sender.isend(send, sendMr, offset, length, tag)) != null);
    return s[0];
  }

  private Request irecv(int offset, int room, int tag) {
    return irecv(new int[] {offset}, room, new int[] {tag});
  }

  private Request irecv(int[] at, int room, int[] tags) {
    MemoryHandle[] mrs = new MemoryHandle[at.length];
    long[] offsets = new long[at.length];
    long[] lengths = new long[at.length];
    for (int i = 0; i < at.length; i++) {
      mrs[i] = recvMr;
      offsets[i] = at[i];
      lengths[i] = room;
    }
    return receiver.irecv(recv, at.length, mrs, offsets, lengths, tags);
  }

  /** Tests the receive and all sends in turn until each has completed, once. */
  private void finish(Request receive, int[] sizes, Request... sends) {
    List<Request> left = new ArrayList<>(List.of(sends));
    boolean[] received = new boolean[1];
    await(() -> {
      left.removeIf(s -> sender.test(s, null));
      received[0] = received[0] || receiver.test(receive, sizes);
      return received[0] && left.isEmpty();
    });
  }

  /** The environment of this process says that the device is lo: see the pom. */
  private static SampleV5 plugin(Log log) {
    SampleV5 plugin = new SampleV5();
    plugin.init(log);
    return plugin;
  }

  private static void invalid(Callable<?> call) {
    assertThatThrownBy(call::call)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT));
  }

  private static void invalid(Runnable call) {
    invalid(Executors.callable(call));
  }

  private static NetException failure(BooleanSupplier call) {
    return catchThrowableOfType(NetException.class, () -> await(call));
  }

  /** Asks until the answer is true. */
  private static void await(BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      Thread.onSpinWait();
    }
  }

  private static final class Log implements DebugLogger {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return true;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {
      lines.add(level + " " + location + ": " + message);
    }
  }
}
