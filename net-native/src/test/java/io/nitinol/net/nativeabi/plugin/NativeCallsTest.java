// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.net.nativeabi.ffi.StructTable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** There is a call for each parameter list of the tables, and it takes what its name says. */
class NativeCallsTest {

  @Test
  void everyParameterListHasItsCall() {
    Set<String> wanted = new TreeSet<>();
    NetTable.all().forEach(table -> add(table, wanted));
    CollNetTable.all().forEach(table -> add(table, wanted));
    Set<String> there =
        Stream.of(NativeCalls.class, CollCalls.class)
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .filter(m -> m.getName().matches("[pil]+"))
            .map(NativeCallsTest::checked)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(there).isEqualTo(wanted).hasSizeGreaterThan(25);
  }

  private static <F extends Enum<F>> void add(StructTable<F> table, Set<String> into) {
    table.functions().forEach(f -> into.add(table.signature(f).parameters()));
  }

  private static String checked(Method call) {
    Class<?>[] types = call.getParameterTypes();
    assertThat(types).hasSize(call.getName().length() + 1);
    assertThat(types[0]).isEqualTo(MemorySegment.class);
    for (int i = 0; i < call.getName().length(); i++) {
      assertThat(types[i + 1])
          .as("%s, parameter %s", call.getName(), i)
          .isEqualTo(call.getName().charAt(i) == 'i' ? int.class : long.class);
    }
    return call.getName();
  }
}
