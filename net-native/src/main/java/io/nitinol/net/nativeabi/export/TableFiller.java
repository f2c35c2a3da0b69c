// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.export.ffi.HostFunctions;
import io.nitinol.net.nativeabi.ffi.Signature;
import io.nitinol.net.nativeabi.ffi.StructTable;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Makes C functions of Java methods and puts them into the exported structs. A method is named by
 * the member of the struct and the first version that has it so: {@code isend5} is {@code isend} of
 * versions 5 to 8 where the next is {@code isend9}. One that begins with a parameter more than the
 * member has is told the version in it.
 */
final class TableFiller {
  private static final Class<?>[] NET = {ExportNetSetup.class, NetConnect.class, NetData.class};
  private static final Class<?>[] COLLNET = {ExportCollNetSetup.class, CollNetData.class};

  private final ExportLayout library;
  private final Map<String, Long> functions = new HashMap<>();
  private final Set<String> filled = new HashSet<>();

  TableFiller(ExportLayout library) {
    this.library = library;
  }

  /** Says which method the library's {@code init} of a version goes on with. */
  void setInit(boolean collective, int version, Signature signature) {
    Method method = find(collective, "init", version);
    library.setInit(collective, version, stub(method, version, signature.flatDescriptor()));
  }

  /** Fills the struct of a version, the first time; null stands for the functions in absent. */
  <F extends Enum<F>> void fill(boolean collective, StructTable<F> struct, Set<F> absent) {
    if (filled.contains(struct.symbol())) {
      return;
    }
    long table = library.table(collective, struct.version());
    for (F function : struct.functions()) {
      if (!function.toString().equals("init")) {
        long address = 0;
        if (!absent.contains(function)) {
          address = function(collective, struct, function);
        }
        NcclMemory.putLong(table + struct.offset(function), address);
      }
    }
    filled.add(struct.symbol()); // only now: what failed half-way is tried again
  }

  private <F extends Enum<F>> long function(boolean collective, StructTable<F> struct, F function) {
    FunctionDescriptor descriptor = struct.signature(function).flatDescriptor();
    int arity = descriptor.argumentLayouts().size();
    Method method = find(collective, function.toString(), struct.version());
    boolean versioned = method.getParameterCount() > arity;
    String key = collective + method.getName() + (versioned ? " " + struct.version() : "");
    return functions.computeIfAbsent(
        key, name -> library.jumpTo(arity, stub(method, struct.version(), descriptor)));
  }

  private static Method find(boolean collective, String member, int version) {
    for (int since = version; since >= ExportLayout.OLDEST; since--) {
      String name = member + since;
      for (Class<?> type : collective ? COLLNET : NET) {
        for (Method method : type.getDeclaredMethods()) {
          if (method.getName().equals(name)) {
            return method;
          }
        }
      }
    }
    throw new IllegalStateException(
        "no method for " + member + " of version " + version + " in " + Arrays.toString(NET));
  }

  private static MemorySegment stub(Method method, int version, FunctionDescriptor descriptor) {
    try {
      MethodHandle target = MethodHandles.lookup().unreflect(method);
      if (target.type().parameterCount() > descriptor.argumentLayouts().size()) {
        target = MethodHandles.insertArguments(target, 0, version);
      }
      return HostFunctions.functionOf(target, descriptor);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(method + " cannot be called from here", e);
    }
  }
}
