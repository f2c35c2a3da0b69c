// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.Calls;
import io.nitinol.core.call.Submitter;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.connect.LazyConnectors;
import io.nitinol.core.connect.SlotBytes;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.IdleStrategy;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.core.recording.TransferLog;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.team.HostWindows;
import io.nitinol.core.topology.near.NearThreads;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.memory.MemoryTransport;
import io.nitinol.core.tuning.Chooser;
import io.nitinol.core.tuning.CostCache;
import io.nitinol.core.tuning.CostInputs;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.core.tuning.MessageShapes;
import io.nitinol.core.tuning.ModelChooser;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.core.tuning.ScheduleBook;
import io.nitinol.core.tuning.TunerSession;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a communicator: meets the other ranks, agrees with them, lays them out, connects, plans how
 * calls are done and starts the engine.
 */
@OneThread
public final class CommSetup {
  /** How long the news of a failure may take from the bootstrap to the record of failures. */
  private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SetupConfig config;
  private final CommOrigin origin;
  private final Bootstrap bootstrap;
  private final CommFailures failures;
  private final int rank;
  private final int size;

  /** The neighbour in the ring with which this rank is being connected, or -1. */
  private volatile int neighbour = -1;

  /** Null where there is none, or none yet. */
  private @Nullable ProfilerSession profiler;

  private CommSetup(SetupConfig config, CommOrigin origin, Bootstrap bootstrap) {
    this.config = config;
    this.origin = origin;
    this.bootstrap = bootstrap;
    this.rank = bootstrap.rank();
    this.size = bootstrap.size();
    this.failures = new CommFailures(rank, bootstrap::announceFailure);
    failures.blameOfNetwork(bootstrap::firstToLeave);
    failures.answerWith(this::waiting); // until there is an engine, which knows more
    bootstrap.onFailure(failures::notice);
  }

  /**
   * Returns which rank this one waits for before it is set up, or null. Ranks that are set up
   * already may wait for this one, which is not to blame then.
   */
  private @Nullable FailureReport waiting() {
    int peer = neighbour < 0 ? bootstrap.awaitedRank() : neighbour;
    return peer < 0
        ? null
        : new FailureReport(
            rank,
            ResultCode.TIMEOUT,
            peer,
            ErrorText.of("rank %d is not set up yet and waits for rank %d", rank, peer));
  }

  /** Makes a communicator that is part of no other. */
  public static AssembledComm init(UniqueId id, int nRanks, int rank, SetupConfig config) {
    return init(id, nRanks, rank, config, CommOrigin.INIT, new SetupAbort());
  }

  /**
   * Makes a communicator that is part of no other.
   *
   * @param abort may end it early
   * @throws CommException when it cannot be made; the other ranks know then, and nothing is left
   */
  public static AssembledComm init(
      UniqueId id, int nRanks, int rank, SetupConfig config, SetupAbort abort) {
    return init(id, nRanks, rank, config, CommOrigin.INIT, abort);
  }

  /**
   * Makes a communicator.
   *
   * @param origin which call makes it, and of what
   * @param abort may end it early
   * @throws CommException when it cannot be made; the other ranks know then, and nothing is left
   */
  static AssembledComm init(
      UniqueId id, int nRanks, int rank, SetupConfig config, CommOrigin origin, SetupAbort abort) {
    if (nRanks < 1) {
      throw BufferCheck.invalid("init", "nRanks", Integer.toString(nRanks), "1 or more");
    }
    if (rank < 0 || rank >= nRanks) {
      throw BufferCheck.invalid("init", "rank", Integer.toString(rank), "0 to " + (nRanks - 1));
    }
    long began = System.nanoTime();
    Bootstrap bootstrap;
    try {
      bootstrap =
          Bootstrap.connect(
              id,
              rank,
              nRanks,
              config.settings(),
              config.logger(),
              origin.parent(),
              begun -> abort.onAbort(begun::abort));
    } catch (Throwable e) {
      throw failure(rank, e);
    }
    long met = System.nanoTime();
    CommSetup setup = new CommSetup(config, origin, bootstrap);
    abort.onAbort(() -> setup.failures.fail(SetupAbort.failure(rank, null)));
    try {
      return setup.build(met, began);
    } catch (Throwable e) {
      // An Error too: the other ranks wait for this one until they are notified.
      throw setup.giveUp(e);
    }
  }

