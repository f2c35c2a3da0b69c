// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A network whose calls on the data path, made by a test in which each must succeed, break their
 * rule when they fail. It allocates nothing unless a call fails.
 */
final class JudgedNet implements TestedNet {
  private final TestedNet net;

  JudgedNet(TestedNet net) {
    this.net = net;
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    try {
      return net.isend(comm, mr, offset, length, tag);
    } catch (NetException e) {
      throw failed("NET-SEND-08", "isend", e);
    }
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    try {
      return net.irecv(comm, n, mrs, offsets, lengths, tags);
    } catch (NetException e) {
      throw failed("NET-RECV-02", "irecv", e);
    }
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    try {
      return net.iflush(comm, n, mrs, offsets, lengths);
    } catch (NetException e) {
      throw failed("NET-FLUSH-04", "iflush", e);
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    try {
      return net.test(request, sizes);
    } catch (NetException e) {
      throw failed("NET-TEST-02", "test", e);
    }
  }

  private static RuleViolation failed(String rule, String call, NetException e) {
    return new RuleViolation(
        rule, ErrorText.of("%s failed with %s: %s", call, e.result(), e.getMessage()), e);
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public void init(DebugLogger logger) {
    net.init(logger);
  }

  @Override
  public int devices() {
    return net.devices();
  }

  @Override
  public NetProperties getProperties(int device) {
    return net.getProperties(device);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listen(device, handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return net.connect(device, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return net.accept(listenComm);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.regMr(comm, memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return net.regMrDmaBuf(comm, memory, offset, fd);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    net.deregMr(comm, handle);
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    net.closeRecv(comm);
  }

  @Override
  public void closeListen(ListenComm comm) {
    net.closeListen(comm);
  }

  @Override
  public void finish() {
    net.finish();
  }

  @Override
  public @Nullable Newest newest() {
    return net.newest();
  }
}
