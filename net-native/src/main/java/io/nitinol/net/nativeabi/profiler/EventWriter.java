// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.profiler;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.ffi.EventLayout;
import io.nitinol.net.nativeabi.plugin.GuardedMemory;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Writes descriptors as one version of the struct has them. What Nitinol has no word for is 0:
 * streams, graphs, warps. Names are NCCL's, where NCCL has one.
 */
final class EventWriter {
  private static final long LARGEST = 256;

  /** Memory of one thread for the arguments of a call. */
  static final class Room {
    private final MemorySegment memory =
        Arena.ofAuto().allocate(LARGEST + EventLayout.STATE_ARGS_BYTES, 16);
    private final GuardedMemory handle = new GuardedMemory(Arena.ofAuto(), JAVA_LONG.byteSize());

    long descriptorAddress() {
      return memory.address();
    }

    long handleAddress() {
      return handle.address();
    }

    long handle() {
      return handle.bytes().get(JAVA_LONG, 0);
    }

    void clearHandle() {
      handle.bytes().set(JAVA_LONG, 0, 0);
    }

    /** Returns what was written beside the handle; null where nothing was. */
    @Nullable String damage() {
      return handle.damage();
    }

    /** Writes what a state says; returns the address. */
    long arguments(long value) {
      memory.set(JAVA_LONG, LARGEST, value);
      memory.set(JAVA_LONG, LARGEST + JAVA_LONG.byteSize(), 0);
      return memory.address() + LARGEST;
    }
  }

  private static final ThreadLocal<Room> ROOM = ThreadLocal.withInitial(Room::new);

  private final int version;
  private final long byteSize;
  private final boolean wideType;

  // Where the fields are; EventLayout.ABSENT where the version lacks one.
  private final Fields collApi;
  private final Fields p2pApi;
  private final Fields coll;
  private final Fields p2p;
  private final long groupDepth;
  private final long pid;
  private final long channelId;
  private final long peer;
  private final long steps;
  private final long chunkSize;
  private final long isSend;
  private final long step;
  private final long kernelChannel;
  private final long timer;
  private final long netId;
  private final long netData;

  /** What calls, collectives and messages have. */
  private record Fields(
      long name,
      long commHash,
      long sequence,
      long function,
      boolean functionCode,
      long send,
      long recv,
      long count,
      long root,
      long type,
      long channels,
      long algorithm,
      long protocol,
      long peer,
      long group) {

    static Fields of(EventLayout layout, String struct) {
      String channels =
          layout.offset(struct + ".nChannels") == EventLayout.ABSENT
              ? ".nMaxChannels"
              : ".nChannels";
      String send = layout.offset(struct + ".buff") == EventLayout.ABSENT ? ".sendBuff" : ".buff";
      return new Fields(
          layout.offset(struct + ".name"),
          layout.offset(struct + ".commHash"),
          layout.offset(struct + ".seqNumber"),
          layout.offset(struct + ".func"),
          layout.size(struct + ".func") == 1,
          layout.offset(struct + send),
          layout.offset(struct + ".recvBuff"),
          layout.offset(struct + ".count"),
          layout.offset(struct + ".root"),
          layout.offset(struct + ".datatype"),
          layout.offset(struct + channels),
          layout.offset(struct + ".algo"),
          layout.offset(struct + ".proto"),
          layout.offset(struct + ".peer"),
          layout.offset(struct + ".parentGroup"));
    }
  }

