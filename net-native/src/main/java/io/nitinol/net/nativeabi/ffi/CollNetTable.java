// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static io.nitinol.net.nativeabi.ffi.CollNetFunction.CLOSE_COLL;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.CLOSE_LISTEN;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.CONNECT;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.DEREG_MR;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.DEVICES;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.FINALIZE;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.GET_PROPERTIES;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IALLGATHER;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IALLREDUCE;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IFLUSH;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.INIT;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IREDUCESCATTER;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.LISTEN;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.MAKE_VDEVICE;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.REDUCE_SUPPORT;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.REG_MR;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.REG_MR_DMA_BUF;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.TEST;

import java.util.List;
import java.util.stream.IntStream;

/** The structs {@code ncclCollNetPlugin_v4} to that of {@link #NEWEST}. */
public final class CollNetTable {
  /** The oldest version. */
  public static final int OLDEST = 4;

  /** The newest version: NCCL gives both structs a new one together. */
  public static final int NEWEST = NetTable.NEWEST;

  private static final List<StructTable<CollNetFunction>> TABLES =
      IntStream.rangeClosed(OLDEST, NEWEST).mapToObj(CollNetTable::build).toList();

  private CollNetTable() {}

  /**
   * Returns the struct of a version.
   *
   * @throws IllegalArgumentException for a version before {@link #OLDEST} or after {@link #NEWEST}
   */
  public static StructTable<CollNetFunction> of(int version) {
    if (version < OLDEST || version > NEWEST) {
      throw new IllegalArgumentException(
          "version of ncclCollNet: expected " + OLDEST + " to " + NEWEST + ", got " + version);
    }
    return TABLES.get(version - OLDEST);
  }

  /** Returns all versions, oldest first. */
  public static List<StructTable<CollNetFunction>> all() {
    return TABLES;
  }

  private static StructTable<CollNetFunction> build(int v) {
    var slots = new StructTable.Builder<>(CollNetFunction.class);
    slots.add(INIT, v <= 10 ? "p" : "plp");
    slots.add(DEVICES, "p");
    slots.add(GET_PROPERTIES, "ip");
    slots.add(LISTEN, v <= 10 ? "ipp" : "pipp");
    slots.add(CONNECT, "piipp");
    slots.add(REDUCE_SUPPORT, "iip");
    slots.add(REG_MR, v <= 7 ? "ppiip" : "pplip");
    if (v >= 6) {
      slots.add(REG_MR_DMA_BUF, "pplilip");
    }
    slots.add(DEREG_MR, "pp");
    slots.add(IALLREDUCE, v <= 8 ? "pppiiippp" : "pppliippp");
    if (v >= 8) {
      slots.add(IALLGATHER, "ppiplllpp");
      slots.add(IREDUCESCATTER, "pippllliipp");
    }
    slots.add(IFLUSH, "ppipp");
    slots.add(TEST, "ppp");
    slots.add(CLOSE_COLL, "p");
    slots.add(CLOSE_LISTEN, "p");
    if (v >= 9) {
      slots.add(MAKE_VDEVICE, "pp");
    }
    if (v >= 11) {
      slots.add(FINALIZE, "p");
    }
    return slots.build(v, "ncclCollNetPlugin_v" + v);
  }
}
