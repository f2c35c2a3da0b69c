// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.ProfilerCatalog;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.profiler.RecordingProfiler;
import io.nitinol.core.profiler.RecordingProfiler.Event;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a profiler hears of real ranks over a network. */
class ProfilerTest {
  private static final EnumSet<EventType> ALL = EnumSet.allOf(EventType.class);

  /** What becomes of a message, in NCCL's order. */
  private static final List<EventState> SENDING =
      List.of(
          EventState.PROXY_STEP_SEND_GPU_WAIT,
          EventState.PROXY_STEP_SEND_PEER_WAIT,
          EventState.PROXY_STEP_SEND_WAIT);

  private static final List<EventState> RECEIVING =
      List.of(
          EventState.PROXY_STEP_RECV_WAIT,
          EventState.PROXY_STEP_RECV_FLUSH_WAIT,
          EventState.PROXY_STEP_RECV_GPU_WAIT);

  private final RecordedLog log = new RecordedLog();
  private final TellingNet net = new TellingNet();

  /** Counts what it is given, and has an event of its own for each message. */
  private static final class TellingNet extends DelegatingNet {
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong told = new AtomicLong();
    final Map<Request, Long> events = new ConcurrentHashMap<>();
    volatile @Nullable NetProfiler profiler;

    TellingNet() {
      super(new MemoryNet(7));
    }

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler given) {
      profiler = given;
      return super.init(commId, config, logger, given);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long parent) {
      Request request = super.isend(comm, mr, offset, length, tag, parent);
      if (request != null) {
        bytes.addAndGet(length - MessageHeader.BYTES);
        start(request, parent);
      }
      return request;
    }

