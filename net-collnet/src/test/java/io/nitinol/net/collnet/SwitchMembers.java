// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.Addresses;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The ranks of one group, each with an instance of the plugin, all in this process. */
final class SwitchMembers implements AutoCloseable {
  static final String SECRET = "only for these";
  static final long LIMIT = TimeUnit.SECONDS.toNanos(40);

  final RecordingLog log = new RecordingLog();
  final Arena arena = Arena.ofShared();
  final List<SwitchCollNet> nets = new ArrayList<>();
  final List<@Nullable CollComm> comms = new ArrayList<>();
  private final List<NetContext> contexts = new ArrayList<>();
  private final List<ListenComm> listeners = new ArrayList<>();
  private final List<MemorySegment> handles = new ArrayList<>();

  /** The variables of a rank at a switch; null: the switch is in rank 0's process. */
  static Map<String, String> at(@Nullable InetSocketAddress address) {
    Map<String, String> variables = new HashMap<>();
    variables.put("NCCL_SOCKET_IFNAME", "lo");
    variables.put("NITINOL_COMM_SECRET", SECRET);
    variables.put("NITINOL_COLLNET_TIMEOUT", "600"); // beyond what any test waits
    if (address != null) {
      variables.put("NITINOL_COLLNET_SWITCH", Addresses.text(address));
    }
    return variables;
  }

  /** Adds a rank, which listens. */
  SwitchMembers add(Map<String, String> variables) {
    SwitchCollNet net = new SwitchCollNet(Settings.of(variables));
    NetContext context = net.init(7, log);
    MemorySegment handle = arena.allocate(SwitchCollNet.HANDLE_MAXSIZE, 8);
    nets.add(net);
    contexts.add(context);
    listeners.add(net.listen(context, 0, handle));
    handles.add(handle);
    comms.add(null);
    return this;
  }

  SwitchMembers addAll(int count, @Nullable InetSocketAddress address) {
    for (int i = 0; i < count; i++) {
      add(at(address));
    }
    return this;
  }

  int size() {
    return nets.size();
  }

  /** Lets all ranks join; the failures of those that could not. */
  List<NetException> tryJoin() {
    List<Thread> threads = new ArrayList<>();
    List<NetException> failures = new ArrayList<>();
    for (int i = 0; i < size(); i++) {
      int rank = i;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  CollComm comm = join(rank);
                  synchronized (comms) {
                    comms.set(rank, comm);
                  }
                } catch (NetException e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    Await.until("connect", () -> threads.stream().noneMatch(Thread::isAlive));
    return failures;
  }

  /** Lets one rank join; waits for the others. */
  CollComm join(int rank) {
    MemorySegment[] all =
        handles.stream()
            .map(each -> arena.allocate(each.byteSize(), 8).copyFrom(each))
            .toArray(MemorySegment[]::new);
    return nets.get(rank).connect(all, size(), rank, listeners.get(rank));
  }

  SwitchMembers join() {
    assertThat(tryJoin()).isEmpty();
    return this;
  }

  CollComm comm(int rank) {
    CollComm comm = comms.get(rank);
    if (comm == null) {
      throw new IllegalStateException("rank " + rank + " is not in the group");
    }
    return comm;
  }

  MemoryHandle register(int rank, MemorySegment memory) {
    return nets.get(rank).regMr(comm(rank), Memory.ofHost(memory));
  }

  void leave(int rank) {
    CollComm comm = comm(rank);
    comms.set(rank, null);
    nets.get(rank).closeColl(comm);
  }

  /** Tests all requests until they are done, each by its rank. */
  void finish(List<Request> requests) {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      left.add(i);
    }
    long end = System.nanoTime() + LIMIT;
    while (!left.isEmpty()) {
      left.removeIf(i -> nets.get(i).test(requests.get(i), null));
      assertThat(System.nanoTime() - end).as("operations of %s wait", left).isNegative();
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < size(); i++) {
      if (comms.get(i) != null) {
        leave(i);
      }
    }
    for (int i = 0; i < size(); i++) {
      nets.get(i).closeListen(listeners.get(i));
      nets.get(i).finalizeContext(contexts.get(i));
    }
    arena.close();
  }
}
