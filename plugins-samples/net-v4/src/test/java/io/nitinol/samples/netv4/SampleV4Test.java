// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

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
import io.nitinol.spi.net.v4.Net;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.module.ModuleDescriptor;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
class SampleV4Test {
  private static final int SIZE = 1 << 20;

  private final Log log = new Log();
  private final SampleV4 sender = plugin(log);
  private final SampleV4 receiver = plugin(log);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment from = arena.allocate(SIZE);
  private final MemorySegment into = arena.allocate(SIZE);
  private ListenComm listener;
  private SendComm send;
  private RecvComm recv;
  private MemoryHandle sendMr;
  private MemoryHandle recvMr;

  @BeforeEach
  void connect() {
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
    listener = receiver.listen(0, handle);
    connect(handle, listener);
    sendMr = sender.regMr(send, Memory.ofHost(from));
    recvMr = receiver.regMr(recv, Memory.ofHost(into));
    for (int i = 0; i < SIZE; i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
    }
  }

  private void connect(MemorySegment handle, ListenComm to) {
    send = null;
    recv = null;
    await(() -> {
      send = send == null ? sender.connect(0, handle) : send;
      recv = recv == null ? receiver.accept(to) : recv;
      return send != null && recv != null;
    });
  }

  @AfterEach
  void release() {
    arena.close();
  }

  @Test
  void messagesOfEveryLengthArriveInOrderAndReportTheirSize() {
    int[] sizes = new int[1];
    for (int length : new int[] {0, 1, 3, 4095, 4096, 4097, 65_537, SIZE - 9}) {
      into.fill((byte) 0x55);
      Request r = receiver.irecv(recv, recvMr, 4, SIZE - 4);
      Request s = sender.isend(send, sendMr, 9, length);
      boolean[] sent = new boolean[1];
      await(() -> {
        sent[0] = sent[0] || sender.test(s, null);
        return receiver.test(r, sizes);
      });
      await(() -> sent[0] || sender.test(s, null));
      assertThat(sizes[0]).isEqualTo(length);
      assertThat(into.asSlice(4, length).mismatch(from.asSlice(9, length))).isEqualTo(-1);
      assertThat(into.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 0x55);
      if (4 + length < SIZE) {
        assertThat(into.get(ValueLayout.JAVA_BYTE, 4 + length)).isEqualTo((byte) 0x55);
      }
    }
  }

