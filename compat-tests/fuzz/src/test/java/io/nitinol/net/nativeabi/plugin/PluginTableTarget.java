// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.net.nativeabi.ffi.ProfilerTable;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.net.nativeabi.ffi.TunerTable;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The structs that native libraries export, every kind and version: a name and functions. */
public final class PluginTableTarget implements FuzzTarget {
  private final NativeWords words = new NativeWords();
  private final List<StructTable<?>> tables = new ArrayList<>();

  /** Lists the tables. */
  public PluginTableTarget() {
    tables.addAll(NetTable.all());
    tables.addAll(CollNetTable.all());
    tables.addAll(ProfilerTable.all());
    tables.addAll(TunerTable.all());
  }

  @Override
  public void run(byte[] input) {
    if (input.length >= 2) {
      look(tables.get((input[0] & 0xff) % tables.size()), input);
    }
  }

  private <F extends Enum<F>> void look(StructTable<F> table, byte[] input) {
    MemorySegment struct =
        words.place(Arrays.copyOfRange(input, 2, input.length), table.byteSize());
    for (long at = 0; at < table.byteSize(); at += Long.BYTES) {
      int kind = 2 + (int) at / Long.BYTES;
      words.point(
          struct, at, at == 0 ? input[1] & 0xf : kind < input.length ? input[kind] & 0xf : 8);
    }
    // What is beyond the struct's last page is found out too.
    MemorySegment symbol = (input[1] & 0x70) == 0x70 ? MemorySegment.ofAddress(input[1]) : struct;
    try {
      NativePlugin<F> plugin = NativePlugin.of(table, symbol, "lib.so");
      FuzzTarget.require(!plugin.name().isBlank() && plugin.name().length() < 256, "a name");
      F first = table.functions().getFirst();
      FuzzTarget.require(plugin.has(first), "no init");
      plugin.requireCode(table.functions());
    } catch (NetException e) {
      FuzzTarget.require(e.result() == ResultCode.INTERNAL_ERROR, "" + e);
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(NativePlugin.class, StructTable.class, MemoryMap.class);
  }

  @Override
  public List<byte[]> seeds() {
    byte[] right = new byte[40];
    Arrays.fill(right, (byte) 8);
    List<byte[]> seeds = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      right[0] = (byte) i;
      right[1] = 1;
      seeds.add(right.clone());
    }
    return seeds;
  }

  @Override
  public long mostAllocated() {
    return 8 << 20; // the map of all memory
  }
}