  /** Returns what the caller gets for an exception of a rank that could not start. */
  private static CommException failure(int rank, Throwable e) {
    return switch (e) {
      case CommException own -> own;
      case NetException own ->
          new CommException(own.result(), rank, String.valueOf(own.getMessage()), own);
      default ->
          new CommException(
              ResultCode.INTERNAL_ERROR,
              rank,
              ErrorText.of("rank %d could not start: %s", rank, e),
              e);
    };
  }

  /** Notifies the other ranks and closes; returns the exception for the caller. */
  private CommException giveUp(Throwable e) {
    boolean told =
        e instanceof BootstrapException ended && ended.result() == ResultCode.REMOTE_ERROR;
    CommException known = told ? failures.awaitVerdict(NEWS_NANOS) : failures.get();
    CommException failure =
        known == null || (e instanceof CommException && !(e instanceof BootstrapException))
            ? failure(rank, e)
            : new CommException(
                known.result(), known.failedRank(), String.valueOf(known.getMessage()), e);
    try (bootstrap;
        ProfilerSession session = profiler) {
      failures.fail(failure);
      if (session != null) {
        session.failed(failure); // where the ranks have not agreed on one yet
      }
    } catch (Throwable closing) {
      failure.addSuppressed(closing);
    }
    return failure;
  }

  private AssembledComm build(long met, long began) {
    EngineDump.onSignal(config.settings(), config.logger());
    CommAgreement agreed = agree();
    long agreedAt = System.nanoTime();
    RankPlacement place = RankPlacement.of(rank, agreed, config.settings(), config.logger());
    OpenedParts open = new OpenedParts(rank, config.logger());
    boolean built = false;
    try {
      List<Transport> transports = connect(agreed, place, open);
      long connected = System.nanoTime();
      Plan plan = plan(agreed, place, open);
      AssembledComm comm = assemble(agreed, place, open, plan, transports);
      lines()
          .complete(
              origin,
              agreed,
              place.layout(),
              transports,
              new SetupLines.Times(began, met, agreedAt, connected, System.nanoTime()));
      built = true;
      return comm;
    } finally {
      if (!built) {
        open.close();
      }
    }
  }

  /** Chooses the plugins, and agrees with all ranks on what each computes from. */
  private CommAgreement agree() {
    Settings settings = config.settings();
    CommPlugins plugins = CommPlugins.select(config, rank);
    CollNetSetup collNet = new CollNetSetup(config, plugins);
    Tuner tuner = plugins.tuner();
    int kernelThreads = KernelThreadCount.of(settings);
    // Rank 0's costs count, so that all choose alike; measuring side by side would disturb it.
    MachineCosts costs =
        rank == 0 && size > 1
            ? CostCache.costs(plugins.kernels(), settings, config.logger())
            : MachineCosts.USUAL;
    CommTerms mine =
        CommTerms.of(
            new PeerInfo(rank, HostIdentity.of(settings, config.logger()), HostIdentity.process()),
            plugins.net().name(),
            tuner == null ? "none" : tuner.name(),
            config,
            HostFacts.of(plugins.net(), kernelThreads, costs),
            collNet.terms());
    byte[][] blocks = bootstrap.allGather(mine.toBytes());
    CommTerms[] all = new CommTerms[blocks.length];
    for (int r = 0; r < blocks.length; r++) {
      all[r] = CommTerms.fromBytes(r, blocks[r]);
    }
    CommTerms.requireAgreement(all);
    return new CommAgreement(plugins, collNet, kernelThreads, mine, List.of(all));
  }