  @Test
  void twoThreadsCarryAThousandMessages() throws Exception {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Integer> sent = threads.submit(sending(seed));
      Future<Integer> received = threads.submit(receiving(seed));
      assertThat(received.get(240, TimeUnit.SECONDS)).isEqualTo(1000);
      assertThat(sent.get(240, TimeUnit.SECONDS)).isEqualTo(1000);
    }
  }

  private Callable<Integer> sending(long seed) {
    return () -> {
      SplittableRandom random = new SplittableRandom(seed);
      List<Request> flying = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        int length = random.nextInt(20_000);
        int offset = random.nextInt(SIZE - length);
        Request[] request = new Request[1];
        while (request[0] == null) {
          request[0] = sender.isend(send, sendMr, offset, length);
          flying.removeIf(r -> sender.test(r, null));
        }
        flying.add(request[0]);
      }
      await(() -> {
        flying.removeIf(r -> sender.test(r, null));
        return flying.isEmpty();
      });
      return 1000;
    };
  }

  private Callable<Integer> receiving(long seed) {
    return () -> {
      SplittableRandom random = new SplittableRandom(seed);
      int[] size = new int[1];
      for (int i = 0; i < 1000; i++) {
        int length = random.nextInt(20_000);
        int offset = random.nextInt(SIZE - length);
        Request r = receiver.irecv(recv, recvMr, 0, 20_000);
        await(() -> receiver.test(r, size));
        assertThat(size[0]).isEqualTo(length);
        assertThat(into.asSlice(0, length).mismatch(from.asSlice(offset, length))).isEqualTo(-1);
      }
      return 1000;
    };
  }

  @Test
  void thirtyTwoOperationsFlyAndTheNextIsNull() {
    List<Request> receives = new ArrayList<>();
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < Net.MAX_REQUESTS; i++) {
      receives.add(receiver.irecv(recv, recvMr, 64L * i, 64));
    }
    assertThat(receives).doesNotContainNull();
    assertThat(receiver.irecv(recv, recvMr, 0, 64)).isNull(); // NET-RECV-02
    for (int i = 0; i < Net.MAX_REQUESTS; i++) {
      sends.add(sender.isend(send, sendMr, 64L * i, 64));
    }
    assertThat(sends).doesNotContainNull();
    assertThat(sender.isend(send, sendMr, 0, 64)).isNull(); // NET-SEND-04
    for (int i = Net.MAX_REQUESTS - 1; i >= 0; i--) { // NET-TEST-03: the youngest first
      Request s = sends.get(i);
      Request r = receives.get(i);
      await(() -> sender.test(s, null));
      await(() -> receiver.test(r, null));
    }
    assertThat(into.asSlice(0, 2048).mismatch(from.asSlice(0, 2048))).isEqualTo(-1);
    assertThat(sender.isend(send, sendMr, 0, 64)).isNotNull();
  }

  @Test
  void aMessageLargerThanItsRoomIsInvalidUsage() {
    into.fill((byte) 0x55);
    Request r = receiver.irecv(recv, recvMr, 0, 99);
    sender.isend(send, sendMr, 0, 100);
    NetException e = failure(() -> receiver.test(r, null));
    assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE); // NET-RECV-06
    assertThat(e).hasMessageContaining("100 bytes").hasMessageContaining("99");
    assertThat(into.asSlice(99).mismatch(arena.allocate(SIZE).fill((byte) 0x55).asSlice(99)))
        .isEqualTo(-1);
    assertThatThrownBy(() -> receiver.irecv(recv, recvMr, 0, 99)) // NET-ERR-05
        .isInstanceOf(NetException.class);
    assertThat(failure(() -> sender.test(sender.isend(send, sendMr, 0, 1), null)).result())
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  @Test
  void whatWasSentBeforeACloseArrivesAndWhatComesLaterIsRemoteError() {
    Request s = sender.isend(send, sendMr, 0, 5000);
    await(() -> sender.test(s, null));
    sender.closeSend(send);
    Request first = receiver.irecv(recv, recvMr, 0, SIZE);
    Request second = receiver.irecv(recv, recvMr, 0, SIZE);
    int[] size = new int[1];
    await(() -> receiver.test(first, size)); // NET-CLOSE-04
    assertThat(size[0]).isEqualTo(5000);
    assertThat(failure(() -> receiver.test(second, null)).result()) // NET-CLOSE-05
        .isEqualTo(ResultCode.REMOTE_ERROR);
  }

  @Test
  void aReceiverThatLeavesIsRemoteErrorToTheSender() {
    receiver.irecv(recv, recvMr, 0, SIZE);
    receiver.closeRecv(recv); // NET-CLOSE-02: with an operation in flight
    NetException e =
        failure(() -> {
          Request s = sender.isend(send, sendMr, 0, SIZE);
          if (s != null) {
            sender.test(s, null);
          }
          return false; // only an exception ends this
        });
    assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    sender.closeSend(send); // NET-CLOSE-06
  }

  @Test
  void wrongArgumentsAreInvalidAndHarmNothing() {
    invalid(() -> sender.isend(send, sendMr, -1, 1));
    invalid(() -> sender.isend(send, sendMr, 0, -1));
    invalid(() -> sender.isend(send, sendMr, 1, SIZE));
    invalid(() -> sender.isend(send, sendMr, 1, Long.MAX_VALUE));
    invalid(() -> sender.isend(send, sendMr, Long.MAX_VALUE, Long.MAX_VALUE));
    invalid(() -> sender.isend(send, recvMr, 0, 1)); // of another comm
    invalid(() -> sender.isend((SendComm) recv, sendMr, 0, 1)); // of another plugin and direction
    invalid(() -> sender.isend(new SendComm() {}, sendMr, 0, 1));
    invalid(() -> sender.test(new Request() {}, null));
    invalid(() -> sender.regMr(send, Memory.ofDevice(4096, 4096, PointerType.CUDA)));
    invalid(() -> sender.getProperties(1));
    invalid(() -> sender.getProperties(-1));
    invalid(() -> receiver.listen(0, arena.allocate(63)));
    invalid(() -> sender.connect(0, arena.allocate(Net.HANDLE_MAXSIZE))); // NET-CONN-15
    MemoryHandle readOnly = receiver.regMr(recv, Memory.ofHost(into.asReadOnly()));
    invalid(() -> receiver.irecv(recv, readOnly, 0, 1)); // NET-REG-13
    receiver.deregMr(recv, readOnly);
    invalid(() -> receiver.deregMr(recv, readOnly)); // NET-REG-07
    Request s = sender.isend(send, sendMr, 0, 1);
    invalid(() -> sender.test(s, new int[0])); // NET-TEST-07
    invalid(() -> receiver.test(s, null));
    await(() -> sender.test(s, new int[1])); // NET-ERR-03
    sender.closeSend(send);
    invalid(() -> sender.isend(send, sendMr, 0, 1));
  }

  @Test
  void strangersAreDroppedAndDisturbNobody() throws Exception { // NET-CONN-13
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
    ListenComm other = receiver.listen(0, handle);
    int port = Short.toUnsignedInt(handle.asByteBuffer().getShort(12));
    InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (Socket garbage = new Socket(address, port);
        Socket _ = new Socket(address, port)) {
      garbage.getOutputStream().write(new byte[200]);
      connect(handle, other);
      MemoryHandle sm = sender.regMr(send, Memory.ofHost(from));
      MemoryHandle rm = receiver.regMr(recv, Memory.ofHost(into));
      Request sent = sender.isend(send, sm, 0, 10);
      Request received = receiver.irecv(recv, rm, 0, 10);
      await(() -> sender.test(sent, null));
      await(() -> receiver.test(received, null));
      await(() -> {
        receiver.accept(other);
        return log.lines.stream().anyMatch(line -> line.contains("200 bytes") || isDropped(line));
      });
    }
  }

  private static boolean isDropped(String line) {
    return line.startsWith("WARN") && line.contains("127.0.0.1");
  }

  @Test
  void attemptsFromCopiesOfOneHandleAllLeadToConnections() { // NET-CONN-06
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
    ListenComm other = receiver.listen(0, handle);
    List<MemorySegment> copies = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      copies.add(arena.allocate(Net.HANDLE_MAXSIZE).copyFrom(handle));
    }
    List<SendComm> sends = new ArrayList<>();
    List<RecvComm> recvs = new ArrayList<>();
    await(() -> {
      copies.removeIf(copy -> {
        SendComm made = sender.connect(0, copy);
        return made != null && sends.add(made);
      });
      RecvComm made = receiver.accept(other);
      if (made != null) {
        recvs.add(made);
      }
      return copies.isEmpty() && recvs.size() == 3;
    });
    assertThat(sends).hasSize(3).doesNotHaveDuplicates();
    assertThat(recvs).doesNotHaveDuplicates();
    sends.forEach(sender::closeSend);
    recvs.forEach(receiver::closeRecv);
  }

  @Test
  void aListenerThatIsClosedIsRemoteError() {
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
    receiver.closeListen(receiver.listen(0, handle));
    NetException e = failure(() -> sender.connect(0, handle) != null);
    assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR); // NET-CONN-14
    receiver.closeListen(listener);
    Request s = sender.isend(send, sendMr, 0, 10); // NET-CLOSE-07
    Request r = receiver.irecv(recv, recvMr, 0, 10);
    await(() -> sender.test(s, null));
    await(() -> receiver.test(r, null));
  }

  @Test
  void thePluginIsDeclaredForTheModulePathAndTheClassPath() throws IOException { // SEL-01
    try (InputStream in = SampleV4.class.getResourceAsStream("/module-info.class")) {
      assertThat(ModuleDescriptor.read(in).provides())
          .anyMatch(p ->
              p.service().equals(Net.class.getName())
                  && p.providers().contains(SampleV4.class.getName()));
    }
    try (InputStream in =
        SampleV4.class.getResourceAsStream("/META-INF/services/" + Net.class.getName())) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
          .isEqualTo(SampleV4.class.getName());
    }
    assertThat(new SampleV4().name()).isEqualTo("SampleV4");
    assertThat(sender.devices()).isEqualTo(1);
    assertThat(sender.getProperties(0)).isEqualTo(sender.getProperties(0));
    assertThat(sender.getProperties(0).name()).isEqualTo("lo");
  }

  /** The environment of this process says that the device is lo: see the pom. */
  private static SampleV4 plugin(Log log) {
    SampleV4 plugin = new SampleV4();
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
