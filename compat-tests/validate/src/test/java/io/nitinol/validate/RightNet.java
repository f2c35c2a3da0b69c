// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A network between threads that also answers wrong callers as the contract says, where {@link
 * MemoryNet} relies on right ones. Tests derive the wrong plugins from it.
 */
class RightNet extends DelegatingNet {
  private record Handle(Comm comm, MemoryHandle inner, Memory memory) implements MemoryHandle {}

  private final Set<Handle> handles =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
  private final Map<Request, Long> sends = Collections.synchronizedMap(new IdentityHashMap<>());

  RightNet() {
    super(new MemoryNet(5));
  }

  static NetException refusal(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, what);
  }

  private void requireDevice(int device) {
    if (device < 0 || device >= devices()) {
      throw refusal("device " + device);
    }
  }

  @Override
  public NetProperties getProperties(int device) {
    requireDevice(device);
    return super.getProperties(device);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    requireDevice(device);
    if (handle.byteSize() < Net.HANDLE_MAXSIZE) {
      throw refusal("short");
    }
    return super.listen(context, device, handle);
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    requireDevice(device);
    if (handle.byteSize() < Net.HANDLE_MAXSIZE) {
      throw refusal("short");
    }
    return super.connect(context, device, handle, deviceHandle);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    if (memory.segment() == null || memory.size() > Integer.MAX_VALUE) {
      throw refusal("memory");
    }
    Handle handle = new Handle(comm, super.regMr(comm, memory), memory);
    handles.add(handle);
    return handle;
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    Handle own = of(comm, handle);
    handles.remove(own);
    super.deregMr(comm, own.inner);
  }

  private Handle of(Comm comm, MemoryHandle handle) {
    if (!(handle instanceof Handle own) || own.comm != comm || !handles.contains(own)) {
      throw refusal("handle");
    }
    return own;
  }

  private Handle piece(Comm comm, MemoryHandle handle, long offset, long length) {
    Handle own = of(comm, handle);
    if (offset < 0 || length < 0 || offset > own.memory.size() - length) {
      throw refusal("bounds");
    }
    return own;
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    Request request =
        super.isend(
            comm, piece(comm, mr, offset, length).inner, offset, length, tag, profilerHandle);
    if (request != null) {
      sends.put(request, length);
    }
    return request;
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    if (n != 1 || mrs.length < 1 || offsets.length < 1 || lengths.length < 1 || tags.length < 1) {
      throw refusal("pieces");
    }
    Handle own = piece(comm, mrs[0], offsets[0], lengths[0]);
    if (own.memory.segment().isReadOnly()) {
      throw refusal("read-only");
    }
    return super.irecv(
        comm, n, new MemoryHandle[] {own.inner}, offsets, lengths, tags, profilerHandles, hints);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (sizes != null && sizes.length < 1) {
      throw refusal("sizes");
    }
    if (!super.test(request, sizes)) {
      return false;
    }
    Long sent = sends.remove(request);
    if (sent != null && sizes != null) {
      sizes[0] = sent.intValue();
    }
    return true;
  }
}
