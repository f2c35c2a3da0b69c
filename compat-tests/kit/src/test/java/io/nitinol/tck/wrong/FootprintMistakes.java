// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks that keep what they should free, or allocate for each message. */
public final class FootprintMistakes {
  private FootprintMistakes() {}

  /** Opens something for each connection and never closes it. */
  @Breaks("NET-CLOSE-08")
  public static final class LeaksADescriptor extends WrongNet {
    private final List<FileInputStream> opened = new ArrayList<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        try {
          opened.add(new FileInputStream("/dev/null"));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return comm;
    }
  }

  /** Makes a file for each listener, and leaves it there until the JVM ends. */
  @Breaks("NET-CLOSE-08")
  public static final class LeavesFiles extends WrongNet {
    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      try {
        Files.createTempFile(net.name(), ".listener").toFile().deleteOnExit();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return super.listen(device, handle);
    }
  }

  /** Has a thread for each connection that outlives it. */
  @Breaks("NET-CLOSE-08")
  public static final class LeaksAThread extends WrongNet {
    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        Thread.ofPlatform()
            .daemon()
            .name(net.name() + "-progress")
            .start(() -> LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(10)));
      }
      return comm;
    }
  }

  /** Maps a page of a file for every eighth connection, for as long as the process lives. */
  @Breaks("NET-CLOSE-08")
  public static final class LeaksMappings extends WrongNet {
    private int accepted;

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null && ++accepted % 8 == 0) {
        try (FileChannel file =
            FileChannel.open(Path.of(System.getProperty("java.home"), "release"))) {
          file.map(FileChannel.MapMode.READ_ONLY, 0, 1, Arena.global());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return comm;
    }
  }

  /** Allocates a buffer for each connection that lives as long as the process. */
  @Breaks("NET-CLOSE-08")
  public static final class LeaksNativeMemory extends WrongNet {
    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        Arena.global().allocate(4096).fill((byte) 1);
      }
      return comm;
    }
  }

  /** Keeps four kilobytes about each connection that ever was. */
  @Breaks("NET-CLOSE-08")
  public static final class LeaksObjects extends WrongNet {
    private final List<byte[]> kept = new ArrayList<>();

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        kept.add(new byte[4096]);
      }
      return comm;
    }
  }

  /** Has a thread that is no daemon, for longer than the kit waits on the busiest machine. */
  @Breaks(value = "NET-CLOSE-09", also = "NET-THREAD-07")
  public static final class KeepsTheProcessAlive extends WrongNet {
    private static final AtomicBoolean STARTED = new AtomicBoolean();

    @Override
    public void init(DebugLogger logger) {
      net.init(logger);
      if (STARTED.compareAndSet(false, true)) {
        Thread.ofPlatform()
            .daemon(false)
            .name(net.name() + "-progress")
            .start(() -> LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(10)));
      }
    }
  }

  /** Keeps the last array of tags. */
  @Breaks("NET-MEM-02")
  public static final class KeepsArrays extends WrongNet {
    private int @Nullable [] last;

    @Override
    public @Nullable Request irecv(
        RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
      Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
      last = tags;
      return request;
    }

    @Override
    public String name() {
      return last == null ? "SampleMemory" : super.name();
    }
  }

  /** Makes a new object for each message. */
  @Breaks("NET-MEM-03")
  public static final class AllocatesPerSend extends WrongNet {
    private volatile byte[] last = new byte[0];

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      last = new byte[48];
      return net.isend(comm, mr, offset, length, tag);
    }

    /** Returns the object of the last message, so that it is not optimised away. */
    byte[] last() {
      return last;
    }
  }

  /** Makes a new object for each message in a thread of its own. */
  @Breaks("NET-MEM-03")
  public static final class AllocatesInItsThread extends WrongNet {
    private final Semaphore messages = new Semaphore(0);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile byte[] last = new byte[0];

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (started.compareAndSet(false, true)) {
        Thread thread = new Thread(this::run, name() + "-messages");
        thread.setDaemon(true);
        thread.start();
      }
      messages.release();
      return net.isend(comm, mr, offset, length, tag);
    }

    private void run() {
      while (true) {
        messages.acquireUninterruptibly();
        last = new byte[48];
      }
    }

    /** Returns the object of the last message, so that it is not optimised away. */
    byte[] last() {
      return last;
    }
  }

  /** Makes a new object for each fiftieth message. */
  @Breaks("NET-MEM-03")
  public static final class AllocatesNowAndThen extends WrongNet {
    private volatile byte[] last = new byte[0];
    private int calls;

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = net.isend(comm, mr, offset, length, tag);
      if (request != null && ++calls % 50 == 0) {
        last = new byte[48];
      }
      return request;
    }

    /** Returns the object of the last such message, so that it is not optimised away. */
    byte[] last() {
      return last;
    }
  }

  /** Keeps a note about every message it has sent. */
  @Breaks(value = "NET-MEM-04", also = "NET-MEM-03")
  public static final class KeepsEveryMessage extends WrongNet {
    private final Queue<byte[]> notes = new ConcurrentLinkedQueue<>();

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      Request request = super.isend(comm, mr, offset, length, tag);
      if (request != null) {
        notes.add(new byte[40]);
      }
      return request;
    }
  }
}