    @Override
    public @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] parents,
        int hints) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags, parents, hints);
      if (request != null && parents != null) {
        start(request, parents[0]);
      }
      return request;
    }

    private void start(Request request, long parent) {
      MemorySegment heap = MemorySegment.ofArray(new int[] {4711});
      NetProfiler known = profiler;
      long event = known == null ? 0 : known.record(NetProfiler.START, 0, parent, 77, heap);
      if (event != 0) {
        told.incrementAndGet();
        events.put(request, event);
      }
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      Long event = done ? events.remove(request) : null;
      NetProfiler known = profiler;
      if (event != null && known != null) {
        known.record(NetProfiler.UPDATE_AND_STOP, event, 0, 0, null);
        known.record(NetProfiler.STOP, event, 0, 0, null); // a plugin's mistake, of no effect
      }
      return done;
    }
  }

  private CommConfig config(Profiler profiler, String... settings) {
    Map<String, String> values = new HashMap<>();
    values.put("NCCL_SOCKET_IFNAME", "lo");
    values.put("NITINOL_BOOTSTRAP_TIMEOUT", "50");
    values.put("NCCL_P2P_DISABLE", "1");
    values.put("NCCL_SHM_DISABLE", "1");
    for (int i = 0; i < settings.length; i += 2) {
      values.put(settings[i], settings[i + 1]);
    }
    return CommConfig.standard()
        .withSettings(Settings.of(values))
        .withNet(net)
        .withLogger(log)
        .withName("job")
        .withPlugins(ProfilerCatalog.of(log, profiler));
  }

  private static void run(CommConfig config, int n, java.util.function.Consumer<Communicator> body)
      throws Exception {
    List<Communicator> ranks = Communicator.initAll(n, config);
    try {
      RankThreads.each(
          ranks,
          rank -> {
            body.accept(rank);
            return 0;
          });
      RankThreads.each(
          ranks,
          rank -> {
            rank.finish();
            return 0;
          });
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  private static void nests(RecordingProfiler heard) {
    assertThat(heard.mistakes()).isEmpty();
    assertThat(heard.all()).allSatisfy(event -> assertThat(event.stops).as("%s", event).isOne());
    for (Event event : heard.all()) {
      EventType above =
          switch (event.type) {
            case GROUP, GROUP_API, PROXY_CTRL -> null;
            case COLL -> EventType.COLL_API;
            case P2P -> event.text.isEmpty() ? null : heard.event(event.parent).type;
            case COLL_API, P2P_API -> EventType.GROUP_API;
            case PROXY_OP, KERNEL_CH -> heard.event(event.parent).type;
            case PROXY_STEP -> EventType.PROXY_OP;
            case NET_PLUGIN -> EventType.PROXY_STEP;
            default -> throw new AssertionError(event.toString());
          };
      if (above == null) {
        assertThat(event.parent).as("%s", event).isZero();
      } else {
        assertThat(heard.event(event.parent)).as("%s", event).isNotNull();
        assertThat(heard.event(event.parent).type).as("%s", event).isEqualTo(above);
        assertThat(heard.event(event.parent).rank).as("%s", event).isEqualTo(event.rank);
      }
      if (event.type == EventType.COLL || event.type == EventType.P2P) {
        assertThat(heard.event(event.parentGroup).type).isEqualTo(EventType.GROUP);
      }
      if (event.type == EventType.PROXY_OP || event.type == EventType.KERNEL_CH) {
        assertThat(above).isIn(EventType.COLL, EventType.P2P);
      }
    }
    for (Event step : heard.all(EventType.PROXY_STEP)) {
      assertThat(step.states)
          .as("%s", step)
          .isEqualTo(heard.event(step.parent).sends ? SENDING : RECEIVING);
    }
    for (Event op : heard.all(EventType.PROXY_OP)) {
      Set<Long> steps = new HashSet<>();
      for (Event step : heard.all(EventType.PROXY_STEP)) {
        if (step.parent == op.id) {
          steps.add(step.count);
        }
      }
      assertThat(steps).as("%s", op).hasSize((int) op.steps);
    }
  }

  private static long sentBytes(RecordingProfiler heard, boolean sends) {
    return heard.all(EventType.PROXY_STEP).stream()
        .filter(step -> heard.event(step.parent).sends == sends)
        .mapToLong(step -> step.bytes)
        .sum();
  }

  @ParameterizedTest(name = "{0} kernel threads")
  @ValueSource(strings = {"0", "2"})
  void hearsOfAllThatCollectivesSend(String threads) throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    CommConfig config =
        config(
                heard,
                "NITINOL_KERNEL_THREADS",
                threads,
                "NCCL_ALGO",
                "allreduce:ring;broadcast:ring")
            .withChannels(2, 2);
    run(
        config,
        4,
        rank -> {
          for (int i = 0; i < 3; i++) {
            int[] values = new int[500_000];
            rank.blocking().allReduce(values, ReductionOp.SUM);
          }
          float[] more = new float[20_000];
          rank.blocking().broadcast(Elements.of(more), 2);
        });
    nests(heard);
    assertThat(heard.inits())
        .containsExactlyInAnyOrder("job 1 4 0", "job 1 4 1", "job 1 4 2", "job 1 4 3");
    assertThat(heard.finalized()).isEqualTo(4);
    assertThat(heard.all(EventType.COLL)).hasSize(16);
    assertThat(heard.all(EventType.COLL_API)).hasSize(16);
    assertThat(heard.all(EventType.GROUP_API)).hasSize(16).allMatch(event -> event.count == 1);
    assertThat(heard.all(EventType.COLL))
        .filteredOn(event -> event.rank == 3)
        .extracting(event -> event.text.replaceFirst("SIMPLE \\d", "SIMPLE n"))
        .containsExactlyInAnyOrder(
            "ALL_REDUCE INT32 RING SIMPLE n root 0 #0",
            "ALL_REDUCE INT32 RING SIMPLE n root 0 #1",
            "ALL_REDUCE INT32 RING SIMPLE n root 0 #2",
            "BROADCAST FLOAT32 RING SIMPLE n root 2 #0");
    assertThat(net.bytes.get()).isPositive();
    assertThat(sentBytes(heard, true)).isEqualTo(net.bytes.get());
    assertThat(sentBytes(heard, false)).isEqualTo(net.bytes.get());
    assertThat(heard.all(EventType.NET_PLUGIN)).hasSize((int) net.told.get()).isNotEmpty();
    assertThat(heard.all(EventType.NET_PLUGIN))
        .extracting(event -> event.parent)
        .as("each is of its own message")
        .containsExactlyInAnyOrderElementsOf(
            heard.all(EventType.PROXY_STEP).stream().map(step -> step.id).toList());
    assertThat(heard.all(EventType.NET_PLUGIN))
        .allMatch(event -> event.count == 77)
        .allMatch(event -> event.text.equals("true 4711"))
        .allMatch(event -> event.states.equals(List.of(EventState.NET_PLUGIN_UPDATE)));
    assertThat(heard.all(EventType.KERNEL_CH)).isNotEmpty();
    assertThat(heard.all(EventType.KERNEL_LAUNCH)).isEmpty();
    assertThat(String.join("\n", log.lines())).doesNotContain("switched off");
  }

  /** The ways up and down are two tasks of one channel. */
  @Test
  void hearsOnceOfAChannelOfATree() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    run(
        config(heard, "NCCL_ALGO", "tree").withChannels(2, 2),
        4,
        rank -> {
          for (int i = 0; i < 3; i++) {
            rank.blocking().allReduce(new int[500_000], ReductionOp.SUM);
          }
        });
    nests(heard);
    assertThat(heard.all(EventType.COLL)).hasSize(12);
    assertThat(heard.all(EventType.KERNEL_CH)).hasSize(2 * 12);
  }

  @Test
  void hearsOfEachStartOfAPersistentCall() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    run(
        config(heard),
        3,
        rank -> {
          try (Arena arena = Arena.ofShared()) {
            MemorySegment out = arena.allocate(12_000);
            MemorySegment in = arena.allocate(12_000);
            PersistentCall sum =
                rank.persistent().allReduce(out, in, 1000, DataType.INT32, ReductionOp.SUM);
            PersistentCall all = rank.persistent().allToAll(out, in, 1000, DataType.FLOAT32);
            for (int i = 0; i < 2; i++) {
              sum.start().await();
              all.start().await();
            }
          }
        });
    nests(heard);
    assertThat(heard.all(EventType.COLL)).hasSize(6);
    assertThat(heard.all(EventType.COLL_API)).hasSize(12);
    assertThat(heard.all(EventType.P2P)).hasSize(6 * 6);
  }

  @Test
  void hearsOfGroupsAndTheirSendsAndReceives() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    run(
        config(heard),
        3,
        rank -> {
          try (Arena arena = Arena.ofShared()) {
            MemorySegment out = arena.allocate(400_000);
            MemorySegment in = arena.allocate(400_000);
            MemorySegment sum = arena.allocate(80);
            int next = (rank.rank() + 1) % 3;
            int previous = (rank.rank() + 2) % 3;
            List<Work> works = new ArrayList<>();
            try (Group group = Group.start()) {
              works.add(rank.allReduce(sum, sum, 10, DataType.INT64, ReductionOp.SUM));
              works.add(rank.send(out, 100_000, DataType.FLOAT32, next));
              works.add(rank.recv(in, 100_000, DataType.FLOAT32, previous));
              works.add(rank.send(out, 0, DataType.INT8, previous));
              works.add(rank.recv(in, 0, DataType.INT8, next));
            }
            works.forEach(Work::await);
            rank.allToAll(out, in, 1000, DataType.FLOAT16).await();
          }
        });
    nests(heard);
    assertThat(heard.all(EventType.GROUP_API)).hasSize(6);
    assertThat(heard.all(EventType.GROUP_API)).filteredOn(event -> event.count == 2).hasSize(3);
    assertThat(heard.all(EventType.GROUP)).hasSize(6);
    assertThat(heard.all(EventType.P2P_API)).hasSize(12);
    assertThat(heard.all(EventType.COLL_API))
        .filteredOn(event -> event.text.equals(Collective.ALL_TO_ALL + " FLOAT16 root 0"))
        .hasSize(3)
        .allMatch(event -> event.count == 1000);
    assertThat(heard.all(EventType.P2P)).hasSize(12 + 3 * 6);
    assertThat(heard.all(EventType.P2P))
        .filteredOn(event -> event.rank == 1 && event.text.contains("FLOAT32"))
        .extracting(event -> event.text + " " + event.count + heard.event(event.parent).type)
        .containsExactlyInAnyOrder(
            "SEND FLOAT32 peer 2 100000P2P_API", "RECV FLOAT32 peer 0 100000P2P_API");
    assertThat(sentBytes(heard, true)).isEqualTo(net.bytes.get());
    assertThat(sentBytes(heard, false)).isEqualTo(net.bytes.get());
    assertThat(heard.all(EventType.GROUP_API))
        .allMatch(event -> event.states.getFirst() == EventState.GROUP_START_API_STOP);
  }

  @Test
  void hearsOnlyOfWhatItWantsAndWhatIsAbove() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", EnumSet.of(EventType.COLL));
    run(
        config(heard),
        2,
        rank -> {
          rank.blocking().allReduce(new int[100], ReductionOp.SUM);
          if (rank.rank() == 0) {
            heard.want(EnumSet.noneOf(EventType.class));
          }
        });
    assertThat(heard.mistakes()).isEmpty();
    assertThat(heard.all())
        .extracting(event -> event.type)
        .containsOnly(EventType.GROUP_API, EventType.COLL_API, EventType.GROUP, EventType.COLL);
    assertThat(heard.all()).allMatch(event -> event.stops == 1);
    assertThat(net.told.get()).isZero();
  }

  /** The steps are planned once for operations that are alike. */
  @Test
  void hearsAllOfAnOperationBetweenOthersOfWhichItWantsNothing() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", EnumSet.noneOf(EventType.class));
    List<Communicator> ranks =
        Communicator.initAll(2, config(heard, "NCCL_ALGO", "ring").withChannels(1, 1));
    try {
      allReduces(ranks);
      assertThat(heard.all()).isEmpty();
      long before = net.bytes.get();
      heard.want(ALL);
      allReduces(ranks);
      long bytes = net.bytes.get() - before;
      heard.want(EnumSet.noneOf(EventType.class));
      allReduces(ranks);
      nests(heard);
      assertThat(heard.all(EventType.COLL))
          .hasSize(4)
          .allMatch(event -> event.text.matches(".* #[23]"));
      assertThat(bytes).isPositive();
      assertThat(sentBytes(heard, true)).isEqualTo(bytes);
      assertThat(sentBytes(heard, false)).isEqualTo(bytes);
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  private static void allReduces(List<Communicator> ranks) throws Exception {
    RankThreads.each(
        ranks,
        rank -> {
          rank.blocking().allReduce(new int[500_000], ReductionOp.SUM);
          rank.blocking().allReduce(new int[500_000], ReductionOp.SUM);
          return 0;
        });
  }

  @Test
  void oneThatThrowsIsSwitchedOffWithALine() throws Exception {
    AtomicLong calls = new AtomicLong();
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    Profiler broken =
        new Profiler() {
          @Override
          public String name() {
            return "broken ear";
          }

          @Override
          public Context init(
              long id, @Nullable String name, int nodes, int ranks, int rank, DebugLogger logger) {
            return heard.init(id, name, nodes, ranks, rank, logger);
          }

          @Override
          public long startEvent(Context context, EventDescriptor descriptor) {
            if (descriptor.type() == EventType.PROXY_STEP) {
              calls.incrementAndGet();
              throw new AssertionError("no step");
            }
            return 5;
          }

          @Override
          public void stopEvent(Context context, long event) {}

          @Override
          public void recordEventState(
              Context context,
              long event,
              EventState state,
              long argument,
              @Nullable MemorySegment data) {}

          @Override
          public void finalizeContext(Context context) {
            heard.finalizeContext(context);
          }
        };
    run(
        config(broken),
        2,
        rank -> {
          int[] values = {1, 2, 3};
          rank.blocking().allReduce(values, ReductionOp.SUM);
          rank.blocking().allReduce(values, ReductionOp.SUM);
          assertThat(values).containsExactly(4, 8, 12);
        });
    assertThat(calls.get()).isBetween(2L, 4L); // once for each rank, and for who was in there too
    assertThat(String.join("\n", log.lines()))
        .contains("profiler broken ear of rank 0 failed and is switched off");
    assertThat(String.join("\n", log.lines()).split("switched off", -1)).hasSize(3);
    assertThat(heard.finalized()).isEqualTo(2);
  }

  /** Apart from who looks at what is left: a frame holds what its variables hold. */
  private void callAlone(RecordingProfiler heard) {
    try (Arena arena = Arena.ofShared();
        Communicator alone = Communicator.initAll(1, config(heard)).getFirst()) {
      MemorySegment buffer = arena.allocate(64);
      alone.allReduce(buffer, buffer, 8, DataType.INT64, ReductionOp.SUM).await();
      try (Group group = Group.start()) {
        alone.allReduce(buffer, buffer, 8, DataType.INT64, ReductionOp.SUM);
      }
    }
  }

  @Test
  void threadsThatCalledACommunicatorLetItGo() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    callAlone(heard);
    assertThat(heard.finalized()).isOne();
    for (int i = 0; i < 500 && heard.isHeld(); i++) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(heard.isHeld()).as("whether anything leads to the context").isFalse();
  }

  @Test
  void whatIsGivenUpIsStoppedToo() throws Exception {
    RecordingProfiler heard = new RecordingProfiler("ear", ALL);
    List<Communicator> ranks = Communicator.initAll(2, config(heard));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(4_000_000);
      List<Work> done =
          ranks.stream()
              .map(each -> each.allReduce(buffer, buffer, 1, DataType.INT32, ReductionOp.MAX))
              .toList();
      done.forEach(Work::await);
      Work alone =
          ranks.get(0).allReduce(buffer, buffer, 1_000_000, DataType.INT32, ReductionOp.SUM);
      Work waits = ranks.get(0).recv(buffer, 1_000_000, DataType.INT32, 1);
      assertThat(alone.await(Duration.ofMillis(50))).isFalse();
      ranks.get(0).abort();
      assertThatThrownBy(waits::await).isInstanceOf(CommException.class);
      ranks.forEach(Communicator::close);
    }
    assertThat(heard.mistakes()).isEmpty();
    assertThat(heard.all(EventType.COLL)).hasSize(3).filteredOn(e -> e.givenUp == 1).hasSize(1);
    assertThat(heard.all(EventType.P2P)).hasSize(1).allMatch(event -> event.givenUp == 1);
    assertThat(heard.all().stream().mapToInt(event -> event.givenUp).sum()).isEqualTo(2);
    assertThat(heard.all()).allSatisfy(event -> assertThat(event.stops).as("%s", event).isOne());
    assertThat(heard.finalized()).isEqualTo(2);
  }
}
