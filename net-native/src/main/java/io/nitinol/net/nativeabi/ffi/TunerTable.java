// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static io.nitinol.net.nativeabi.ffi.TunerFunction.DESTROY;
import static io.nitinol.net.nativeabi.ffi.TunerFunction.FINALIZE;
import static io.nitinol.net.nativeabi.ffi.TunerFunction.GET_CHUNK_SIZE;
import static io.nitinol.net.nativeabi.ffi.TunerFunction.GET_COLL_INFO;
import static io.nitinol.net.nativeabi.ffi.TunerFunction.INIT;

import java.util.List;
import java.util.stream.IntStream;

/** The structs {@code ncclTunerPlugin_v2} to {@code _v6}. */
public final class TunerTable {
  /** The oldest version. */
  public static final int OLDEST = 2;

  /** The newest version. */
  public static final int NEWEST = 6;

  private static final List<StructTable<TunerFunction>> TABLES =
      IntStream.rangeClosed(OLDEST, NEWEST).mapToObj(TunerTable::build).toList();

  private TunerTable() {}

  /** Returns all versions, oldest first. */
  public static List<StructTable<TunerFunction>> all() {
    return TABLES;
  }

  private static StructTable<TunerFunction> build(int v) {
    var slots = new StructTable.Builder<>(TunerFunction.class);
    slots.add(INIT, v <= 4 ? "llpp" : "plllppp");
    slots.add(GET_COLL_INFO, v == 2 ? "piliiippp" : v == 3 ? "pilipiip" : "pilipiiip");
    slots.add(v <= 4 ? DESTROY : FINALIZE, "p");
    if (v >= 6) {
      slots.add(GET_CHUNK_SIZE, "piliiip");
    }
    return slots.build(v, "ncclTunerPlugin_v" + v);
  }
}
