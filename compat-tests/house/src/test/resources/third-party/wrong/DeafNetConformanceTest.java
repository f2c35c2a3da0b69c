// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import java.lang.foreign.MemorySegment;

class DeafNetConformanceTest extends ConformanceTest {
  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(DeafNet.class);
  }

  /** Has a device on which nobody listens: NET-CONN-01 wants a listener at once, never null. */
  public static final class DeafNet implements Net {
    @Override
    public String name() {
      return "Deaf";
    }

    @Override
    public void init(DebugLogger logger) {}

    @Override
    public int devices() {
      return 1;
    }

    @Override
    public NetProperties getProperties(int device) {
      if (device != 0) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "Deaf has no device " + device);
      }
      return new NetProperties("deaf0", null, 1, PointerType.HOST.mask(), 10_000, 0, 0, 1, 1);
    }

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      return null;
    }

    @Override
    public SendComm connect(int device, MemorySegment handle) {
      throw unheard();
    }

    @Override
    public RecvComm accept(ListenComm listenComm) {
      throw unheard();
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      throw unheard();
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      throw unheard();
    }

    @Override
    public Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      throw unheard();
    }

    @Override
    public Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      throw unheard();
    }

    @Override
    public Request iflush(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
      throw unheard();
    }

    @Override
    public boolean test(Request request, int[] sizes) {
      throw unheard();
    }

    @Override
    public void closeSend(SendComm comm) {
      throw unheard();
    }

    @Override
    public void closeRecv(RecvComm comm) {
      throw unheard();
    }

    @Override
    public void closeListen(ListenComm listenComm) {
      throw unheard();
    }

    private static NetException unheard() {
      return new NetException(ResultCode.INVALID_ARGUMENT, "nothing was ever connected");
    }
  }
}
