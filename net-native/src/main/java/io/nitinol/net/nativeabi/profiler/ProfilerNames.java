// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.profiler;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Locale;

/** NCCL's names in events, as C strings that live as long as the process. */
final class ProfilerNames {
  /** What version 1 has no number for. */
  private static final byte UNKNOWN = (byte) 0xff;

  private static final long[] FUNCTIONS =
      addresses(
          "Broadcast",
          "Reduce",
          "AllGather",
          "ReduceScatter",
          "AllReduce",
          "SendRecv",
          "Send",
          "Recv",
          "AlltoAll",
          "Gather",
          "Scatter");
  private static final long[] TYPES =
      addresses(
          Arrays.stream(DataType.values()).map(ProfilerNames::typeName).toArray(String[]::new));
  private static final long[] ALGORITHMS =
      addresses(Arrays.stream(Algorithm.values()).map(Algorithm::name).toArray(String[]::new));
  private static final long[] PROTOCOLS =
      addresses(Arrays.stream(Protocol.values()).map(Protocol::name).toArray(String[]::new));

  private ProfilerNames() {}

  private static long[] addresses(String... words) {
    return Arrays.stream(words).mapToLong(w -> Arena.global().allocateFrom(w).address()).toArray();
  }

  private static String typeName(DataType type) {
    return switch (type) {
      case FLOAT8E4M3 -> "ncclFloat8e4m3";
      case FLOAT8E5M2 -> "ncclFloat8e5m2";
      default -> "nccl" + type.name().charAt(0) + type.name().substring(1).toLowerCase(Locale.ROOT);
    };
  }

  static long function(Collective function) {
    return FUNCTIONS[function.code()];
  }

  static long type(DataType type) {
    return TYPES[type.ordinal()];
  }

  static long algorithm(Algorithm algorithm) {
    return ALGORITHMS[algorithm.ordinal()];
  }

  static long protocol(Protocol protocol) {
    return PROTOCOLS[protocol.ordinal()];
  }

  /** Returns the number that version 1 has for an algorithm of NCCL's. */
  static byte code(Algorithm algorithm) {
    return switch (algorithm) {
      case TREE -> 0;
      case RING -> 1;
      case COLLNET_DIRECT -> 2;
      case COLLNET_CHAIN -> 3;
      case DIRECT, DOUBLING, HIERARCHY, PAIRS -> UNKNOWN; // none of NCCL's
    };
  }
}
