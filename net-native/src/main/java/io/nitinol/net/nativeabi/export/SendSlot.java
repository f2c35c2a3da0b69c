// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.SendComm;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a connection. Hosts up to version 4 get it before the other side has accepted:
 * until there is a comm, sends find no room and registrations wait ({@link ExportConnecting}).
 */
final class SendSlot extends CommSlot {
  /** How long a call waits for what may be there at once, in nanoseconds. */
  static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

  private final boolean early;
  private volatile @Nullable SendComm comm;
  private volatile @Nullable NetException failure;
  private boolean closed;

  /** A connection that is made. */
  SendSlot(SendComm comm, int requests) {
    super(1, requests);
    this.early = false;
    this.comm = comm;
  }

  /** A connection that is being made. */
  SendSlot(int requests) {
    super(1, requests);
    this.early = true;
  }

  /**
   * Returns the plugin's comm, or null while there is none.
   *
   * @throws NetException when it could not be made
   */
  @Nullable SendComm comm() {
    SendComm made = comm;
    NetException wrong = failure;
    if (made == null && wrong != null) {
      throw new NetException(wrong.result(), String.valueOf(wrong.getMessage()), wrong);
    }
    return made;
  }

  /**
   * Returns the plugin's comm.
   *
   * @throws NetException when there is none
   */
  SendComm made() {
    SendComm made = comm();
    if (made == null) {
      throw new NetException(ResultCode.INVALID_USAGE, "the connection is not made yet");
    }
    return made;
  }

  /** Registers memory, now or when the connection is made, and returns the pointer to give. */
  long register(Memory memory, long address) {
    if (!early) {
      return add(Exported.net().regMr(made(), memory), address);
    }
    long begin = System.nanoTime();
    while (comm() == null && System.nanoTime() - begin < SOON) {
      LockSupport.parkNanos(PAUSE); // so that what is wrong with the memory is told here
    }
    synchronized (this) {
      SendComm made = comm();
      return add(
          made == null ? new EarlyMemory(memory) : Exported.net().regMr(made, memory), address);
    }
  }

  /** Undoes {@link #register}. */
  void deregister(RegistrationSlot memory) {
    if (early) {
      synchronized (this) {
        remove(memory);
        if (memory.handle instanceof EarlyMemory) {
          return;
        }
      }
    } else {
      remove(memory);
    }
    Exported.net().deregMr(made(), memory.handle);
  }

  /** Says that the connection is made. */
  synchronized void connected(SendComm made) {
    if (closed) {
      Exported.net().closeSend(made);
      return;
    }
    try {
      for (RegistrationSlot memory : registered()) {
        if (memory.handle instanceof EarlyMemory waiting) {
          memory.handle = Exported.net().regMr(made, waiting.memory());
        }
      }
    } catch (Throwable e) {
      Exported.net().closeSend(made);
      throw e;
    }
    comm = made;
  }

  /** Says that the connection cannot be made. */
  synchronized void failed(NetException why) {
    failure = why;
  }

  /** Closes the connection, also one that is not made yet. */
  void close() {
    end();
    SendComm made;
    synchronized (this) {
      closed = true;
      made = comm;
    }
    if (made != null) {
      Exported.net().closeSend(made);
    }
  }
}
