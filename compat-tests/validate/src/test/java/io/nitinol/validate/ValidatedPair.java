// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;

/** A watched network with one connection and memory registered at both of its ends. */
final class ValidatedPair implements AutoCloseable {
  static final int BYTES = 4096;
  private static final int MANY = 100_000;

  final RecordedLog log = new RecordedLog();
  final Net plugin;
  final ValidatingNet net;
  final NetContext context;
  final Arena arena = Arena.ofShared();
  final ListenComm listener;
  final SendComm send;
  final RecvComm receive;
  final MemorySegment source = arena.allocate(BYTES, 8);
  final MemorySegment target = arena.allocate(BYTES, 8);
  final MemoryHandle sourceMr;
  final MemoryHandle targetMr;

  /** Connects over a network that keeps the contract. */
  ValidatedPair() {
    this(new RightNet(), ValidationMode.REPORT);
  }

  /** Connects over {@code plugin}. */
  ValidatedPair(Net plugin, ValidationMode mode) {
    this(plugin, 6, mode);
  }

  private ValidatedPair(Net plugin, int version, ValidationMode mode) {
    this.plugin = plugin;
    net = new ValidatingNet(plugin, version, mode, log);
    context = init(net, log);
    net.devices();
    MemorySegment handle = handle();
    listener = net.listen(context, 0, handle);
    MemorySegment copy = handle().copyFrom(handle);
    send = poll(() -> net.connect(context, 0, copy, new DeviceHandle[1]));
    receive = poll(() -> net.accept(listener, new DeviceHandle[1]));
    sourceMr = net.regMr(send, Memory.ofHost(source));
    targetMr = net.regMr(receive, Memory.ofHost(target));
  }

  /** Opens a context. */
  static NetContext init(Net net, RecordedLog log) {
    return net.init(1, NetCommConfig.DEFAULT, log, null);
  }

  static ValidatedPair over(Net plugin) {
    return new ValidatedPair(plugin, ValidationMode.REPORT);
  }

  /** Connects over a plugin of the newest version. */
  static ValidatedPair overNewest(Net plugin) {
    return new ValidatedPair(plugin, 12, ValidationMode.REPORT);
  }

  MemorySegment handle() {
    return arena.allocate(Net.HANDLE_MAXSIZE, 8);
  }

  /** Calls until the answer is not null. */
  static <T> T poll(Supplier<@Nullable T> call) {
    for (int i = 0; i < MANY; i++) {
      T answer = call.get();
      if (answer != null) {
        return answer;
      }
    }
    throw new AssertionError("null for ever");
  }

  /** Makes a call of which only what is found counts, not how it ends. */
  static void whateverHappens(ThrowableAssert.ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    if (thrown instanceof AssertionError e) {
      throw e;
    }
  }

  Request isend(long offset, long length) {
    return poll(() -> net.isend(send, sourceMr, offset, length, 0, 0));
  }

  Request irecv(long offset, long length) {
    return poll(() ->
        net.irecv(
            receive,
            1,
            new MemoryHandle[] {targetMr},
            new long[] {offset},
            new long[] {length},
            new int[1],
            null,
            0));
  }

  /** Tests until the operation is complete. */
  void finish(Request request) {
    finish(request, null);
  }

  /** Tests until the operation is complete, with an array for the sizes. */
  void finish(Request request, int @Nullable [] sizes) {
    for (int i = 0; i < MANY; i++) {
      if (net.test(request, sizes)) {
        return;
      }
    }
    throw new AssertionError("never complete");
  }

  /** Passes a message from the beginning of one memory to the beginning of the other. */
  void pass(long length, long room) {
    Request in = irecv(0, room);
    Request out = isend(0, length);
    int[] sent = new int[1];
    int[] arrived = new int[1];
    finish(out, sent);
    finish(in, arrived);
    assertThat(target.asSlice(0, length).mismatch(source.asSlice(0, length))).isEqualTo(-1);
  }

  void fill() {
    for (int i = 0; i < BYTES; i++) {
      source.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + 7));
    }
  }

  /** Checks that nothing else was found than {@code rules}, each once. */
  void found(Party party, String... rules) {
    assertThat(net.violations().counts(party)).as("%s", log.lines()).containsOnlyKeys(rules);
    assertThat(net.violations().counts()).as("%s", log.lines()).containsOnlyKeys(rules);
    for (String rule : rules) {
      assertThat(log.lines())
          .anyMatch(line ->
              line.startsWith("WARN NITINOL_VALIDATE: " + party.label() + " broke " + rule + ": "));
    }
  }

  Map<String, Long> counts() {
    return net.violations().counts();
  }

  /** Closes what the test has left, however it has left it. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