  /** Opens the network and connects this rank to its neighbours; returns the transports in use. */
  private List<Transport> connect(CommAgreement agreed, RankPlacement place, OpenedParts open) {
    Settings settings = config.settings();
    CommPlugins plugins = agreed.plugins();
    int seconds = settings.get(CoreVariables.BOOTSTRAP_TIMEOUT);
    ProfilerSession session = plugins.profile(place.layout(), agreed.number(), rank);
    profiler = session;
    if (session != null) {
      failures.onVerdict(session::failed);
    }
    PluginSession<Net> network = plugins.join(agreed.number(), session != null);
    open.network = network;
    CommPlugins.announce(network, place.layout(), agreed.channels());
    HostMemory shared = place.shared();
    List<Transport> transports =
        new ArrayList<>(MemoryTransport.allowed(settings, place.directory()));
    transports.add(plugins.transport(network, open.memory.arena(), session));
    Connectors connectors =
        new LazyConnectors(
            bootstrap,
            agreed.peers(),
            transports,
            size == 2 ? Math.max(agreed.channels(), Connectors.MOST_DIRECT) : agreed.channels(),
            SlotBytes.of(place.shape().slotBytes(), size, place.layout().largestHost()),
            shared == null ? null : shared.team(),
            failures,
            open.memory,
            config.logger(),
            seconds);
    open.connectors = connectors;
    connectors =
        agreed.collNet().join(agreed, place, bootstrap, failures, open.memory, connectors, session);
    open.connectors = connectors;
    open.collNet = agreed.collNet().membership();
    if (place.needsRing()) {
      // Will be needed, and a network that does not work should be found out now.
      RingConnect.connect(connectors, failures, place.ring(), seconds, peer -> neighbour = peer);
    }
    return transports;
  }

  /**
   * The engine, its schedules, and what chooses how it does a call.
   *
   * @param helpers how many threads of the process may help this rank
   */
  private record Plan(Engine engine, ScheduleBook book, Chooser chooser, int helpers) {}

  /** Makes the engine with its schedules, and what chooses among them. */
  private Plan plan(CommAgreement agreed, RankPlacement place, OpenedParts open) {
    Settings settings = config.settings();
    CollNetSetup collNet = agreed.collNet();
    int channels = agreed.channels();
    ScheduleBook book =
        new ScheduleBook(
            rank, place.layout(), place.shape(), place.team(), collNet.shape(), channels);
    Engine engine =
        new Engine(
            config.label(rank),
            Objects.requireNonNull(open.connectors),
            book,
            rank,
            size,
            channels,
            failures,
            IdleStrategy.of(settings.get(CoreVariables.IDLE), place.crowded(), place.roomy()),
            agreed.kernelThreads(),
            TimeUnit.SECONDS.toNanos(settings.get(CoreVariables.TIMEOUT)));
    open.engine = engine;
    NetworkCosts network = agreed.facts().network();
    CostInputs inputs =
        new CostInputs(
            place.layout(),
            agreed.facts().machine(),
            settings.get(CoreVariables.SHM_DISABLE) ? network : NetworkCosts.SHARED_MEMORY,
            network,
            collNet.costs(),
            collNet.heads(),
            place.crowded(),
            place.layout().hosts() == 1 && place.readsOthers(),
            MessageShapes.lineBytes(place.layout()),
            place.shape(),
            channels);
    Tuner tuner = agreed.plugins().tuner();
    if (tuner != null) {
      open.tuning =
          TunerSession.begin(tuner, rank, place.forTuner(agreed.number()), config.logger());
    }
    return new Plan(
        engine,
        book,
        new ModelChooser(inputs, book::offers, settings, config.logger(), open.tuning),
        engageHelpers(engine, agreed, place));
  }

  /**
   * Has threads of the process help this rank; all that help have processors.
   *
   * @return how many, which are not started yet
   */
  private int engageHelpers(Engine engine, CommAgreement agreed, RankPlacement place) {
    int onHost = place.layout().size(place.layout().host(rank));
    int processors = agreed.mine().facts().processors();
    int helpers = size == 1 ? 0 : KernelThreadCount.helpers(config.settings(), processors, onHost);
    boolean send =
        KernelThreadCount.helpersSend(config.settings(), helpers, agreed.plugins().isNative());
    if (send) {
      engine.sendBy(StepHelpers.process());
    }
    if (place.shared() == null) {
      return send ? 1 : 0;
    }
    engine.helpBy(StepHelpers.process(), helpers);
    return helpers;
  }

