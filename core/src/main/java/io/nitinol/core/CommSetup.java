// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.connect.LazyConnectors;
import io.nitinol.core.connect.SlotBytes;
import io.nitinol.core.plugin.NetSession;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.CommFailures;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.core.progress.Unclosed;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.collnet.CollNetMembership;
import io.nitinol.core.transport.memory.MemoryTransport;
import io.nitinol.core.tuning.Chooser;
import io.nitinol.core.tuning.CostCache;
import io.nitinol.core.tuning.CostInputs;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.core.tuning.ModelChooser;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.core.tuning.ScheduleBook;
import io.nitinol.core.tuning.TunerSession;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.tuner.v1.CommShape;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes a communicator: meets the other ranks, agrees with them, connects, starts the engine. */
final class CommSetup {
  private final CommConfig config;
  private final Bootstrap bootstrap;
  private final CommFailures failures;

  private CommSetup(CommConfig config, Bootstrap bootstrap) {
    this.config = config;
    this.bootstrap = bootstrap;
    this.failures = new CommFailures(bootstrap.rank(), bootstrap::announceFailure);
    bootstrap.onFailure(failures::notice);
  }

  static Communicator init(UniqueId id, int nRanks, int rank, CommConfig config) {
    return init(id, nRanks, rank, config, null, new SetupAbort());
  }

