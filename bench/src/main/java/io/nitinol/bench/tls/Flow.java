// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.tls;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * A process with one connection of the Socket plugin between two of its threads, as its environment
 * says. For each line of a size and a count on stdin it sends so many messages and prints the
 * nanoseconds that one took.
 */
public final class Flow {
  private static final int WINDOW = 8;

  private final Net net;
  private final SendComm send;
  private final RecvComm recv;
  private final MemorySegment from;
  private final MemorySegment to;
  private final MemoryHandle out;
  private final MemoryHandle[] in;
  private final int largest;

  private Flow(int largest) {
    this.largest = largest;
    net =
        ServiceLoader.load(Net.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("Socket"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no plugin named Socket is installed"));
    net.init(new Silent());
    MemorySegment handle = Arena.global().allocate(Net.HANDLE_MAXSIZE);
    ListenComm listener = net.listen(0, handle);
    SendComm sending = null;
    RecvComm receiving = null;
    while (sending == null || receiving == null) {
      sending = sending == null ? net.connect(0, handle) : sending;
      receiving = receiving == null ? net.accept(listener) : receiving;
    }
    send = sending;
    recv = receiving;
    from = Arena.global().allocate(largest, 4096);
    to = Arena.global().allocate((long) WINDOW * largest, 4096);
    for (int i = 0; i < largest; i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
    }
    out = net.regMr(send, Memory.ofHost(from));
    in = new MemoryHandle[] {net.regMr(recv, Memory.ofHost(to))};
  }

  /** Serves the lines of stdin. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Flow flow = new Flow(Integer.parseInt(arguments[0]));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      System.out.println(flow.run(Integer.parseInt(words[0]), Integer.parseInt(words[1])));
      System.out.flush();
    }
  }

  private double run(int size, int count) throws InterruptedException {
    to.fill((byte) 0);
    Thread far = new Thread(() -> send(size, count), "far side");
    long start = System.nanoTime();
    far.start();
    receive(size, count);
    long nanos = System.nanoTime() - start;
    far.join();
    for (int slot = 0; slot < Math.min(WINDOW, count); slot++) {
      if (to.asSlice((long) slot * largest, size).mismatch(from.asSlice(0, size)) != -1) {
        throw new IllegalStateException("a message of " + size + " bytes arrived changed");
      }
    }
    return (double) nanos / count;
  }

  private void send(int size, int count) {
    @Nullable Request[] requests = new @Nullable Request[WINDOW];
    for (int posted = 0, done = 0; done < count; ) {
      while (posted < count && posted - done < WINDOW) {
        Request request = net.isend(send, out, 0, size, 0);
        if (request == null) {
          break;
        }
        requests[posted++ % WINDOW] = request;
      }
      Request oldest = requests[done % WINDOW];
      if (oldest != null && net.test(oldest, null)) {
        done++;
      }
    }
  }

  private void receive(int size, int count) {
    @Nullable Request[] requests = new @Nullable Request[WINDOW];
    long[] offsets = new long[1];
    long[] lengths = {size};
    int[] tags = new int[1];
    for (int posted = 0, done = 0; done < count; ) {
      while (posted < count && posted - done < WINDOW) {
        offsets[0] = (long) (posted % WINDOW) * largest;
        Request request = net.irecv(recv, 1, in, offsets, lengths, tags);
        if (request == null) {
          break;
        }
        requests[posted++ % WINDOW] = request;
      }
      Request oldest = requests[done % WINDOW];
      if (oldest != null && net.test(oldest, null)) {
        done++;
      }
    }
  }

  private static final class Silent implements DebugLogger {
    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return false;
    }

    @Override
    public void log(
        LogLevel level, long subsystems, @Nullable String location, int line, String message) {
      // What goes wrong is thrown.
    }
  }
}
