// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators whose collective network does not work, or fails later. */
class CollNetFaultsTest {
  private static final String HOSTS = "0012";
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(5);

  @TempDir Path directory;
  private PluginCatalog plugins;
  private final Map<String, String> variables = new HashMap<>();
  private final AtomicInteger operations = new AtomicInteger();

  @BeforeEach
  void makePlugin() throws IOException {
    Path jars = Files.createDirectory(directory.resolve("plugins"));
    FaultyCollNet.write(jars, directory.resolve("work"));
    variables.put("NCCL_COLLNET_ENABLE", "1");
    variables.put("NCCL_ALGO", "CollnetChain");
    variables.put("NITINOL_COLLNET", "Faulty");
    Map<String, String> found =
        Map.of("NITINOL_PLUGIN_PATH", jars.toString(), "NCCL_SOCKET_IFNAME", "lo");
    plugins = PluginCatalog.discover(Settings.of(found), new RecordedLog());
    FaultyCollNet.OPEN.set(0);
  }

  @AfterEach
  void everythingIsClosed() {
    FaultyCollNet.put((method, arguments, real) -> real.call());
    long until = System.nanoTime() + SETTLE_NANOS;
    while (FaultyCollNet.OPEN.get() != 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(1_000_000); // a thread that was left behind closes what it opened
    }
    assertThat(FaultyCollNet.OPEN).as("what is open in the plugin").hasValue(0);
  }

  private HostThreads ranks() {
    return new HostThreads(HOSTS, variables).with(plugins);
  }

  private void fault(FaultyCollNet.Fault fault) {
    FaultyCollNet.put((method, arguments, real) -> {
      if (method.equals("iallreduce")) {
        operations.incrementAndGet();
      }
      return fault.call(method, arguments, real);
    });
  }

  private static Void sums(Communicator communicator) {
    long expected = 0;
    for (int r = 0; r < communicator.size(); r++) {
      expected += r + 1;
    }
    for (int count : new int[] {1, 1_000, 300_000}) {
      long[] values = new long[count];
      Arrays.fill(values, communicator.rank() + 1);
      communicator.blocking().allReduce(values, ReductionOp.SUM);
      for (long each : values) {
        assertThat(each).isEqualTo(expected);
      }
    }
    return null;
  }

  private void fallsBack(String why) throws Exception {
    HostThreads ranks = ranks();
    ranks.run(CollNetFaultsTest::sums);
    assertThat(operations).hasValue(0);
    assertThat(ranks.log.lines())
        .anyMatch(line ->
            line.startsWith("WARN CollNet Faulty is not used by this communicator: rank ")
                && line.contains(why))
        .anyMatch(line -> line.contains("which is not used; other ways are taken"));
  }

