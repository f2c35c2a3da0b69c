// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.nitinol.net.nativeabi.ffi.TunerFunction;
import io.nitinol.net.nativeabi.ffi.TunerLayout;
import io.nitinol.net.nativeabi.plugin.GuardedMemory;
import io.nitinol.net.nativeabi.plugin.NativePlugin;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.tuner.v1.CommShape;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A native tuner at work for one communicator: its own context, and the memory that it is shown and
 * writes to, between guards. A tuner that writes beside it is not asked again; every other fault
 * leaves one operation to the framework's own costs. Each kind of fault is told once.
 */
final class TunerContext implements Tuner.Context {
  private final NativePlugin<TunerFunction> plugin;
  private final DebugLogger logger;
  private final Arena arena;
  private final GuardedMemory context;
  private final GuardedMemory algorithm;
  private final GuardedMemory protocol;
  private final GuardedMemory channels;
  private final Costs costs;
  private final Complaints complaints;
  private MemorySegment getCollInfo = MemorySegment.NULL;
  private long handle;
  private boolean silenced;

  private TunerContext(NativePlugin<TunerFunction> plugin, DebugLogger logger, Arena arena) {
    this.plugin = plugin;
    this.logger = logger;
    this.arena = arena;
    context = new GuardedMemory(arena, ADDRESS.byteSize());
    algorithm = new GuardedMemory(arena, Integer.BYTES);
    protocol = new GuardedMemory(arena, Integer.BYTES);
    channels = new GuardedMemory(arena, Integer.BYTES);
    complaints = new Complaints(plugin.name(), logger);
    costs = new Costs(arena, complaints);
  }

  /**
   * Begins with a communicator.
   *
   * @throws NetException when {@code init} fails or leaves something it must not leave; the memory
   *     that it was shown stays then, since the tuner may go on writing to it
   */
  static TunerContext begin(
      NativePlugin<TunerFunction> plugin, CommShape shape, DebugLogger logger) {
    TunerContext begun = new TunerContext(plugin, logger, Arena.ofShared());
    begun.init(shape);
    return begun;
  }

  private void init(CommShape shape) {
    GuardedMemory domains = new GuardedMemory(arena, TunerLayout.DOMAIN_INFO_BYTES);
    // As NCCL has it where NVLink does not leave the host: every host is a domain.
    domains.bytes().set(JAVA_INT, TunerLayout.DOMAINS, shape.nodes());
    domains.bytes().set(JAVA_INT, TunerLayout.MIN_RANKS_PER_DOMAIN, shape.fewestOnNode());
    domains.bytes().set(JAVA_INT, TunerLayout.MAX_RANKS_PER_DOMAIN, shape.mostOnNode());
    GuardedMemory constants = new GuardedMemory(arena, TunerLayout.CONSTANTS_BYTES);
    long log = plugin.log().address();
    int version = plugin.table().version();
    plugin.start(
        logger,
        init ->
            version <= 4
                ? TunerCalls.llpp(init, shape.ranks(), shape.nodes(), log, context.address())
                : TunerCalls.plllppp(
                    init,
                    context.address(),
                    shape.id(),
                    shape.ranks(),
                    shape.nodes(),
                    log,
                    domains.address(),
                    constants.address()));
    requireIntact(context, "the context");
    requireIntact(domains, "the NVLink domains");
    requireIntact(constants, "the constants");
    handle = context.bytes().get(ADDRESS, 0).address();
    plugin.requireCode(List.of(TunerFunction.GET_COLL_INFO)); // it may have come with init
    getCollInfo = plugin.function(TunerFunction.GET_COLL_INFO);
    boolean changed =
        constants
                .bytes()
                .mismatch(MemorySegment.ofArray(new byte[(int) TunerLayout.CONSTANTS_BYTES]))
            >= 0;
    String model = changed ? "; its constants for NCCL's own model are not used" : "";
    String chunks =
        plugin.has(TunerFunction.GET_CHUNK_SIZE)
            ? "; its getChunkSize is not asked, chunks are as large as a slot"
            : "";
    logger.info(
        LogSubsystem.TUNING,
        "tuning",
        ErrorText.of("tuner %s has a say%s%s", plugin, model, chunks));
  }

