// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A right caller over a right plugin breaks nothing, whatever the order and the threads. */
class CorrectRunTest {
  private static final int CONNECTIONS = 6;
  private static final int MESSAGES = 3000;
  private static final int SLOTS = 8;
  private static final int SLOT_BYTES = 1200;

  private final RecordedLog log = new RecordedLog();
  private final ValidatingNet net = new ValidatingNet(new RightNet(), 6, ValidationMode.FAIL, log);
  private final NetContext context = ValidatedPair.init(net, log);

  /** One direction: messages of random lengths through a ring of slots, every byte checked. */
  private void transfer(int seed, Arena arena) {
    Random random = new Random(seed);
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(context, seed % 2, handle);
    SendComm send = ValidatedPair.poll(() -> net.connect(context, 0, handle, new DeviceHandle[1]));
    RecvComm receive = ValidatedPair.poll(() -> net.accept(listener, new DeviceHandle[1]));
    net.closeListen(listener);
    // Both ends use one piece of memory, as core's slots do.
    MemorySegment memory = arena.allocate(2L * SLOTS * SLOT_BYTES, 8);
    MemoryHandle out = net.regMr(send, Memory.ofHost(memory));
    MemoryHandle in = net.regMr(receive, Memory.ofHost(memory));
    ArrayDeque<Request> sending = new ArrayDeque<>();
    ArrayDeque<Request> receiving = new ArrayDeque<>();
    int[] lengths = new int[MESSAGES];
    Arrays.setAll(lengths, i -> random.nextInt(4) == 0 ? 0 : random.nextInt(SLOT_BYTES + 1));
    int sent = 0;
    int posted = 0;
    int done = 0;
    int[] sizes = new int[3];
    while (done < MESSAGES) {
      if (sent < MESSAGES && sending.size() < SLOTS && random.nextBoolean()) {
        long offset = (long) (sent % SLOTS) * SLOT_BYTES;
        memory.asSlice(offset, lengths[sent]).fill((byte) sent);
        Request request = net.isend(send, out, offset, lengths[sent], 0, 0);
        if (request != null) {
          sending.add(request);
          sent++;
        }
      }
      if (posted < MESSAGES && receiving.size() < SLOTS && random.nextBoolean()) {
        long offset = (long) (SLOTS + posted % SLOTS) * SLOT_BYTES;
        memory.asSlice(offset, SLOT_BYTES).fill((byte) -1);
        Request request =
            net.irecv(
                receive,
                1,
                new MemoryHandle[] {in},
                new long[] {offset},
                new long[] {SLOT_BYTES},
                new int[1],
                null,
                0);
        if (request != null) {
          receiving.add(request);
          posted++;
        }
      }
      if (!sending.isEmpty() && net.test(sending.peek(), random.nextBoolean() ? sizes : null)) {
        sending.remove();
      }
      if (!receiving.isEmpty() && net.test(receiving.peek(), sizes)) {
        receiving.remove();
        assertThat(sizes[0]).isEqualTo(lengths[done]);
        MemorySegment slot = memory.asSlice((long) (SLOTS + done % SLOTS) * SLOT_BYTES, SLOT_BYTES);
        for (int i = 0; i < SLOT_BYTES; i++) {
          assertThat(slot.get(ValueLayout.JAVA_BYTE, i))
              .isEqualTo(i < lengths[done] ? (byte) done : (byte) -1);
        }
        done++;
      }
    }
    net.deregMr(send, out);
    net.closeSend(send);
    net.deregMr(receive, in);
    net.closeRecv(receive);
  }

  @Test
  void randomTransfersOnManyThreads() throws Exception {
    assertThat(net.devices()).isEqualTo(2);
    try (Arena arena = Arena.ofShared();
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int c = 0; c < CONNECTIONS; c++) {
        int seed = c;
        tasks.add(() -> {
          transfer(seed, arena);
          return null;
        });
      }
      for (Future<Void> task : threads.invokeAll(tasks, 100, TimeUnit.SECONDS)) {
        task.get();
      }
    }
    assertThat(net.violations().counts()).as("%s", log.lines()).isEmpty();
    assertThat(log.lines()).last().asString().endsWith("are closed: no violations");
  }

  @Test
  void registrationsThatOverlapComeAndGo() {
    net.devices();
    Random random = new Random(3);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
      ListenComm listener = net.listen(context, 0, handle);
      SendComm send =
          ValidatedPair.poll(() -> net.connect(context, 0, handle, new DeviceHandle[1]));
      MemorySegment memory = arena.allocate(1 << 16, 8);
      List<MemoryHandle> alive = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        if (alive.size() < 40 && random.nextBoolean()) {
          int from = random.nextInt(1 << 16);
          int size = 1 + random.nextInt(Math.min((1 << 16) - from, 4000));
          alive.add(net.regMr(send, Memory.ofHost(memory.asSlice(from, size))));
        } else if (!alive.isEmpty()) {
          net.deregMr(send, alive.remove(random.nextInt(alive.size())));
        }
      }
      net.closeSend(send);
      net.closeListen(listener);
    }
    assertThat(net.violations().counts()).isEmpty();
  }
}
