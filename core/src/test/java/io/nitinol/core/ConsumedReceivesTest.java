// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A network that keeps each receive until it hears that what it brought was used (NET-TEST-06). */
class ConsumedReceivesTest {
  private final KeepingNet net = new KeepingNet();

  private record Place(RecvComm comm, long address) {}

  private static final class KeepingNet extends DelegatingNet {
    private final Map<MemoryHandle, Long> addresses = new HashMap<>();
    private final Map<Request, Place> receiving = new HashMap<>();
    private final Map<Request, Place> kept = new HashMap<>();
    private final Map<Request, Long> sending = new HashMap<>();
    private final Set<Long> sentFrom = new HashSet<>();
    private final List<String> mistakes = new ArrayList<>();
    private long received;
    private long used;
    private long forwarded;

    KeepingNet() {
      super(new MemoryNet(5));
    }

    @Override
    public boolean supports(OptionalOperation operation) {
      return operation == OptionalOperation.IRECV_CONSUMED || super.supports(operation);
    }

    @Override
    public synchronized MemoryHandle regMr(Comm comm, Memory memory) {
      MemoryHandle handle = super.regMr(comm, memory);
      addresses.put(handle, memory.address());
      return handle;
    }

    @Override
    public synchronized @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
      if (request != null) {
        long from = addresses.get(mr) + offset;
        sending.put(request, from);
        sentFrom.add(from);
        boolean isForwarded = kept.values().stream().anyMatch(place -> place.address() == from);
        forwarded += isForwarded ? 1 : 0;
      }
      return request;
    }

    @Override
    public synchronized @Nullable Request irecv(
        RecvComm comm,
        int n,
        MemoryHandle[] mrs,
        long[] offsets,
        long[] lengths,
        int[] tags,
        long @Nullable [] profilerHandles,
        int hints) {
      Place place = new Place(comm, addresses.get(mrs[0]) + offsets[0]);
      if (kept.containsValue(place)) {
        mistakes.add("received into memory whose message was not said to be used: " + place);
      }
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
      if (request != null) {
        receiving.put(request, place);
      }
      return request;
    }

    @Override
    public synchronized boolean test(Request request, int @Nullable [] sizes) {
      boolean done = super.test(request, sizes);
      if (done) {
        Place place = receiving.remove(request);
        if (place != null) {
          received++;
          kept.put(request, place);
        }
        sentFrom.remove(sending.remove(request));
      }
      return done;
    }

    @Override
    public synchronized void irecvConsumed(RecvComm comm, int n, Request request) {
      Place place = kept.remove(request);
      used++;
      if (n != 1 || place == null || place.comm() != comm) {
        mistakes.add("no receive that is complete: " + request);
      } else if (sentFrom.contains(place.address())) {
        mistakes.add("still sent from: " + place);
      }
    }

    @Override
    public synchronized void closeRecv(RecvComm comm) {
      if (kept.values().stream().anyMatch(place -> place.comm() == comm)) {
        mistakes.add("closed before the plugin knows what was used: " + comm);
      }
      super.closeRecv(comm);
    }
  }

  @ParameterizedTest(name = "{0}, {1} kernel threads")
  @CsvSource({"ring, 0", "ring, 2", "tree, 0"})
  void itHearsOfEachOnceWhenNothingIsSentFromItAnyMore(String algorithm, String threads)
      throws Exception {
    CommConfig config =
        CommConfig.standard()
            .withSettings(
                Settings.of(
                    Map.of(
                        "NCCL_SOCKET_IFNAME",
                        "lo",
                        "NCCL_P2P_DISABLE",
                        "1",
                        "NCCL_SHM_DISABLE",
                        "1",
                        "NCCL_ALGO",
                        algorithm,
                        "NITINOL_KERNEL_THREADS",
                        threads)))
            .withNet(net);
    List<Communicator> ranks = Communicator.initAll(3, config);
    try {
      RankThreads.each(
          ranks,
          rank -> {
            for (int i = 0; i < 20; i++) {
              int[] values = new int[400_000];
              values[i] = rank.rank();
              rank.blocking().allReduce(values, ReductionOp.SUM);
              assertThat(values[i]).isEqualTo(3);
            }
            rank.finish();
            return 0;
          });
    } finally {
      ranks.forEach(Communicator::close);
    }
    assertThat(net.mistakes).isEmpty();
    assertThat(net.received).isPositive();
    assertThat(net.used).isEqualTo(net.received);
    assertThat(net.forwarded).as("messages sent on from where they came").isPositive();
  }
}
