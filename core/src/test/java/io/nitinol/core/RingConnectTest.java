// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static io.nitinol.core.RingGroup.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.Channel;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RingConnectTest {
  private final MemoryNet memory = new MemoryNet(7);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneRefusedConnectionIsNotTheEnd(boolean mayWait) throws Exception {
    AtomicInteger refusals = new AtomicInteger(5);
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(ListenComm listenComm) {
            if (refusals.getAndDecrement() > 0) {
              throw new NetException(ResultCode.REMOTE_ERROR, "somebody greeted by half");
            }
            return super.accept(listenComm);
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, net, mayWait, 20);
      CompletableFuture<List<Channel>> one = group.connect(1, net, mayWait, 20);
      RingGroup.close(zero.get(30, TimeUnit.SECONDS));
      RingGroup.close(one.get(30, TimeUnit.SECONDS));
      assertThat(group.log.lines())
          .anyMatch(line -> line.startsWith("WARN") && line.contains("greeted by half"));
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void theLastRefusalIsToldWhenNobodyElseComes() throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(ListenComm listenComm) {
            throw new NetException(ResultCode.REMOTE_ERROR, "wrong greeting");
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, net, false, 1);
      RingGroup.close(group.connect(1, memory, false, 20).get(30, TimeUnit.SECONDS));
      CommException failure = failureOf(zero);
      assertThat(failure.result()).isEqualTo(ResultCode.TIMEOUT);
      assertThat(failure).hasMessageContaining("by rank 1").hasMessageContaining("wrong greeting");
    }
    assertThat(memory.open()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = ResultCode.class,
      names = {"SYSTEM_ERROR", "INTERNAL_ERROR", "INVALID_ARGUMENT", "REMOTE_ERROR", "TIMEOUT"})
  void onlyWhatThePeerCanHaveCausedIsBlamedOnIt(ResultCode code) throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(int device, MemorySegment handle) {
            throw new NetException(code, "no descriptor left");
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, net, false, 20);
      CompletableFuture<List<Channel>> one = group.connect(1, memory, false, 2);
      CommException failure = failureOf(zero);
      assertThat(failure.result()).isEqualTo(code);
      boolean remote = code == ResultCode.REMOTE_ERROR || code == ResultCode.TIMEOUT;
      assertThat(failure.failedRank()).isEqualTo(remote ? 1 : 0);
      group.failures.get(1).notice(0, "told");
      failureOf(one);
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aListenerThatIsLostIsThisRanksOwn() throws Exception {
    AtomicBoolean peerIsThrough = new AtomicBoolean();
    Net lost =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(ListenComm listenComm) {
            if (!peerIsThrough.get()) {
              return null;
            }
            throw new NetException(ResultCode.SYSTEM_ERROR, "no descriptor left");
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, lost, false, 20);
      RingGroup.close(group.connect(1, memory, false, 20).get(30, TimeUnit.SECONDS));
      peerIsThrough.set(true);
      assertThat(failureOf(zero).failedRank()).isZero();
      assertThat(failureOf(zero)).hasMessageContaining("no descriptor left");
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void buffersThatCannotBeRegisteredForReceivingAreThisRanksOwn() throws Exception {
    AtomicBoolean peerIsThrough = new AtomicBoolean();
    Net unregistered =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(ListenComm listenComm) {
            return peerIsThrough.get() ? super.accept(listenComm) : null;
          }

          @Override
          public MemoryHandle regMr(Comm comm, Memory what) {
            if (comm instanceof RecvComm) {
              throw new NetException(ResultCode.REMOTE_ERROR, "nothing can be locked");
            }
            return super.regMr(comm, what);
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> one = group.connect(1, unregistered, false, 20);
      List<Channel> zero = group.connect(0, memory, false, 20).get(30, TimeUnit.SECONDS);
      peerIsThrough.set(true);
      assertThat(failureOf(one).failedRank()).isEqualTo(1);
      assertThat(failureOf(one)).hasMessageContaining("nothing can be locked");
      RingGroup.close(zero);
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void buffersThatCannotBeRegisteredForSendingAreThisRanksOwn() throws Exception {
    // Its listener stays open until it is told, so that rank 1 always gets as far as registering.
    Net waiting =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(int device, MemorySegment handle) {
            return null;
          }
        };
    Net unregistered =
        new DelegatingNet(memory) {
          @Override
          public MemoryHandle regMr(Comm comm, Memory what) {
            throw new NetException(ResultCode.REMOTE_ERROR, "nothing can be locked");
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, waiting, false, 20);
      CompletableFuture<List<Channel>> one = group.connect(1, unregistered, false, 20);
      assertThat(failureOf(one).failedRank()).isEqualTo(1);
      assertThat(failureOf(one)).hasMessageContaining("nothing can be locked");
      group.failures.get(0).notice(1, "told");
      failureOf(zero);
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aListenerThatCannotBeClosedKeepsNothingElseOpen() throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public void closeListen(ListenComm comm) {
            super.closeListen(comm);
            throw new NoClassDefFoundError("at the worst moment");
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, net, false, 20);
      RingGroup.close(group.connect(1, memory, false, 20).get(30, TimeUnit.SECONDS));
      RingGroup.close(zero.get(30, TimeUnit.SECONDS));
      assertThat(group.log.lines()).anyMatch(line -> line.contains("at the worst moment"));
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void memoryOfAConnectionThatDoesNotCloseIsKept() throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(ListenComm listenComm) {
            return null;
          }

          @Override
          public void closeSend(SendComm comm) {
            super.closeSend(comm);
            throw new NetException(ResultCode.SYSTEM_ERROR, "the card does not answer");
          }
        };
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, net, false, 1);
      RingGroup.close(group.connect(1, memory, false, 20).get(30, TimeUnit.SECONDS));
      assertThat(failureOf(zero).result()).isEqualTo(ResultCode.TIMEOUT);
      CommMemory kept = group.memories.get(0);
      kept.free();
      assertThat(kept.arena().scope().isAlive()).isTrue();
      assertThat(group.log.lines()).anyMatch(line -> line.contains("the card does not answer"));
      CommMemory freed = group.memories.get(1);
      freed.free();
      assertThat(freed.arena().scope().isAlive()).isFalse();
    }
    assertThat(memory.open()).isZero();
  }
}
