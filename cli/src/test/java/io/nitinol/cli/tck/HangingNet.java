// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A network whose listen never returns; it notes the processes in which it was started. */
public final class HangingNet implements Net {
  /** The variable with the file of the processes' numbers. */
  static final String PROCESSES = "HANGING_NET_PROCESSES";

  @Override
  public String name() {
    return "Hanging";
  }

  @Override
  public void init(DebugLogger logger) {
    try {
      Files.writeString(
          Path.of(System.getenv(PROCESSES)),
          ProcessHandle.current().pid() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int devices() {
    return 1;
  }

  @Override
  public NetProperties getProperties(int device) {
    return new NetProperties("hang0", null, 1, PointerType.HOST.mask(), 1_000, 1, 1, 1, 1);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    while (true) {
      LockSupport.park(this);
    }
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
