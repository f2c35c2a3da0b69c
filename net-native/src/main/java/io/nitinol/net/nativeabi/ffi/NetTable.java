// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

import static io.nitinol.net.nativeabi.ffi.NetFunction.ACCEPT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CLOSE_LISTEN;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CLOSE_RECV;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CLOSE_SEND;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CONNECT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.DEREG_MR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.DEVICES;
import static io.nitinol.net.nativeabi.ffi.NetFunction.FINALIZE;
import static io.nitinol.net.nativeabi.ffi.NetFunction.FLUSH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.GET_DEVICE_MR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.GET_PROPERTIES;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IFLUSH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.INIT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IRECV;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IRECV_CONSUMED;
import static io.nitinol.net.nativeabi.ffi.NetFunction.ISEND;
import static io.nitinol.net.nativeabi.ffi.NetFunction.LISTEN;
import static io.nitinol.net.nativeabi.ffi.NetFunction.MAKE_VDEVICE;
import static io.nitinol.net.nativeabi.ffi.NetFunction.PCI_PATH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.PTR_SUPPORT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.REG_MR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.REG_MR_DMA_BUF;
import static io.nitinol.net.nativeabi.ffi.NetFunction.SET_NET_ATTR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.TEST;

import java.util.List;
import java.util.stream.IntStream;

/** The structs {@code ncclNetPlugin_v2} to that of {@link #NEWEST}. */
public final class NetTable {
  /** The oldest version. */
  public static final int OLDEST = 2;

  /** The newest version. */
  public static final int NEWEST = 12;

  private static final List<StructTable<NetFunction>> TABLES =
      IntStream.rangeClosed(OLDEST, NEWEST).mapToObj(NetTable::build).toList();

  private NetTable() {}

  /**
   * Returns the struct of a version.
   *
   * @throws IllegalArgumentException for a version before {@link #OLDEST} or after {@link #NEWEST}
   */
  public static StructTable<NetFunction> of(int version) {
    if (version < OLDEST || version > NEWEST) {
      throw new IllegalArgumentException(
          "version of ncclNet: expected " + OLDEST + " to " + NEWEST + ", got " + version);
    }
    return TABLES.get(version - OLDEST);
  }

  /** Returns all versions, oldest first. */
  public static List<StructTable<NetFunction>> all() {
    return TABLES;
  }

  private static StructTable<NetFunction> build(int v) {
    var slots = new StructTable.Builder<>(NetFunction.class);
    slots.add(INIT, v <= 9 ? "p" : v == 10 ? "pp" : "plppp");
    slots.add(DEVICES, "p");
    if (v == 2) {
      slots.add(PCI_PATH, "ip");
      slots.add(PTR_SUPPORT, "ip");
    } else {
      slots.add(GET_PROPERTIES, "ip");
    }
    slots.add(LISTEN, v <= 10 ? "ipp" : "pipp");
    slots.add(CONNECT, v <= 6 ? "ipp" : v <= 9 ? "ippp" : v == 10 ? "ipppp" : "pippp");
    slots.add(ACCEPT, v <= 6 ? "pp" : "ppp");
    slots.add(REG_MR, v <= 7 ? "ppiip" : "pplip");
    if (v >= 6) {
      slots.add(REG_MR_DMA_BUF, "pplilip");
    }
    slots.add(DEREG_MR, "pp");
    slots.add(ISEND, v <= 4 ? "ppipp" : v <= 8 ? "ppiipp" : v == 9 ? "pplipp" : "pplippp");
    slots.add(IRECV, v <= 4 ? "ppipp" : v <= 9 ? "pippppp" : "pipppppp");
    if (v <= 3) {
      slots.add(FLUSH, "ppip");
    } else {
      slots.add(IFLUSH, v == 4 ? "ppipp" : "pipppp");
    }
    slots.add(TEST, "ppp");
    slots.add(CLOSE_SEND, "p");
    slots.add(CLOSE_RECV, "p");
    slots.add(CLOSE_LISTEN, "p");
    if (v >= 7) {
      slots.add(GET_DEVICE_MR, "ppp");
      slots.add(IRECV_CONSUMED, "pip");
    }
    if (v >= 9) {
      slots.add(MAKE_VDEVICE, "pp");
    }
    if (v >= 11) {
      slots.add(FINALIZE, "p");
      slots.add(SET_NET_ATTR, "pp");
    }
    return slots.build(v, "ncclNetPlugin_v" + v);
  }
}
