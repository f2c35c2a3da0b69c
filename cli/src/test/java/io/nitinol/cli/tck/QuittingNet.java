// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A network that ends the process when it is started, as if all had gone well. */
public final class QuittingNet implements Net {
  @Override
  public String name() {
    return "Quitting";
  }

  @Override
  public void init(DebugLogger logger) {
    System.exit(0);
  }

  @Override
  public int devices() {
    throw new UnsupportedOperationException();
  }

  @Override
  public NetProperties getProperties(int device) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void closeSend(SendComm comm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void closeListen(ListenComm comm) {
    throw new UnsupportedOperationException();
  }
}