  private void requireIntact(GuardedMemory memory, String what) {
    String damage = memory.damage();
    if (damage != null) {
      throw plugin.defect(TunerFunction.INIT, "", damage + " bytes of " + what);
    }
  }

  /** Lets the tuner change the costs of one operation; allocates nothing where it does no wrong. */
  void tune(Collective collective, long bytes, int operations, CostTable table) {
    if (silenced) {
      return;
    }
    costs.show(table);
    channels.bytes().set(JAVA_INT, 0, 0);
    int version = plugin.table().version();
    if (version == 2) {
      algorithm.bytes().set(JAVA_INT, 0, TunerLayout.UNDEF);
      protocol.bytes().set(JAVA_INT, 0, TunerLayout.UNDEF);
    }
    int result = ask(version, collective, bytes, operations);
    String damage = damage();
    if (damage != null) {
      silenced = true;
      complaints.tell(
          Complaints.Kind.DAMAGE,
          () ->
              plugin.defect(TunerFunction.GET_COLL_INFO, at(collective, bytes), damage).getMessage()
                  + "; it is not asked again");
      return;
    }
    if (result != 0) {
      complaints.tell(
          Complaints.Kind.FAILURE,
          () ->
              plugin
                      .failure(result, TunerFunction.GET_COLL_INFO, at(collective, bytes))
                      .getMessage()
                  + "; this operation goes without it");
      return;
    }
    if (version == 2) {
      costs.prefer(algorithm.bytes().get(JAVA_INT, 0), protocol.bytes().get(JAVA_INT, 0), table);
    } else {
      costs.take(table);
    }
    int wanted = channels.bytes().get(JAVA_INT, 0);
    if (wanted > 0) {
      table.setChannels(wanted);
    } else if (wanted < 0) {
      complaints.tell(
          Complaints.Kind.CHANNELS,
          () ->
              "it wants " + wanted + " channels" + at(collective, bytes) + "; expected 0 or more");
    }
  }

  private int ask(int version, Collective collective, long bytes, int operations) {
    int code = collective.code();
    return switch (version) {
      case 2 ->
          TunerCalls.piliiippp(
              getCollInfo,
              handle,
              code,
              bytes,
              costs.hasCollNet() ? 1 : 0,
              0, // no NVLink SHARP
              operations,
              algorithm.address(),
              protocol.address(),
              channels.address());
      case 3 ->
          TunerCalls.pilipiip(
              getCollInfo,
              handle,
              code,
              bytes,
              operations,
              costs.address(),
              TunerLayout.ALGORITHMS,
              TunerLayout.PROTOCOLS,
              channels.address());
      default ->
          TunerCalls.pilipiiip(
              getCollInfo,
              handle,
              code,
              bytes,
              operations,
              costs.address(),
              TunerLayout.ALGORITHMS,
              TunerLayout.PROTOCOLS,
              0, // the buffers are not registered
              channels.address());
    };
  }

  private @Nullable String damage() {
    String table = costs.damage();
    String count = channels.damage();
    String row = algorithm.damage();
    String column = protocol.damage();
    if (table != null) {
      return table + " bytes of the cost table";
    }
    if (count != null) {
      return count + " bytes of nChannels";
    }
    return row != null || column != null
        ? (row != null ? row : column) + " bytes of the algorithm or the protocol"
        : null;
  }

  private static String at(Collective collective, long bytes) {
    return " for " + collective.label() + " of " + bytes + " bytes";
  }

  /**
   * Ends.
   *
   * @throws NetException when the tuner fails at it
   */
  void destroy() {
    TunerFunction last =
        plugin.table().has(TunerFunction.FINALIZE) ? TunerFunction.FINALIZE : TunerFunction.DESTROY;
    if (plugin.has(last)) {
      plugin.requireCode(List.of(last));
      plugin.check(TunerCalls.p(plugin.function(last), handle), last, "");
    }
    arena.close();
  }
}
