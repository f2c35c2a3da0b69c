// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.kernel.HostKernels;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import java.util.EnumMap;
import java.util.Map;

/**
 * An operator that the kernels of the host know and no plugin.
 *
 * @param code its code in {@link CollectiveCall}
 * @param name for messages
 * @param kernels one for each type that it reduces
 */
public record HostReduction(int code, String name, Map<DataType, ReduceFunction> kernels)
    implements Operator {
  /** Bitwise and, of integers. */
  public static final HostReduction BIT_AND =
      bits(CollectiveCall.BIT_AND, "bit_and", HostKernels.Bits.AND);

  /** Bitwise or, of integers. */
  public static final HostReduction BIT_OR =
      bits(CollectiveCall.BIT_OR, "bit_or", HostKernels.Bits.OR);

  /** Bitwise exclusive or, of integers. */
  public static final HostReduction BIT_XOR =
      bits(CollectiveCall.BIT_XOR, "bit_xor", HostKernels.Bits.XOR);

  /** What a barrier does with its byte. */
  static final HostReduction BARRIER = bits(CollectiveCall.BARRIER, "barrier", HostKernels.Bits.OR);

  /** Creates an operator of the application, for one type. */
  public static HostReduction ofApplication(String name, DataType type, ReduceFunction kernel) {
    return new HostReduction(CollectiveCall.OF_APPLICATION, name, Map.of(type, kernel));
  }

  private static HostReduction bits(int code, String name, HostKernels.Bits bits) {
    Map<DataType, ReduceFunction> kernels = new EnumMap<>(DataType.class);
    for (DataType type : DataType.values()) {
      if (HostKernels.isInteger(type)) {
        kernels.put(type, HostKernels.of(bits, type));
      }
    }
    return new HostReduction(code, name, kernels);
  }

  @Override
  public ReduceFunction function(String call, Calls calls, DataType type) {
    ReduceFunction kernel = kernels.get(type);
    if (kernel == null) {
      throw BufferCheck.invalid(
          call,
          "op",
          ErrorText.of("%s of %s elements", name, type.label()),
          "elements of "
              + String.join(" or ", kernels.keySet().stream().map(DataType::label).toList()));
    }
    return kernel;
  }
}