  EventWriter(int version) {
    EventLayout layout = EventLayout.of(version);
    this.version = version;
    this.byteSize = layout.byteSize();
    this.wideType = layout.size("type") == Long.BYTES;
    this.collApi = Fields.of(layout, "collApi");
    this.p2pApi = Fields.of(layout, "p2pApi");
    this.coll = Fields.of(layout, "coll");
    this.p2p = Fields.of(layout, "p2p");
    this.groupDepth = layout.offset("groupApi.groupDepth");
    this.pid = layout.offset("proxyOp.pid");
    this.channelId = layout.offset("proxyOp.channelId");
    this.peer = layout.offset("proxyOp.peer");
    this.steps = layout.offset("proxyOp.nSteps");
    this.chunkSize = layout.offset("proxyOp.chunkSize");
    this.isSend = layout.offset("proxyOp.isSend");
    this.step = layout.offset("proxyStep.step");
    this.kernelChannel = layout.offset("kernelCh.channelId");
    this.timer = layout.offset("kernelCh.pTimer");
    this.netId = layout.offset("netPlugin.id");
    this.netData = layout.offset("netPlugin.data");
  }

  /** Returns the calling thread's memory. */
  static Room room() {
    return ROOM.get();
  }

  /** Returns the mask of all kinds of events that a version knows. */
  static int kinds(int version) {
    EventType last =
        switch (version) {
          case 1, 2 -> EventType.PROXY_CTRL;
          case 3, 4 -> EventType.NET_PLUGIN;
          case 5 -> EventType.KERNEL_LAUNCH;
          default -> EventType.CE_BATCH;
        };
    return 2 * last.mask() - 1;
  }

  /** Returns whether a version is told of a state. */
  static boolean has(int version, EventState state) {
    return switch (state) {
      case PROXY_OP_IN_PROGRESS, PROXY_STEP_SEND_PEER_WAIT, NET_PLUGIN_UPDATE, KERNEL_CH_STOP ->
          version >= 4;
      case GROUP_START_API_STOP, GROUP_END_API_START -> version >= 5;
      default -> true;
    };
  }

  /** Returns what {@code ncclProfilerEventStateArgs} has in front. */
  static long argument(int version, EventState state, long argument, @Nullable MemorySegment data) {
    if (state == EventState.NET_PLUGIN_UPDATE) {
      return data == null ? 0 : data.address();
    }
    boolean transfer =
        switch (state) {
          case PROXY_STEP_SEND_GPU_WAIT,
              PROXY_STEP_SEND_WAIT,
              PROXY_STEP_RECV_WAIT,
              PROXY_STEP_RECV_FLUSH_WAIT,
              PROXY_STEP_RECV_GPU_WAIT ->
              true;
          default -> false;
        };
    return transfer && version <= 3 ? 0 : argument; // no member for it before version 4
  }

  /** Writes a descriptor that this version knows. */
  void write(Room room, EventDescriptor event, long commName, long commId) {
    MemorySegment to = room.memory;
    to.asSlice(0, byteSize).fill((byte) 0);
    if (wideType) {
      to.set(JAVA_LONG, 0, event.type().mask());
    } else {
      to.set(JAVA_BYTE, 0, (byte) event.type().mask());
    }
    to.set(JAVA_LONG, 8, event.parent());
    to.set(JAVA_INT, 16, event.rank());
    switch (event) {
      case EventDescriptor.GroupApi g -> to.set(JAVA_INT, groupDepth, g.depth());
      case EventDescriptor.CollApi c -> {
        text(to, collApi.function, ProfilerNames.function(c.function()));
        to.set(JAVA_LONG, collApi.count, c.count());
        text(to, collApi.type, ProfilerNames.type(c.dataType()));
        to.set(JAVA_INT, collApi.root, c.root());
      }
      case EventDescriptor.P2pApi p -> {
        text(to, p2pApi.function, ProfilerNames.function(p.function()));
        to.set(JAVA_LONG, p2pApi.count, p.count());
        text(to, p2pApi.type, ProfilerNames.type(p.dataType()));
      }
      case EventDescriptor.Coll c -> write(to, c, commName, commId);
      case EventDescriptor.P2p p -> write(to, p, commName, commId);
      case EventDescriptor.ProxyOp p -> {
        to.set(JAVA_INT, pid, (int) p.pid());
        to.set(JAVA_BYTE, channelId, (byte) p.channel());
        to.set(JAVA_INT, peer, p.peer());
        to.set(JAVA_INT, steps, (int) Math.min(Integer.MAX_VALUE, p.steps()));
        to.set(JAVA_INT, chunkSize, p.chunkSize());
        to.set(JAVA_INT, isSend, p.sends() ? 1 : 0);
      }
      case EventDescriptor.ProxyStep p -> to.set(JAVA_INT, step, (int) p.step());
      case EventDescriptor.KernelCh k -> {
        to.set(JAVA_BYTE, kernelChannel, (byte) k.channel());
        if (timer != EventLayout.ABSENT) {
          to.set(JAVA_LONG, timer, k.timer());
        }
      }
      case EventDescriptor.NetPlugin n -> {
        MemorySegment data = n.data();
        to.set(JAVA_LONG, netId, n.id());
        to.set(JAVA_LONG, netData, data == null ? 0 : data.address());
      }
      default -> {} // a group, or the progress thread: nothing of their own
    }
  }