  @Test
  void itIsUsedWhereItWorks() throws Exception {
    fault((method, arguments, real) -> real.call());
    ranks().run(CollNetFaultsTest::sums);
    assertThat(operations).hasPositiveValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"init", "listen", "regMr"})
  void aCallThatFailsOnOneRankLeadsToOtherWays(String failing) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    fault((method, arguments, real) -> {
      // The first init is the plugin's own, with which it is chosen.
      if (method.equals(failing) && calls.incrementAndGet() == 3) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "out of luck");
      }
      return real.call();
    });
    fallsBack("out of luck");
  }

  @Test
  void aMemberThatIsRefusedLeadsToOtherWays() throws Exception {
    fault((method, arguments, real) -> {
      Object result = real.call();
      if (method.equals("connect") && (int) arguments[2] == 1) {
        FaultyCollNet.NET.closeColl((CollComm) result);
        throw new NetException(ResultCode.INVALID_USAGE, "three are too many");
      }
      return result;
    });
    fallsBack("three are too many");
  }

  @Test
  void anErrorOfThePluginLeadsToOtherWays() throws Exception {
    fault((method, arguments, real) -> {
      if (method.equals("reduceSupport") || method.equals("connect")) {
        throw new NoClassDefFoundError("p/Missing");
      }
      return real.call();
    });
    fallsBack("p/Missing");
  }

  @Test
  void aContextStaysWhereAListenerCouldNotBeClosed() throws Exception {
    AtomicInteger listeners = new AtomicInteger();
    AtomicInteger contexts = new AtomicInteger();
    fault((method, arguments, real) -> {
      Object result = real.call();
      if (method.equals("finalizeContext")) {
        contexts.incrementAndGet();
      }
      if (method.equals("closeListen") && listeners.incrementAndGet() == 1) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "it is still busy");
      }
      return result;
    });
    HostThreads ranks = ranks();
    ranks.run(CollNetFaultsTest::sums);
    assertThat(operations).hasPositiveValue();
    assertThat(contexts).as("of three heads").hasValue(2);
    assertThat(ranks.log.lines())
        .anyMatch(line ->
            line.contains("closing a listener of Faulty failed")
                && line.contains("it is still busy"));
    FaultyCollNet.OPEN.decrementAndGet(); // the context of the head that could not
  }

  @Test
  void aConnectThatHangsLeadsToOtherWaysInTime() throws Exception {
    variables.put("NITINOL_BOOTSTRAP_TIMEOUT", "6");
    CountDownLatch end = new CountDownLatch(1);
    fault((method, arguments, real) -> {
      if (method.equals("connect") && (int) arguments[2] == 2) {
        end.await(60, TimeUnit.SECONDS);
      }
      return real.call();
    });
    try {
      fallsBack("half of NITINOL_BOOTSTRAP_TIMEOUT");
    } finally {
      end.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"iallreduce", "test"})
  void aNetworkThatBreaksIsAnErrorOnAllRanks(String failing) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    fault((method, arguments, real) -> {
      if (method.equals(failing) && calls.incrementAndGet() >= 20) {
        throw new NetException(ResultCode.REMOTE_ERROR, "switch 10.0.0.1:7777 is gone");
      }
      return real.call();
    });
    List<HostThreads.Outcome<Void>> outcomes =
        ranks()
            .outcomes(communicator -> {
              for (int i = 0; i < 100; i++) {
                sums(communicator);
              }
              return null;
            });
    for (HostThreads.Outcome<Void> each : outcomes) {
      assertThat(each.error())
          .isInstanceOf(CommException.class)
          .hasMessageContaining("lost its connection with the collective network")
          .hasMessageContaining("switch 10.0.0.1:7777 is gone");
      assertThat(((CommException) each.error()).result()).isEqualTo(ResultCode.REMOTE_ERROR);
    }
  }

  @Test
  void aRankThatDoesNotComeIsNamed() throws Exception {
    variables.put("NITINOL_TIMEOUT", "2");
    fault((method, arguments, real) -> real.call());
    List<HostThreads.Outcome<Void>> outcomes =
        ranks()
            .outcomes(communicator -> {
              sums(communicator);
              if (communicator.rank() == 3) {
                while (communicator.asyncError() == null) {
                  LockSupport.parkNanos(1_000_000);
                }
              }
              return sums(communicator);
            });
    for (HostThreads.Outcome<Void> each : outcomes) {
      assertThat(each.error()).isInstanceOf(CommException.class).hasMessageContaining("rank 3");
      assertThat(((CommException) each.error()).failedRank()).isEqualTo(3);
    }
  }

  @Test
  void pairsThatSomeHeadDoesNotReduceGoOtherWays() throws Exception {
    Set<DataType> reduced = ConcurrentHashMap.newKeySet();
    AtomicInteger asked = new AtomicInteger();
    fault((method, arguments, real) -> {
      if (method.equals("reduceSupport")
          && arguments[0] == DataType.INT64
          && arguments[1] == ReductionOp.SUM
          && asked.incrementAndGet() == 2) {
        return false; // the second of three heads
      }
      if (method.equals("iallreduce")) {
        reduced.add((DataType) arguments[6]);
      }
      return real.call();
    });
    ranks()
        .run(communicator -> {
          sums(communicator);
          int[] ints = {communicator.rank()};
          communicator.blocking().allReduce(ints, ReductionOp.MAX);
          assertThat(ints[0]).isEqualTo(3);
          return null;
        });
    assertThat(asked).hasValue(3);
    assertThat(reduced).containsExactly(DataType.INT32);
  }

  @Test
  void noOperationIsLongerThanTheDeviceTakes() throws Exception {
    AtomicLong longest = new AtomicLong();
    fault((method, arguments, real) -> {
      if (method.equals("iallreduce")) {
        longest.accumulateAndGet((long) arguments[5] * ((DataType) arguments[6]).size(), Math::max);
      }
      Object result = real.call();
      return result instanceof NetProperties all ? narrow(all) : result;
    });
    ranks().run(CollNetFaultsTest::sums);
    assertThat(longest).hasValue(960); // cache lines
  }

  private static NetProperties narrow(NetProperties p) {
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.regIsGlobal(),
        p.forceFlush(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion(),
        p.virtualDevice(),
        p.maxP2pBytes(),
        1_000,
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }
}
