// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.await;
import static io.nitinol.samples.memory.Wire.failure;
import static io.nitinol.samples.memory.Wire.invalidCall;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How connections come about and end; names of rules are SPEC.md's. */
class ConnectionsTest {
  private final Wire wire = new Wire();

  @AfterEach
  void release() {
    wire.close();
  }

  @Test
  void nobodyEverWaitsForAnybody() { // NET-CONN-07 to NET-CONN-11
    assertThat(wire.receiver.accept(wire.listener)).isNull();
    List<MemorySegment> copies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      copies.add(wire.copy());
    }
    for (MemorySegment copy : copies) {
      assertThat(wire.sender.connect(1, copy)).isNull();
    }
    MemorySegment stopped = copies.removeFirst();
    List<SendComm> sends = new ArrayList<>();
    List<RecvComm> recvs = new ArrayList<>();
    await(() -> {
      copies.removeIf(copy -> {
        SendComm comm = wire.sender.connect(1, copy);
        return comm != null && sends.add(comm);
      });
      RecvComm comm = wire.receiver.accept(wire.listener);
      return (comm == null || recvs.add(comm)) && recvs.size() == 19 && copies.isEmpty();
    });
    assertThat(recvs).doesNotHaveDuplicates();
    assertThat(wire.receiver.accept(wire.listener)).isNull(); // nobody is behind that one
    assertThat(wire.sender.connect(1, stopped)).isNotNull();
    assertThat(wire.receiver.accept(wire.listener)).isNotNull();
  }

  @Test
  void attemptsThatAreAbandonedAreFreedAfterAMinute() throws IOException { // NET-CONN-19
    AtomicLong now = new AtomicLong(5);
    MemoryNet net = new MemoryNet(now::get);
    net.init(wire.log);
    MemorySegment handle = wire.arena.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(0, handle);
    Path directory = MemoryListenHandle.readFrom(handle).directory();
    long mappings = mappings(directory);
    MemorySegment first = wire.arena.allocate(Net.HANDLE_MAXSIZE, 8).copyFrom(handle);
    MemorySegment second = wire.arena.allocate(Net.HANDLE_MAXSIZE, 8).copyFrom(handle);
    MemorySegment third = wire.arena.allocate(Net.HANDLE_MAXSIZE, 8).copyFrom(handle);
    assertThat(net.connect(0, first)).isNull();
    assertThat(net.accept(listener)).isNull();
    assertThat(net.connect(0, second)).isNull();
    assertThat(mappings(directory)).isEqualTo(mappings + 3); // one at both ends
    now.addAndGet(TimeUnit.SECONDS.toNanos(60));
    assertThat(net.connect(0, third)).isNull();
    assertThat(mappings(directory)).isEqualTo(mappings + 2);
    assertThat(net.accept(listener)).isNull(); // notices the one and takes the third
    assertThat(mappings(directory)).isEqualTo(mappings + 2);
    invalidCall(() -> net.connect(0, first)); // no longer under way
    now.addAndGet(TimeUnit.SECONDS.toNanos(30));
    assertThat(failure(() -> net.connect(0, third) != null)).isEqualTo(ResultCode.TIMEOUT);
    net.closeListen(listener);
    assertThat(mappings(directory)).isEqualTo(mappings);
    assertThat(directory).doesNotExist();
  }

  private static long mappings(Path directory) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(l -> l.contains(directory.toString())).count();
    }
  }

  @Test
  void aListenerThatIsClosedIsRemoteErrorAtOnce() { // NET-CONN-14, NET-CLOSE-07
    MemorySegment offered = wire.copy();
    MemorySegment accepted = wire.copy();
    MemorySegment never = wire.copy();
    MemorySegment handle = wire.arena.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = wire.receiver.listen(1, handle);
    accepted.copyFrom(handle);
    offered.copyFrom(handle);
    never.copyFrom(handle);
    assertThat(wire.sender.connect(0, accepted)).isNull();
    assertThat(wire.receiver.accept(listener)).isNull();
    assertThat(wire.sender.connect(0, offered)).isNull();
    wire.receiver.closeListen(listener);
    for (MemorySegment copy : List.of(offered, accepted, never)) {
      assertThat(failure(() -> wire.sender.connect(0, copy) != null))
          .isEqualTo(ResultCode.REMOTE_ERROR);
    }
    invalidCall(() -> wire.receiver.accept(listener));
    Request r = wire.irecv(0, 10, 7);
    wire.finish(r, null, wire.isend(0, 10, 7));
  }

  @Test
  void handlesThatNobodyWroteAreInvalid() { // NET-CONN-15
    SplittableRandom random = new SplittableRandom(1);
    invalidCall(() -> wire.sender.connect(0, wire.arena.allocate(Net.HANDLE_MAXSIZE)));
    for (int i = 0; i < 120; i++) {
      MemorySegment changed = wire.copy();
      int at = i;
      changed.set(ValueLayout.JAVA_BYTE, at, (byte) (changed.get(ValueLayout.JAVA_BYTE, at) + 1));
      invalidCall(() -> wire.sender.connect(0, changed));
      byte[] bytes = new byte[Net.HANDLE_MAXSIZE];
      random.nextBytes(bytes);
      MemorySegment garbage = wire.copy().copyFrom(MemorySegment.ofArray(bytes));
      invalidCall(() -> wire.sender.connect(0, garbage));
    }
    invalidCall(() -> wire.sender.connect(0, null));
    invalidCall(() -> wire.sender.connect(2, wire.copy()));
  }

  @Test
  void strangersInTheDirectoryAreDroppedAndLogged() throws IOException { // NET-CONN-13
    Path directory = MemoryListenHandle.readFrom(wire.handle).directory();
    Files.writeString(directory.resolve("offer-1"), "garbage");
    Files.write(directory.resolve("offer-2"), new byte[4096 + MemoryLink.RING_SIZE]);
    ProcessId self = ProcessId.self();
    MemoryLink.create(directory.resolve("offer-3"), self, new byte[MemoryListenHandle.SECRET_SIZE])
        .close();
    Files.writeString(directory.resolve("draft-4"), "half a greeting");
    assertThat(wire.receiver.accept(wire.listener)).isNull();
    assertThat(wire.log.lines.stream().filter(l -> l.startsWith("WARN"))).hasSize(3);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactly(directory.resolve("draft-4"));
    }
  }

  @Test
  void manyConnectionsLeaveNothingBehind() throws IOException { // NET-CLOSE-08
    long mappings = 0;
    long descriptors = 0;
    for (int i = 0; i < 310; i++) {
      MemorySegment handle = wire.arena.allocate(Net.HANDLE_MAXSIZE, 8);
      ListenComm listener = wire.receiver.listen(i % 2, handle);
      SendComm[] s = new SendComm[1];
      RecvComm[] r = new RecvComm[1];
      await(() -> {
        s[0] = s[0] == null ? wire.sender.connect(0, handle) : s[0];
        r[0] = r[0] == null ? wire.receiver.accept(listener) : r[0];
        return s[0] != null && r[0] != null;
      });
      MemoryHandle send = wire.sender.regMr(s[0], Memory.ofHost(wire.from));
      MemoryHandle[] recv = {wire.receiver.regMr(r[0], Memory.ofHost(wire.into))};
      long[] room = {100};
      Request received = wire.receiver.irecv(r[0], 1, recv, new long[1], room, new int[1]);
      Request sent = wire.sender.isend(s[0], send, 0, 100, 0);
      wire.finish(received, null, sent);
      wire.receiver.closeListen(listener);
      wire.sender.closeSend(s[0]);
      wire.receiver.closeRecv(r[0]);
      if (i == 10) {
        mappings = mappings(MemoryListenHandle.readFrom(wire.handle).base());
        descriptors = descriptors();
      }
    }
    assertThat(mappings(MemoryListenHandle.readFrom(wire.handle).base())).isEqualTo(mappings);
    assertThat(descriptors()).isLessThanOrEqualTo(descriptors);
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  @Test
  void thePluginIsDeclaredForTheModulePathAndTheClassPath() throws IOException { // SEL-01
    declared(Net.class, MemoryNet.class);
    declared(CollNet.class, MemoryCollNet.class);
    assertThat(new MemoryNet().name()).isEqualTo("SampleMemory");
    assertThat(new MemoryCollNet().name()).isEqualTo("SampleMemory");
    assertThat(wire.sender.devices()).isEqualTo(2);
    assertThat(wire.sender.getProperties(1)).isEqualTo(wire.sender.getProperties(1));
  }

  private static void declared(Class<?> service, Class<?> provider) throws IOException {
    try (InputStream in = provider.getResourceAsStream("/module-info.class")) {
      assertThat(ModuleDescriptor.read(in).provides())
          .anyMatch(p ->
              p.service().equals(service.getName()) && p.providers().contains(provider.getName()));
    }
    try (InputStream in = provider.getResourceAsStream("/META-INF/services/" + service.getName())) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
          .isEqualTo(provider.getName());
    }
  }
}
