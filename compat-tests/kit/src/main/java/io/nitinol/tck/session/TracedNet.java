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
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A network whose calls are written down. */
final class TracedNet implements Net {
  private final Net net;
  private final CallTrace trace;

  TracedNet(Net net, CallTrace trace) {
    this.net = net;
    this.trace = trace;
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public void init(DebugLogger logger) {
    run("init", null, "", () -> net.init(logger));
  }

  @Override
  public int devices() {
    return call("devices", null, "", net::devices);
  }

  @Override
  public NetProperties getProperties(int device) {
    return call("getProperties", null, "device " + device, () -> net.getProperties(device));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return call("listen", null, "device " + device, () -> net.listen(device, handle));
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    CallTrace.Calls calls = trace.mine();
    boolean again = handle != null && calls.repeat("connect", handle, "null");
    if (!again) {
      calls.begin("connect", handle, "device " + device + ", handle " + address(handle));
    }
    return ended(calls, () -> net.connect(device, handle));
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    CallTrace.Calls calls = trace.mine();
    boolean again = listenComm != null && calls.repeat("accept", listenComm, "null");
    if (!again) {
      calls.begin("accept", listenComm, CallTrace.name(listenComm));
    }
    return ended(calls, () -> net.accept(listenComm));
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return call("regMr", comm, CallTrace.name(comm) + ", " + memory, () -> net.regMr(comm, memory));
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return call(
        "regMrDmaBuf",
        comm,
        CallTrace.name(comm) + ", " + memory + ", offset " + offset + ", fd " + fd,
        () -> net.regMrDmaBuf(comm, memory, offset, fd));
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    run(
        "deregMr",
        comm,
        CallTrace.name(comm) + ", " + CallTrace.name(handle),
        () -> net.deregMr(comm, handle));
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    CallTrace.Calls calls = trace.mine();
    if (comm == null || !calls.repeat("isend", comm, "null")) {
      calls.begin(
          "isend",
          comm,
          CallTrace.name(comm)
              + ", "
              + CallTrace.name(mr)
              + ", offset "
              + offset
              + ", length "
              + length
              + ", tag "
              + tag);
    }
    return ended(calls, () -> net.isend(comm, mr, offset, length, tag));
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    CallTrace.Calls calls = trace.mine();
    if (comm == null || !calls.repeat("irecv", comm, "null")) {
      calls.begin(
          "irecv",
          comm,
          CallTrace.name(comm)
              + ", n "
              + n
              + ", offsets "
              + Arrays.toString(offsets)
              + ", lengths "
              + Arrays.toString(lengths)
              + ", tags "
              + Arrays.toString(tags));
    }
    return ended(calls, () -> net.irecv(comm, n, mrs, offsets, lengths, tags));
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return call(
        "iflush",
        comm,
        CallTrace.name(comm) + ", n " + n + ", lengths " + Arrays.toString(lengths),
        () -> net.iflush(comm, n, mrs, offsets, lengths));
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    CallTrace.Calls calls = trace.mine();
    if (request == null || !calls.repeat("test", request, "false")) {
      calls.begin("test", request, CallTrace.name(request));
    }
    boolean done;
    try {
      done = net.test(request, sizes);
    } catch (Throwable e) {
      calls.end(describe(e));
      throw e;
    }
    calls.end(done ? "true" + (sizes == null ? "" : ", sizes " + Arrays.toString(sizes)) : "false");
    return done;
  }

  @Override
  public void closeSend(SendComm comm) {
    run("closeSend", comm, CallTrace.name(comm), () -> net.closeSend(comm));
  }

  @Override
  public void closeRecv(RecvComm comm) {
    run("closeRecv", comm, CallTrace.name(comm), () -> net.closeRecv(comm));
  }

  @Override
  public void closeListen(ListenComm comm) {
    run("closeListen", comm, CallTrace.name(comm), () -> net.closeListen(comm));
  }

  private void run(String method, @Nullable Object token, String arguments, Runnable body) {
    call(
        method,
        token,
        arguments,
        () -> {
          body.run();
          return "done";
        });
  }

  private <T> T call(String method, @Nullable Object token, String arguments, Supplier<T> body) {
    CallTrace.Calls calls = trace.mine();
    calls.begin(method, token, arguments);
    T result;
    try {
      result = body.get();
    } catch (Throwable e) {
      calls.end(describe(e));
      throw e;
    }
    calls.end(
        String.valueOf(
            result instanceof Integer || result instanceof String || result instanceof NetProperties
                ? result
                : CallTrace.name(result)));
    return result;
  }

  private static <T extends @Nullable Object> T ended(CallTrace.Calls calls, Supplier<T> body) {
    T token;
    try {
      token = body.get();
    } catch (Throwable e) {
      calls.end(describe(e));
      throw e;
    }
    calls.end(CallTrace.name(token));
    return token;
  }

  private static String describe(Throwable e) {
    return e instanceof NetException net ? net.result() + ": " + net.getMessage() : e.toString();
  }

  private static String address(@Nullable MemorySegment segment) {
    return segment == null ? "null" : "0x" + Long.toHexString(segment.address());
  }
}