  /**
   * Makes a communicator.
   *
   * @param parent the connections of the group that this one is made of, or null
   * @param abort may end it early
   */
  static Communicator init(
      UniqueId id,
      int nRanks,
      int rank,
      CommConfig config,
      @Nullable Bootstrap parent,
      SetupAbort abort) {
    if (nRanks < 1) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT, "init: nRanks is " + nRanks + "; expected 1 or more");
    }
    if (rank < 0 || rank >= nRanks) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT, "init: rank is " + rank + "; expected 0 to " + (nRanks - 1));
    }
    Bootstrap bootstrap;
    try {
      bootstrap =
          Bootstrap.connect(
              id,
              rank,
              nRanks,
              config.settings(),
              config.logger(),
              parent,
              begun -> abort.onAbort(begun::abort));
    } catch (BootstrapException e) {
      throw new CommException(e.result(), e.failedRank(), String.valueOf(e.getMessage()), e);
    } catch (NetException e) {
      throw new CommException(e.result(), rank, String.valueOf(e.getMessage()), e);
    } catch (Throwable e) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR, rank, "rank " + rank + " could not start: " + e, e);
    }
    CommSetup setup = new CommSetup(config, bootstrap);
    abort.onAbort(() -> setup.failures.fail(SetupAbort.failure(rank, null)));
    try {
      return setup.build();
    } catch (Throwable e) {
      // An Error too: the other ranks wait for this one until they are told.
      throw setup.giveUp(e);
    }
  }

  /** Tells the other ranks and closes; returns the exception for the caller. */
  private CommException giveUp(Throwable e) {
    int rank = bootstrap.rank();
    CommException known = failures.get();
    CommException failure;
    if (e instanceof CommException own) {
      failure = own;
    } else if (known != null) {
      failure =
          new CommException(
              known.result(), known.failedRank(), String.valueOf(known.getMessage()), e);
    } else if (e instanceof BootstrapException own) {
      failure =
          new CommException(own.result(), own.failedRank(), String.valueOf(own.getMessage()), own);
    } else if (e instanceof NetException own) {
      failure = new CommException(own.result(), rank, String.valueOf(own.getMessage()), own);
    } else {
      failure =
          new CommException(
              ResultCode.INTERNAL_ERROR, rank, "rank " + rank + " could not start: " + e, e);
    }
    try (bootstrap) {
      failures.fail(failure);
    } catch (Throwable closing) {
      failure.addSuppressed(closing);
    }
    return failure;
  }

  private Communicator build() {
    Settings settings = config.settings();
    StateDump.onSignal(settings, config.logger());
    int rank = bootstrap.rank();
    int size = bootstrap.size();
    CommPlugins plugins = CommPlugins.select(config);
    CollNetSetup collNet = new CollNetSetup(config, plugins);
    KernelProvider kernels = plugins.kernels();
    Tuner tuner = plugins.tuner();
    int kernelThreads = KernelThreads.of(settings);
    // Rank 0's costs count, so that all choose alike; measuring side by side would disturb it.
    MachineCosts costs =
        rank == 0 && size > 1
            ? CostCache.costs(kernels, settings, config.logger())
            : MachineCosts.USUAL;
    CommTerms mine =
        CommTerms.of(
            new PeerInfo(rank, HostIdentity.of(settings, config.logger()), HostIdentity.process()),
            plugins.net().name(),
            tuner == null ? "none" : tuner.name(),
            config,
            HostFacts.of(plugins.net(), kernelThreads, costs),
            collNet.terms());
    CommTerms[] all = exchange(mine);
    CommTerms.requireAgreement(all);

    HostLayout layout =
        HostLayout.of(Arrays.stream(all).mapToLong(terms -> terms.peer().host()).toArray());
    Ring ring = Ring.of(layout.ringOrder(), rank);
    String idle = settings.get(CoreVariables.IDLE);
    PeerInfo[] peers = peers(all);
    boolean crowded = isCrowded(layout, all);
    ShmDirectory directory = ShmDirectory.of(settings, config.logger());
    HostMemory shared = HostMemory.of(rank, peers, layout, settings, directory);
    int mostOnHost = HostMemory.mostRanks(layout);
    boolean oneHost = shared != null && layout.hosts() == 1;
    int mostBytes = CommTerms.mostBytes(all);
    ChunkShape shape =
        mine.shape(oneHost ? Math.min(SlotBytes.inHost(mostOnHost), mostBytes) : mostBytes);

    CommMemory memory = new CommMemory(rank, config.logger());
    NetSession network = null;
    Connectors links = null;
    Engine engine = null;
    TunerSession tuning = null;
    ProfilerSession profiler = null;
    boolean built = false;
    try {
      // Rank 0's number is the communicator's and tells nothing of the unique id's secret, which a
      // plugin might send or print. It is another one even where NCCL_COMM_ID gives the same id.
      profiler = plugins.profile(layout, all[0].number(), rank);
      network = plugins.join(all[0].number(), profiler != null);
      CommPlugins.announce(network, layout, mine.channels());
      List<Transport> transports = new ArrayList<>(MemoryTransport.allowed(settings, directory));
      transports.add(plugins.transport(network, memory.arena(), profiler));
      links =
          new LazyConnectors(
              bootstrap,
              peers,
              transports,
              mine.channels(),
              SlotBytes.of(shape.slotBytes(), size, mostOnHost),
              shared == null ? null : shared.team(),
              failures,
              memory,
              config.logger(),
              settings.get(CoreVariables.BOOTSTRAP_TIMEOUT));
      links = collNet.join(all, layout, shape, mine.channels(), bootstrap, failures, memory, links);
      if (shared == null || layout.hosts() > 1) {
        // Will be needed, and a network that does not work should be found out now.
        RingConnect.connect(links, failures, ring, settings.get(CoreVariables.BOOTSTRAP_TIMEOUT));
      }
      ScheduleBook book =
          new ScheduleBook(
              rank,
              layout,
              shape,
              shared == null ? null : shared.shape(),
              collNet.shape(),
              mine.channels());
      engine =
          new Engine(
              config.label(rank),
              links,
              book,
              rank,
              size,
              mine.channels(),
              failures,
              IdleStrategy.of(idle, crowded),
              kernelThreads,
              TimeUnit.SECONDS.toNanos(settings.get(CoreVariables.TIMEOUT)));
      String description =
          (config.name() == null ? "" : config.name() + ": ")
              + size
              + " ranks, "
              + String.join(", ", transports.stream().map(Transport::name).toList())
              + ", "
              + mine.channels()
              + " channel(s) of "
              + Slots.COUNT
              + " slots of "
              + shape.slotBytes()
              + " bytes, "
              + kernels.name()
              + " kernels on "
              + (kernelThreads == 0
                  ? "the driving thread"
                  : Math.min(kernelThreads, mine.channels()) + " thread(s)");
      log("rank " + rank + ": " + description + ", from " + ring.previous() + " to " + ring.next());
      CostInputs surroundings =
          new CostInputs(
              layout,
              all[0].facts().machine(),
              settings.get(CoreVariables.SHM_DISABLE)
                  ? all[0].facts().network()
                  : NetworkCosts.SHARED_MEMORY,
              all[0].facts().network(),
              collNet.costs(),
              collNet.heads(),
              crowded,
              layout.hosts() == 1 && shared != null && shared.shape().direct(),
              HostMemory.lineBytes(layout),
              mine.channels());
      if (tuner != null) {
        tuning = TunerSession.begin(tuner, rank, shape(all[0].number(), layout), config.logger());
      }
      Chooser chooser =
          new ModelChooser(surroundings, book::offers, settings, config.logger(), tuning);
      Communicator communicator =
          new Communicator(
              rank,
              size,
              config,
              description,
              engine,
              new Submitter(
                  engine,
                  chooser,
                  size,
                  shared != null && shared.shape().direct(),
                  collNet.reductions(),
                  profiler != null),
              kernels,
              profiler,
              bootstrap,
              new CommResources(
                  rank, memory, network, collNet.membership(), tuning, profiler, bootstrap));
      if (!settings.get(CoreVariables.P2P_DISABLE)) {
        engine.shareBuffers(all[0].number());
      }
      if (profiler != null) {
        engine.tell(profiler);
      }
      Engine calls = engine;
      int next = (rank + 1) % size;
      engine.compareCalls(word -> bootstrap.offer(next, Tags.CALLS, word));
      bootstrap.onMessage(Tags.CALLS, calls::heard);
      engine.start();
      StateDump.add(engine);
      built = true;
      return communicator;
    } finally {
      if (!built) {
        undo(engine, links, memory, network, collNet.membership());
        if (tuning != null) {
          tuning.close();
        }
        if (profiler != null) {
          profiler.close();
        }
      }
    }
  }

  /** Closes what was there when the setup failed, and frees the memory if that went well. */
  private void undo(
      @Nullable Engine engine,
      @Nullable Connectors links,
      CommMemory memory,
      @Nullable NetSession network,
      @Nullable CollNetMembership collNet) {
    boolean idle = true;
    List<Throwable> errors = new ArrayList<>();
    if (engine != null) {
      Unclosed remains = engine.close();
      remains.threads().forEach(thread -> memory.keep("thread " + thread + " has not ended"));
      errors.addAll(remains.errors());
      idle = remains.isNone();
    } else if (links != null) {
      links.close(errors);
    }
    errors.forEach(e -> memory.keep("closing a connection failed: " + e));
    memory.free();
    if (network != null && idle && errors.isEmpty()) {
      try (network;
          collNet) {
        // The collective one is left first, and the other one even if that fails.
      } catch (RuntimeException | LinkageError e) {
        config.logger().warn("Communicator", "the network could not be left: " + e);
      }
    } // else connections may still be open in the context, which must stay then (NET-INIT-10)
  }

  private static PeerInfo[] peers(CommTerms[] all) {
    return Arrays.stream(all).map(CommTerms::peer).toArray(PeerInfo[]::new);
  }

  private static CommShape shape(long id, HostLayout layout) {
    int fewest = Integer.MAX_VALUE;
    int most = 0;
    for (int host = 0; host < layout.hosts(); host++) {
      fewest = Math.min(fewest, layout.size(host));
      most = Math.max(most, layout.size(host));
    }
    return new CommShape(id, layout.ranks(), layout.hosts(), fewest, most);
  }

  private CommTerms[] exchange(CommTerms mine) {
    byte[][] blocks = bootstrap.allGather(mine.toBytes());
    CommTerms[] all = new CommTerms[blocks.length];
    for (int r = 0; r < blocks.length; r++) {
      all[r] = CommTerms.fromBytes(r, blocks[r]);
    }
    return all;
  }

  /** Returns whether some host has more threads that want to run than processors. */
  private static boolean isCrowded(HostLayout layout, CommTerms[] all) {
    for (CommTerms terms : all) {
      int ranks = layout.size(layout.host(terms.peer().rank()));
      if (ranks * (1 + terms.facts().kernelThreads()) > terms.facts().processors()) {
        return true;
      }
    }
    return false;
  }

  private void log(String message) {
    if (config.logger().isEnabled(LogLevel.INFO, LogSubsystem.INIT.mask())) {
      config.logger().info(LogSubsystem.INIT, "Communicator", message);
    }
  }
}
