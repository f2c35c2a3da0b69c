// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory registered with one domain, shared by all comms on it. A range takes a region that is
 * there already where it lies inside the range of <em>one live user</em> of it; a region without
 * users ends at once. So memory that was freed and came back at the same address is registered
 * anew.
 */
@AnyThread
public final class RegionCache {

  /**
   * Memory that a provider knows.
   *
   * @param fid the object of libfabric
   * @param descriptor what operations pass for it
   */
  public record Region(long fid, long descriptor) {}

  /** What registers memory: a domain, or a test's idea of one. */
  public interface Registrar {
    /**
     * Registers memory.
     *
     * @param address the first byte
     * @param length in bytes
     * @return the region
     * @throws io.nitinol.spi.NetException when the provider refuses
     */
    Region register(long address, long length);

    /**
     * Ends a registration.
     *
     * @param region what {@link #register} returned
     * @throws io.nitinol.spi.NetException when the provider refuses
     */
    void end(Region region);
  }

  /** One user of a region. */
  public static final class User {
    private final Shared shared;
    private final long start;
    private final long length;

    private User(Shared shared, long start, long length) {
      this.shared = shared;
      this.start = start;
      this.length = length;
    }

    /** {@return what operations pass for the memory} */
    public long descriptor() {
      return shared.region.descriptor();
    }

    private boolean contains(long from, long size) {
      long before = from - start;
      return Long.compareUnsigned(before, length) <= 0
          && Long.compareUnsigned(size, length - before) <= 0;
    }
  }

  private static final class Shared {
    final Region region;
    int users;

    Shared(Region region) {
      this.region = region;
    }
  }

  private final Registrar registrar;
  private final List<User> users = new ArrayList<>();

  /**
   * Makes an empty cache.
   *
   * @param registrar what registers
   */
  public RegionCache(Registrar registrar) {
    this.registrar = registrar;
  }

  /**
   * Finds or makes a region that contains memory, and counts one more user of it.
   *
   * @param address the first byte
   * @param length in bytes
   * @return the user, for {@link #release}
   * @throws io.nitinol.spi.NetException when the provider refuses
   */
  public synchronized User take(long address, long length) {
    Shared shared = find(address, length);
    if (shared == null) {
      shared = new Shared(registrar.register(address, length));
    }
    shared.users++;
    User user = new User(shared, address, length);
    users.add(user);
    return user;
  }

  private @Nullable Shared find(long address, long length) {
    for (User user : users) {
      if (user.contains(address, length)) {
        return user.shared;
      }
    }
    return null;
  }

  /**
   * Counts one user less, and ends the region with the last.
   *
   * @param user what {@link #take} returned, once
   * @throws io.nitinol.spi.NetException when the provider refuses; the user is gone all the same
   */
  public synchronized void release(User user) {
    users.remove(user);
    if (--user.shared.users == 0) {
      registrar.end(user.shared.region);
    }
  }
}
