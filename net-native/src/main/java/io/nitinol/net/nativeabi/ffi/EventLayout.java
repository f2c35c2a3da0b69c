// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Where the fields of {@code ncclProfilerEventDescr_vN_t} are, versions 1 to 6. A field of the
 * union is called by its struct and its member, {@code coll.func}.
 */
public final class EventLayout {
  /** What a field that a version lacks has for an offset. */
  public static final long ABSENT = -1;

  /** Size of {@code ncclProfilerEventStateArgs_vN_t} at the most; what it holds is at its start. */
  public static final long STATE_ARGS_BYTES = 16;

  private static final List<EventLayout> LAYOUTS =
      IntStream.rangeClosed(ProfilerTable.OLDEST, ProfilerTable.NEWEST)
          .mapToObj(EventLayout::new)
          .toList();

  private final Map<String, Long> offsets = new TreeMap<>();
  private final Map<String, Integer> sizes = new TreeMap<>();
  private final long byteSize;
  private long end;
  private long widest;

  private EventLayout(int v) {
    struct("", v >= 5 ? "type:8" : "type:1", "parentObj:8", "rank:4");
    long union = 24;
    if (v >= 5) {
      struct(union, "groupApi", "graphCaptured:1", "groupDepth:4");
      struct(
          union,
          "collApi",
          "func:8",
          "count:8",
          "datatype:8",
          "root:4",
          "stream:8",
          "graphCaptured:1");
      struct(union, "p2pApi", "func:8", "count:8", "datatype:8", "stream:8", "graphCaptured:1");
      struct(union, "kernelLaunch", "stream:8");
    }
    if (v == 1) {
      struct(
          union,
          "coll",
          "name:8",
          "commHash:8",
          "seqNumber:8",
          "func:1",
          "sendBuff:8",
          "recvBuff:8",
          "count:8",
          "root:4",
          "datatype:1",
          "op:4",
          "trafficBytes:8",
          "nMaxChannels:1",
          "nWarps:1",
          "algo:1",
          "proto:1",
          "isCollnet:4",
          "isNvls:4");
      struct(
          union, "p2p", "name:8", "commHash:8", "func:1", "buff:8", "datatype:1", "count:8",
          "peer:4");
    } else if (v <= 3) {
      String traffic = v == 2 ? "trafficBytes:8" : "";
      struct(
          union, "coll", "name:8", "commHash:8", "seqNumber:8", "func:8", "sendBuff:8",
          "recvBuff:8", "count:8", "root:4", "datatype:8", traffic, "nMaxChannels:1", "nWarps:1",
          "algo:8", "proto:8");
      struct(
          union, "p2p", "name:8", "commHash:8", "func:8", "buff:8", "datatype:8", "count:8",
          "peer:4");
    } else {
      String group = v >= 5 ? "parentGroup:8" : "";
      struct(
          union, "coll", "seqNumber:8", "func:8", "sendBuff:8", "recvBuff:8", "count:8", "root:4",
          "datatype:8", "nChannels:1", "nWarps:1", "algo:8", "proto:8", group);
      struct(
          union, "p2p", "func:8", "buff:8", "datatype:8", "count:8", "peer:4", "nChannels:1",
          group);
    }
    struct(
        union, "proxyOp", "pid:4", "channelId:1", "peer:4", "nSteps:4", "chunkSize:4", "isSend:4");
    struct(union, "proxyStep", "step:4");
    if (v >= 3) {
      struct(union, "kernelCh", "channelId:1", v >= 4 ? "pTimer:8" : "");
      struct(union, "netPlugin", "id:8", "data:8");
    }
    if (v >= 6) {
      struct(
          union, "ceColl", "seqNumber:8", "func:8", "sendBuff:8", "recvBuff:8", "count:8",
          "root:4", "datatype:8", "syncStrategy:8", "intraBatchSync:1", "batchSize:4",
          "numBatches:4", "ceSeqNum:4", "stream:8");
    }
    byteSize = aligned(widest, 8);
  }

  private void struct(String name, String... members) {
    struct(0, name, members);
  }

  /** Adds members of the sizes behind the colons, each aligned to its own; empty ones are none. */
  private void struct(long start, String name, String... members) {
    end = start;
    for (String each : members) {
      if (!each.isEmpty()) {
        int colon = each.indexOf(':');
        int bytes = Integer.parseInt(each.substring(colon + 1));
        String field = (name.isEmpty() ? "" : name + ".") + each.substring(0, colon);
        end = aligned(end, bytes);
        offsets.put(field, end);
        sizes.put(field, bytes);
        end += bytes;
      }
    }
    widest = Math.max(widest, end);
  }

  /**
   * Returns the layout of a version.
   *
   * @throws IllegalArgumentException for a version that there is not
   */
  public static EventLayout of(int version) {
    if (version < ProfilerTable.OLDEST || version > ProfilerTable.NEWEST) {
      throw new IllegalArgumentException("version of ncclProfiler: " + version);
    }
    return LAYOUTS.get(version - ProfilerTable.OLDEST);
  }

  /** Returns the names of the fields. */
  public List<String> fields() {
    return List.copyOf(offsets.keySet());
  }

  /** Returns where a field is, in bytes; {@link #ABSENT} where this version lacks it. */
  public long offset(String field) {
    return offsets.getOrDefault(field, ABSENT);
  }

  /** Returns the size of a field that this version has, in bytes. */
  public int size(String field) {
    return sizes.getOrDefault(field, 0);
  }

  /** Returns the size of the descriptor in bytes. */
  public long byteSize() {
    return byteSize;
  }

  private static long aligned(long offset, long alignment) {
    return (offset + alignment - 1) / alignment * alignment;
  }
}
