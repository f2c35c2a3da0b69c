// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.v12.Net;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entry of {@code libnccl-net-nitinol.so} into Java. {@link #start} tells the library which
 * functions its inits go on with; the rest of a struct is filled by the init of its version, which
 * is when NCCL reads it, since most hosts use one version of the nine.
 */
public final class NativeExport {
  /** Tells plugins, which have other defaults then, that NCCL drives them. */
  private static final String UNDER_NCCL = "nitinol.nccl";

  private static @Nullable TableFiller filler;

  private NativeExport() {}

  /**
   * Begins; the library calls it once by JNI, from a thread of its own.
   *
   * @param export the address of the library's struct {@code export}
   * @return null, or what is wrong in one sentence
   */
  public static synchronized @Nullable String start(long export) {
    try {
      if (filler != null) { // its structs are the ones that init fills
        return "this process has another copy of the library already, and Java serves only one";
      }
      System.setProperty(UNDER_NCCL, "true");
      TableFiller made = new TableFiller(new ExportLayout(export));
      for (int version = ExportLayout.OLDEST; version <= ExportLayout.NEWEST; version++) {
        made.setInit(false, version, NetTable.of(version).signature(NetFunction.INIT));
        made.setInit(true, version, CollNetTable.of(version).signature(CollNetFunction.INIT));
      }
      filler = made;
      return null;
    } catch (Throwable e) {
      return "Java cannot fill the tables: " + e;
    }
  }

  /** Fills the struct {@code ncclNetPlugin_vN} where that has not been done. */
  static synchronized void fillNet(int version) {
    Net net = Exported.net();
    Set<NetFunction> absent = EnumSet.noneOf(NetFunction.class);
    require(absent, NetFunction.GET_DEVICE_MR, net.supports(OptionalOperation.GET_DEVICE_MR));
    require(absent, NetFunction.IRECV_CONSUMED, net.supports(OptionalOperation.IRECV_CONSUMED));
    require(absent, NetFunction.MAKE_VDEVICE, net.supports(OptionalOperation.MAKE_VDEVICE));
    require(absent, NetFunction.SET_NET_ATTR, net.supports(OptionalOperation.SET_NET_ATTR));
    filler().fill(false, NetTable.of(version), absent);
  }

  /** Fills the struct {@code ncclCollNetPlugin_vN} where that has not been done. */
  static synchronized void fillCollNet(int version) {
    CollNet net = Exported.collNetOrNull();
    Set<CollNetFunction> absent = EnumSet.noneOf(CollNetFunction.class);
    boolean makes = net != null && net.supports(OptionalOperation.MAKE_VDEVICE);
    require(absent, CollNetFunction.MAKE_VDEVICE, makes);
    // Up to version 10 NCCL calls these through functions of its own, without a look at them.
    boolean wrapped = version <= 10;
    boolean gathers = net != null && net.supports(OptionalOperation.ALL_GATHER);
    require(absent, CollNetFunction.IALLGATHER, wrapped || gathers);
    boolean scatters = net != null && net.supports(OptionalOperation.REDUCE_SCATTER);
    require(absent, CollNetFunction.IREDUCESCATTER, wrapped || scatters);
    filler().fill(true, CollNetTable.of(version), absent);
  }

  private static <F> void require(Set<F> absent, F function, boolean there) {
    if (!there) {
      absent.add(function);
    }
  }

  private static TableFiller filler() {
    TableFiller made = filler;
    if (made == null) {
      throw new IllegalStateException("the library has not begun");
    }
    return made;
  }
}
