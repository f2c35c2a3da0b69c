// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory registered with one card, shared by all comms on it; mirrors {@code
 * ncclIbRegMrDmaBufInternal}. Host memory is registered in whole pages, and a region ends with its
 * last user.
 *
 * <p>A range takes a region that is there already where its pages are among those of <em>one live
 * user</em> of it. That the region reaches so far is not enough: memory whose user has gone may be
 * freed while a neighbour on its first page keeps the region, and new memory at the same address
 * has other pages than those that the card knows. Pages of a live user cannot have changed. A
 * registration may take milliseconds, and others wait for it: two threads that want the same memory
 * register it once.
 */
@AnyThread
public final class MrCache {

  /** What registers memory: a protection domain, or a test's idea of one. */
  public interface Registrar {

    /**
     * Registers host memory.
     *
     * @param address the first byte, at the beginning of a page
     * @param length in bytes, whole pages
     * @param writable whether the card may write to it
     * @return the region, owned by the caller
     * @throws io.nitinol.spi.NetException when the system refuses
     */
    CardRegion register(long address, long length, boolean writable);

    /**
     * Registers memory that a dma-buf exports.
     *
     * @param offset where the memory begins in the dma-buf, in bytes
     * @param address the address that work requests call its first byte by
     * @param length in bytes
     * @param fd the dma-buf's descriptor, which stays the caller's
     * @return the region, owned by the caller
     * @throws io.nitinol.spi.NetException when the system refuses
     */
    CardRegion registerDmaBuf(long offset, long address, long length, int fd);
  }

  /** Memory that a card knows. */
  public interface CardRegion {

    /** {@return the key for work requests on the same card} */
    int lkey();

    /** {@return the key for work requests of peers} */
    int rkey();

    /**
     * Ends the registration.
     *
     * @throws io.nitinol.spi.NetException when the system refuses
     */
    void end();
  }

  /** A region and how many use it. */
  private static final class Shared {
    final CardRegion region;
    final boolean writable;
    final AddressSpace origin;
    int users;

    Shared(CardRegion region, boolean writable, AddressSpace origin) {
      this.region = region;
      this.writable = writable;
      this.origin = origin;
    }
  }

  /** What one user has: a region, and the part of it that he keeps from being freed. */
  static final class Entry {
    /** The region. */
    final CardRegion region;

    private final Shared shared;
    private final long start;
    private final long length;

    private Entry(Shared shared, long start, long length) {
      this.region = shared.region;
      this.shared = shared;
      this.start = start;
      this.length = length;
    }

    private boolean contains(long from, long size) {
      // The distance, unsigned, is also right for a range that ends with the address space.
      long before = from - start;
      return Long.compareUnsigned(before, length) <= 0
          && Long.compareUnsigned(size, length - before) <= 0;
    }

    /** Whether the card may use it as asked, and its addresses mean what the wanted ones do. */
    private boolean serves(boolean write, AddressSpace origin) {
      return shared.origin.equals(origin) && (shared.writable || !write);
    }
  }

  private final Registrar registrar;
  private final long pageSize;

  /** One for each user, by address, unsigned; equal ones in no order. Guarded by this. */
  private final List<Entry> entries = new ArrayList<>();

  /** How many regions there are. Guarded by this. */
  private int regions;

  /**
   * Makes an empty cache.
   *
   * @param registrar what registers
   * @param pageSize the size of a page of host memory in bytes, a power of two
   */
  public MrCache(Registrar registrar, long pageSize) {
    if (Long.bitCount(pageSize) != 1) {
      throw new IllegalArgumentException("page size " + pageSize + " is no power of two");
    }
    this.registrar = registrar;
    this.pageSize = pageSize;
  }

  /**
   * Finds or makes a region that contains host memory, and counts one more user of it.
   *
   * @param writable whether the card is to write to it
   * @return what {@link #release} takes
   */
  synchronized Entry take(long address, long size, boolean writable) {
    long start = address & -pageSize;
    long length = (address - start + Math.max(size, 1) + pageSize - 1) & -pageSize;
    Shared known = find(start, length, writable, AddressSpace.PROCESS);
    return add(
        known != null
            ? known
            : made(registrar.register(start, length, writable), writable, AddressSpace.PROCESS),
        start,
        length);
  }

  /**
   * Finds or makes a region that contains what a dma-buf exports, and counts one more user.
   *
   * @param origin what {@link AddressSpace#ofDmaBuf} says
   */
  synchronized Entry takeDmaBuf(long offset, long address, long size, int fd, AddressSpace origin) {
    Shared known = find(address, size, true, origin);
    return add(
        known != null
            ? known
            : made(registrar.registerDmaBuf(offset, address, size, fd), true, origin),
        address,
        size);
  }

  /** Counts one user less, and ends the region with the last. */
  synchronized void release(Entry entry) {
    entries.remove(entry);
    if (--entry.shared.users == 0) {
      regions--;
      entry.region.end();
    }
  }

  /**
   * Returns how many regions there are.
   *
   * @return the number of regions that the card knows through this cache
   */
  public synchronized int regions() {
    return regions;
  }

  private @Nullable Shared find(long start, long length, boolean writable, AddressSpace origin) {
    for (Entry entry : entries) {
      if (Long.compareUnsigned(entry.start, start) > 0) {
        return null;
      }
      if (entry.serves(writable, origin) && entry.contains(start, length)) {
        return entry.shared;
      }
    }
    return null;
  }

  private Shared made(CardRegion region, boolean writable, AddressSpace origin) {
    regions++;
    return new Shared(region, writable, origin);
  }

  private Entry add(Shared shared, long start, long length) {
    shared.users++;
    Entry entry = new Entry(shared, start, length);
    int at = 0;
    while (at < entries.size() && Long.compareUnsigned(entries.get(at).start, start) <= 0) {
      at++;
    }
    entries.add(at, entry);
    return entry;
  }
}
