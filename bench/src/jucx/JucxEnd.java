// SPDX-License-Identifier: Apache-2.0
import io.nitinol.bench.socket.Content;
import io.nitinol.bench.socket.End;
import io.nitinol.bench.socket.EndProcess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * An end of UCX's tagged messages through JUCX. Not part of the build, which does without JUCX: the
 * benchmark runs this file as it is, with the jar on the class path. UCX has one endpoint for both
 * ways and chooses its connections itself. A send that is complete may still be buffered and leaves
 * with the next progress, so the far end goes on until the near end has called that all came.
 */
final class JucxEnd implements End {
  private static final UcxCallback NOTHING = new UcxCallback();
  private static final long BACK = 1;
  private static final long STREAM = 2;

  private final UcpWorker worker;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment slots;
  private final MemorySegment small;
  private final UcpContext context;
  private final UcpRequest[] requests = new UcpRequest[SLOTS];
  private UcpEndpoint endpoint;

  JucxEnd(boolean near, int connections, int largest) {
    slots = arena.allocate((long) SLOTS * largest, 4096);
    small = arena.allocate(16, 8);
    if (!near) {
      Content.fill(slots);
    }
    context = new UcpContext(new UcpParams().requestTagFeature());
    worker = context.newWorker(new UcpWorkerParams());
  }

  public static void main(String[] arguments) throws IOException {
    EndProcess.run(arguments, JucxEnd::new);
  }

  @Override
  public String handles() {
    ByteBuffer address = worker.getAddress();
    byte[] bytes = new byte[address.remaining()];
    address.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public void connect(String handles) {
    byte[] bytes = HexFormat.of().parseHex(handles);
    ByteBuffer address = ByteBuffer.allocateDirect(bytes.length);
    address.put(bytes).flip();
    endpoint = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(address));
  }

  private UcpRequest post(boolean sending, long address, long size, long tag) {
    return sending
        ? endpoint.sendTaggedNonBlocking(address, size, tag, NOTHING)
        : worker.recvTaggedNonBlocking(address, size, tag, -1, NOTHING);
  }

  private void await(UcpRequest request) {
    try {
      while (!request.isCompleted()) {
        worker.progress();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void stream(boolean sending, int size, long count) {
    long slot = slots.byteSize() / SLOTS;
    long posted = 0;
    for (long done = 0; done < count; done++) {
      while (posted < count && posted - done < SLOTS) {
        int at = (int) (posted++ % SLOTS);
        requests[at] = post(sending, slots.address() + at * slot, size, STREAM);
      }
      await(requests[(int) (done % SLOTS)]);
    }
  }

  @Override
  public void send(int size, long count) {
    stream(true, size, count);
    awaitCall();
  }

  @Override
  public void receive(int size, long count) {
    stream(false, size, count);
    call();
  }

  @Override
  public void call() {
    await(post(true, small.address(), 8, BACK));
  }

  @Override
  public void awaitCall() {
    await(post(false, small.address() + 8, 8, BACK));
  }

  @Override
  public void ping(long rounds) {
    for (long i = 0; i < rounds; i++) {
      UcpRequest receiving = post(false, small.address() + 8, 8, STREAM);
      call();
      await(receiving);
    }
    call();
  }

  @Override
  public void pong(long rounds) {
    for (long i = 0; i < rounds; i++) {
      awaitCall();
      await(post(true, small.address(), 8, STREAM));
    }
    awaitCall();
  }

  @Override
  public void clear(int size) {
    Content.clear(slots, slots.byteSize() / SLOTS, size);
  }

  @Override
  public String check(int size, int count) {
    return Content.check(slots, slots.byteSize() / SLOTS, size, count);
  }

  @Override
  public void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    worker.close();
    context.close();
    arena.close();
  }
}
