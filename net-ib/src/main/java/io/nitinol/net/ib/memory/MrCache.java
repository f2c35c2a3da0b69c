// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory registered with one card, shared by all comms on it; mirrors {@code
 * ncclIbRegMrDmaBufInternal}. Host memory is registered in whole pages. A range that lies inside a
 * region which is registered already takes that one, and the region ends with its last user.
 *
 * <p>Safe for any thread. A registration may take milliseconds, and others wait for it: two threads
 * that want the same memory register it once.
 */
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
  static final class Entry {
    /** The region. */
    final CardRegion region;

    private final long start;
    private final long length;
    private final boolean writable;
    private int users = 1;

    private Entry(CardRegion region, long start, long length, boolean writable) {
      this.region = region;
      this.start = start;
      this.length = length;
      this.writable = writable;
    }

    private boolean contains(long address, long size, boolean write) {
      // The distance, unsigned, is also right for a region that ends with the address space.
      long before = address - start;
      return Long.compareUnsigned(before, length) <= 0
          && Long.compareUnsigned(size, length - before) <= 0
          && (writable || !write);
    }
  }

  private final Registrar registrar;
  private final long pageSize;

  /** By address, unsigned; those of equal address in no order. Guarded by this. */
  private final List<Entry> entries = new ArrayList<>();

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
   */
  synchronized Entry take(long address, long size, boolean writable) {
    Entry known = find(address, size, writable);
    if (known != null) {
      return known;
    }
    long start = address & -pageSize;
    long length = (address - start + Math.max(size, 1) + pageSize - 1) & -pageSize;
    return add(new Entry(registrar.register(start, length, writable), start, length, writable));
  }

  /** Finds or makes a region that contains what a dma-buf exports, and counts one more user. */
  synchronized Entry takeDmaBuf(long offset, long address, long size, int fd) {
    Entry known = find(address, size, true);
    return known != null
        ? known
        : add(new Entry(registrar.registerDmaBuf(offset, address, size, fd), address, size, true));
  }

  /** Counts one user less, and ends the region with the last. */
  synchronized void release(Entry entry) {
    if (--entry.users == 0) {
      entries.remove(entry);
      entry.region.end();
    }
  }

  /**
   * Returns how many regions there are.
   *
   * @return the number of regions that the card knows through this cache
   */
  public synchronized int regions() {
    return entries.size();
  }

  private @Nullable Entry find(long address, long size, boolean writable) {
    for (Entry entry : entries) {
      if (Long.compareUnsigned(entry.start, address) > 0) {
        return null;
      }
      if (entry.contains(address, size, writable)) {
        entry.users++;
        return entry;
      }
    }
    return null;
  }

  private Entry add(Entry entry) {
    int at = 0;
    while (at < entries.size() && Long.compareUnsigned(entries.get(at).start, entry.start) <= 0) {
      at++;
    }
    entries.add(at, entry);
    return entry;
  }
}