  private void write(MemorySegment to, EventDescriptor.Coll c, long commName, long commId) {
    Fields at = coll;
    parent(to, at, c.parentGroup());
    comm(to, at, commName, commId);
    to.set(JAVA_LONG, at.sequence, c.sequence());
    if (at.functionCode) {
      to.set(JAVA_BYTE, at.function, (byte) c.function().code());
      to.set(JAVA_BYTE, at.type, (byte) c.dataType().code());
      to.set(JAVA_BYTE, at.algorithm, ProfilerNames.code(c.algorithm()));
      to.set(JAVA_BYTE, at.protocol, (byte) c.protocol().ordinal());
    } else {
      text(to, at.function, ProfilerNames.function(c.function()));
      text(to, at.type, ProfilerNames.type(c.dataType()));
      text(to, at.algorithm, ProfilerNames.algorithm(c.algorithm()));
      text(to, at.protocol, ProfilerNames.protocol(c.protocol()));
    }
    to.set(JAVA_LONG, at.send, c.sendAddress());
    to.set(JAVA_LONG, at.recv, c.recvAddress());
    to.set(JAVA_LONG, at.count, c.count());
    to.set(JAVA_INT, at.root, c.root());
    to.set(JAVA_BYTE, at.channels, (byte) c.channels());
  }

  private void write(MemorySegment to, EventDescriptor.P2p p, long commName, long commId) {
    Fields at = p2p;
    parent(to, at, p.parentGroup());
    comm(to, at, commName, commId);
    if (at.functionCode) {
      to.set(JAVA_BYTE, at.function, (byte) p.function().code());
      to.set(JAVA_BYTE, at.type, (byte) p.dataType().code());
    } else {
      text(to, at.function, ProfilerNames.function(p.function()));
      text(to, at.type, ProfilerNames.type(p.dataType()));
    }
    to.set(JAVA_LONG, at.send, p.address());
    to.set(JAVA_LONG, at.count, p.count());
    to.set(JAVA_INT, at.peer, p.peer());
    if (at.channels != EventLayout.ABSENT) {
      to.set(JAVA_BYTE, at.channels, (byte) p.channels());
    }
  }

  /** Up to version 4 the group is the parent. */
  private void parent(MemorySegment to, Fields at, long group) {
    if (version <= 4) {
      to.set(JAVA_LONG, 8, group);
    } else {
      to.set(JAVA_LONG, at.group, group);
    }
  }

  private static void comm(MemorySegment to, Fields at, long commName, long commId) {
    if (at.name != EventLayout.ABSENT) {
      to.set(JAVA_LONG, at.name, commName);
      to.set(JAVA_LONG, at.commHash, commId);
    }
  }

  private static void text(MemorySegment to, long offset, long address) {
    to.set(JAVA_LONG, offset, address);
  }
}
