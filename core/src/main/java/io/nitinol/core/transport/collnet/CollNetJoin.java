// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Joins a rank's groups of a collective network; mirrors {@code ncclCollNetSetup}. The heads listen
 * and tell all ranks their handles, then they connect, on a thread beside since a plugin may wait
 * there, and after each of the two all ranks agree whether that went well everywhere. Where it did
 * not, everything is closed again, the log says why, and the ranks go on without. Belongs to the
 * thread that makes the communicator.
 */
public final class CollNetJoin {
  private static final long POLL_NANOS = 100_000;

  /** How long the plugin gets to say for itself what another head has said. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CollNetPlan plan;
  private final CollNet net;
  private final @Nullable ProfilerSession profiler;
  private final Supplier<PluginSession<CollNet>> context;
  private final Bootstrap bootstrap;
  private final CommFailures failures;
  private final HostLayout layout;
  private final CommMemory memory;
  private final DebugLogger logger;
  private final Consumer<String> notUsed;
  private final int host;
  private final int head;
  private final boolean isHead;

  private @Nullable CollNetGroupCall call;
  private final List<CollNetExchange> exchanges = new ArrayList<>();

  /** A head of the same number that could not connect, so that none will. */
  private volatile int failed = -1;

  /**
   * Creates a rank's part, of which nothing is done yet.
   *
   * @param net the plugin
   * @param profiler hears of the plugin's calls, or null
   * @param context begins with the plugin for this communicator
   * @param failures end the waiting for a communicator that has failed
   * @param memory what the slots are made of
   * @param notUsed gets the sentence on why the ranks go on without the network
   */
  public CollNetJoin(
      CollNetPlan plan,
      CollNet net,
      @Nullable ProfilerSession profiler,
      Supplier<PluginSession<CollNet>> context,
      Bootstrap bootstrap,
      CommFailures failures,
      HostLayout layout,
      CommMemory memory,
      DebugLogger logger,
      Consumer<String> notUsed) {
    this.plan = plan;
    this.net = net;
    this.profiler = profiler;
    this.context = context;
    this.bootstrap = bootstrap;
    this.failures = failures;
    this.layout = layout;
    this.memory = memory;
    this.logger = logger;
    this.notUsed = notUsed;
    this.host = layout.host(bootstrap.rank());
    this.head = plan.heads().head(host, layout.index(bootstrap.rank()));
    this.isHead = head >= 0;
  }

  /**
   * Joins, on all ranks at once.
   *
   * @param channels how many channels there are
   * @param seconds how long the network may take
   * @return what this rank holds, or null where the ranks go on without: then on all of them, and
   *     nothing is left
   * @throws io.nitinol.core.bootstrap.BootstrapException when a rank has gone; nothing is left
   */
  public @Nullable CollNetMembership join(int channels, int seconds) {
    bootstrap.onMessage(Tags.COLLNET, (peer, message) -> failed = peer);
    CollNetMembership made = null;
    try {
      CollNetAgreement agreement = new CollNetAgreement(bootstrap, notUsed, net.name());
      byte[][] handles = agreement.on(() -> isHead ? listen(channels) : new byte[0]);
      if (handles == null) {
        return null;
      }
      byte[][] answers =
          agreement.on(() -> isHead ? connect(handles, channels, seconds) : new byte[0]);
      if (answers == null) {
        return null;
      }
      NetworkReductions reductions = new NetworkReductions(-1);
      for (byte[] each : answers) {
        if (each.length == Long.BYTES) {
          reductions = reductions.and(new NetworkReductions(ByteBuffer.wrap(each).getLong()));
        }
      }
      CollNetGroupCall joined = call;
      if (joined != null) {
        joined.finish();
      }
      made = new CollNetMembership(exchanges, reductions, joined == null ? null : joined.session());
      return made;
    } finally {
      if (made == null) {
        undo();
      }
    }
  }