  /**
   * Starts the threads that help the ranks of this process, {@code each} for each. After those that
   * the communicator cannot do without, where there may be too few for all.
   */
  private void startHelpers(int each, PeerInfo[] peers) {
    int inProcess = 0;
    for (PeerInfo peer : peers) {
      boolean here = peer.host() == peers[rank].host() && peer.pid() == peers[rank].pid();
      inProcess += here ? 1 : 0;
    }
    StepHelpers.process().require(each * inProcess, config.logger());
  }

  /** Puts the parts together and starts the engine. */
  private AssembledComm assemble(
      CommAgreement agreed,
      RankPlacement place,
      OpenedParts open,
      Plan plan,
      List<Transport> transports) {
    Engine engine = plan.engine();
    String description = describe(agreed, place, transports);
    SetupLines lines = lines();
    if (lines.isEnabled()) {
      Ring ring = place.ring();
      lines.init(
          ErrorText.of(
              "rank %d: %s, from %d to %d", rank, description, ring.previous(), ring.next()));
    }
    lines.paths(plan.book(), agreed.channels());
    Submitter submitter =
        new Submitter(
            engine,
            plan.chooser(),
            size,
            place.readsOthers(),
            agreed.collNet().reductions(),
            profiler != null);
    Calls calls = new Calls(rank, size, engine, submitter, agreed.plugins().kernels(), profiler);
    TransferLog log = TransferLog.open(config.settings(), rank, config.logger());
    open.log = log;
    if (log != null) {
      engine.record(log);
    }
    RankReport report =
        new RankReport(
            engine, agreed.number(), config.name(), rank, List.of(agreed.peers()), transports);
    FlightFile flight = FlightFile.open(config.settings(), engine, report, config.logger());
    HostMemory shared = place.shared();
    HostWindows windows = shared == null ? null : shared.team().windows();
    if (windows != null) {
      submitter.show(windows);
    }
    CommResources resources =
        new CommResources(
            rank,
            engine,
            calls,
            open.memory,
            new HostBuffers(bootstrap, windows),
            Objects.requireNonNull(open.network),
            open.collNet,
            open.tuning,
            profiler,
            open.log,
            flight,
            report,
            bootstrap);
    SplitAndShrink splitAndShrink =
        new SplitAndShrink(bootstrap, failures, config, agreed.number());
    if (!config.settings().get(CoreVariables.P2P_DISABLE)) {
      engine.shareBuffers(agreed.number());
    }
    if (profiler != null) {
      engine.tell(profiler);
    }
    int next = (rank + 1) % size;
    engine.compareCalls(word -> bootstrap.offer(next, Tags.CALLS, word));
    bootstrap.onMessage(Tags.CALLS, engine::heard);
    engine.noticeLeavers(bootstrap::hasLeft);
    NearThreads.start(config.near(), config.settings(), config.logger(), engine::start);
    startHelpers(plan.helpers(), agreed.peers());
    EngineDump.add(engine);
    LiveRanks.add(report, bootstrap, config.settings(), config.logger());
    if (flight != null) {
      EngineDump.add(flight);
      FlightTrigger.watch(config.settings(), config.logger());
    }
    return new AssembledComm(
        description, engine, calls, bootstrap, splitAndShrink, List.of(agreed.peers()), resources);
  }

  private SetupLines lines() {
    return new SetupLines(config.logger(), rank);
  }

  private String describe(CommAgreement agreed, RankPlacement place, List<Transport> transports) {
    int threads = Math.min(agreed.kernelThreads(), agreed.channels());
    return ErrorText.of(
        "%s%d ranks, %s, %d channel(s) of %d slots of %s, %s kernels on %s",
        config.name() == null ? "" : config.name() + ": ",
        size,
        String.join(", ", transports.stream().map(Transport::name).toList()),
        agreed.channels(),
        Slots.COUNT,
        SizeText.of(place.shape().slotBytes()),
        agreed.plugins().kernels().name(),
        threads == 0 ? "the driving thread" : threads + " thread(s)");
  }
}
