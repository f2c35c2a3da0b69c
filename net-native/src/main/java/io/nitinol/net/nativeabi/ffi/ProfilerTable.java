// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import java.util.List;
import java.util.stream.IntStream;

/** The structs {@code ncclProfiler_v1} to {@code _v6}. */
public final class ProfilerTable {
  /** The oldest version. */
  public static final int OLDEST = 1;

  /** The newest version. */
  public static final int NEWEST = 6;

  private static final List<StructTable<ProfilerFunction>> TABLES =
      IntStream.rangeClosed(OLDEST, NEWEST).mapToObj(ProfilerTable::build).toList();

  private ProfilerTable() {}

  /** Returns all versions, oldest first. */
  public static List<StructTable<ProfilerFunction>> all() {
    return TABLES;
  }

  private static StructTable<ProfilerFunction> build(int v) {
    var slots = new StructTable.Builder<>(ProfilerFunction.class);
    slots.add(ProfilerFunction.INIT, v <= 3 ? "pp" : v == 4 ? "pppliiip" : "plppiiip");
    slots.add(ProfilerFunction.START_EVENT, "ppp");
    slots.add(ProfilerFunction.STOP_EVENT, "p");
    slots.add(ProfilerFunction.RECORD_EVENT_STATE, "pip");
    slots.add(ProfilerFunction.FINALIZE, "p");
    return slots.build(v, "ncclProfiler_v" + v);
  }
}