  /** Listens on each channel and returns the handles, one behind the other. */
  private byte[] listen(int channels) {
    CollNet[] nets = new CollNet[channels];
    if (profiler != null) {
      profiler.askForReports();
    }
    for (int c = 0; c < channels; c++) {
      nets[c] = profiler == null ? net : profiler.timed(net, c);
    }
    CollNetGroupCall begun = new CollNetGroupCall(nets, context.get(), logger);
    call = begun;
    int[] devices = CollNetTerms.usable(net);
    ByteBuffer handles = ByteBuffer.allocate(channels * CollNet.HANDLE_MAXSIZE);
    for (int c = 0; c < channels; c++) {
      handles.put(begun.listen(devices[plan.device(head, c)]));
    }
    return handles.array();
  }

  /** Connects each channel with its group, and returns what the network reduces. */
  private byte[] connect(byte[][] handles, int channels, int seconds) {
    CollNetGroupCall begun = Objects.requireNonNull(call);
    MemorySegment[][] groups = new MemorySegment[channels][];
    for (int c = 0; c < channels; c++) {
      groups[c] = group(begun, handles, c);
    }
    begun.connect("nitinol-" + bootstrap.rank() + "-collnet", groups, host);
    List<CollComm> comms;
    try {
      comms = connected(begun, seconds);
    } catch (Throwable e) {
      tellHeads();
      throw e;
    }
    int next = head((host + 1) % layout.hosts());
    for (int c = 0; c < comms.size(); c++) {
      Slots slots = new Slots(memory.arena(), plan.slotBytes());
      exchanges.add(new CollNetExchange(begun.net(c), comms.get(c), slots, next));
    }
    long reduces = NetworkReductions.of(net, logger).bits();
    return ByteBuffer.allocate(Long.BYTES).putLong(reduces).array();
  }

  /** Returns the handles of this rank's group on a channel, in the order of hosts. */
  private MemorySegment[] group(CollNetGroupCall begun, byte[][] handles, int channel) {
    MemorySegment[] group = new MemorySegment[layout.hosts()];
    int from = channel * CollNet.HANDLE_MAXSIZE;
    for (int h = 0; h < group.length; h++) {
      int member = head(h);
      if (handles[member].length < from + CollNet.HANDLE_MAXSIZE) {
        throw new NetException(
            ResultCode.INTERNAL_ERROR,
            ErrorText.of(
                "rank %s sent %s bytes of handles, expected %s for each channel",
                member, handles[member].length, CollNet.HANDLE_MAXSIZE));
      }
      group[h] = begun.handle(handles[member], from);
    }
    return group;
  }

  /** Returns the rank that is the head of this one's number on a host. */
  private int head(int ofHost) {
    return layout.member(ofHost, plan.heads().place(ofHost, head));
  }

  /** Waits for the thread that connects, a bounded time. */
  private List<CollComm> connected(CollNetGroupCall begun, int seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long grace = 0;
    while (true) {
      List<CollComm> found = begun.poll();
      if (found != null) {
        return found;
      }
      failures.check();
      long now = System.nanoTime();
      if (failed >= 0 && grace == 0) {
        grace = now + GRACE_NANOS;
      }
      if (grace != 0 && now - grace >= 0) {
        throw new NetException(
            ResultCode.REMOTE_ERROR, "rank " + failed + ", of the same group, could not connect");
      }
      if (now - deadline >= 0) {
        throw new NetException(
            ResultCode.TIMEOUT,
            "the network did not connect its groups within "
                + seconds
                + " s, half of NITINOL_BOOTSTRAP_TIMEOUT");
      }
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  /** Tells the heads of this one's groups, which wait for it inside the plugin. */
  private void tellHeads() {
    for (int h = 0; h < layout.hosts(); h++) {
      int member = head(h);
      if (h != host && !bootstrap.offer(member, Tags.COLLNET, new byte[0])) {
        return; // the communicator has failed, or they find out by themselves
      }
    }
  }

  /** Closes everything that there is. */
  private void undo() {
    for (CollNetExchange exchange : exchanges) {
      try {
        exchange.deregister();
      } catch (Throwable e) {
        memory.keep("giving registered memory back to " + net.name() + " failed: " + e);
      }
    }
    CollNetGroupCall begun = call;
    if (begun != null) {
      begun.abandon();
    }
  }
}
