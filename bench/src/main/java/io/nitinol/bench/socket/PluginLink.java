// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The plugin as core uses it: several messages in flight, all of them tested in turn. */
final class PluginLink implements Link {
  private final Net net;
  private final Arena arena = Arena.ofShared();
  private final int slot;
  private final MemorySegment outMemory;
  private final MemorySegment inMemory;
  private final Way there;
  private final Way back;

  /** One direction. */
  private final class Way {
    final SendComm send;
    final RecvComm recv;
    final MemoryHandle out;
    final MemoryHandle[] in;
    final long[] offsets = new long[1];
    final long[] lengths = new long[1];
    final int[] tags = new int[1];
    final @Nullable Request[] sends = new @Nullable Request[SLOTS];
    final @Nullable Request[] receives = new @Nullable Request[SLOTS];

    Way() {
      MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
      ListenComm listener = net.listen(0, handle);
      SendComm sending = null;
      RecvComm receiving = null;
      while (sending == null || receiving == null) {
        sending = sending == null ? net.connect(0, handle) : sending;
        receiving = receiving == null ? net.accept(listener) : receiving;
      }
      net.closeListen(listener);
      send = sending;
      recv = receiving;
      out = net.regMr(send, Memory.ofHost(outMemory));
      in = new MemoryHandle[] {net.regMr(recv, Memory.ofHost(inMemory))};
    }

    @Nullable Request irecv(long offset, int size) {
      offsets[0] = offset;
      lengths[0] = size;
      return net.irecv(recv, 1, in, offsets, lengths, tags);
    }

    void close() {
      net.closeSend(send);
      net.closeRecv(recv);
    }
  }

  PluginLink(Net net, int largest) {
    this.net = net;
    this.slot = largest;
    outMemory = Pattern.fill(arena.allocate((long) SLOTS * largest, 4096));
    inMemory = arena.allocate((long) SLOTS * largest, 4096);
    there = new Way();
    back = new Way();
  }

  @Override
  public void send(int size, int count) {
    @Nullable Request[] requests = there.sends;
    int posted = 0;
    for (int done = 0; done < count; ) {
      while (posted < count && posted - done < SLOTS) {
        Request request = net.isend(there.send, there.out, (long) (posted % SLOTS) * slot, size, 0);
        if (request == null) {
          break;
        }
        requests[posted++ % SLOTS] = request;
      }
      Request oldest = requests[done % SLOTS];
      if (oldest != null && net.test(oldest, null)) {
        done++;
      }
    }
  }

  @Override
  public void receive(int size, int count) {
    @Nullable Request[] requests = there.receives;
    int posted = 0;
    for (int done = 0; done < count; ) {
      while (posted < count && posted - done < SLOTS) {
        Request request = there.irecv((long) (posted % SLOTS) * slot, size);
        if (request == null) {
          break;
        }
        requests[posted++ % SLOTS] = request;
      }
      Request oldest = requests[done % SLOTS];
      if (oldest != null && net.test(oldest, null)) {
        done++;
      }
    }
  }

  @Override
  public void ping(int rounds) {
    for (int i = 0; i < rounds; i++) {
      Request receiving = back.irecv(0, 8);
      Request sending = net.isend(there.send, there.out, 0, 8, 0);
      await(sending);
      await(receiving);
    }
  }

  @Override
  public void pong(int rounds) {
    Request receiving = there.irecv(0, 8);
    for (int i = 0; i < rounds; i++) {
      await(receiving);
      Request sending = net.isend(back.send, back.out, 0, 8, 0);
      receiving = i + 1 < rounds ? there.irecv(0, 8) : null;
      await(sending);
    }
  }

  private void await(@Nullable Request request) {
    while (request != null && !net.test(request, null)) {
      // test is what moves the data
    }
  }

  @Override
  public void clear(int size) {
    Pattern.clear(inMemory, slot, size);
  }

  @Override
  public void check(int size) {
    Pattern.check("Socket plugin", inMemory, outMemory, slot, size);
  }

  @Override
  public void close() {
    there.close();
    back.close();
    arena.close();
  }
}
