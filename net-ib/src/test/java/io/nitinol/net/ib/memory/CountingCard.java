// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.HashMap;
import java.util.Map;

/** A card that knows what is registered, and can refuse to. */
final class CountingCard implements MrCache.Registrar {

  /** What a key stands for. */
  record Range(long start, long length, boolean writable, boolean dmaBuf, long offset, int fd) {
    boolean covers(long address, long size) {
      return Long.compareUnsigned(address - start, length) <= 0
          && Long.compareUnsigned(size, length - (address - start)) <= 0;
    }
  }

  /** What is registered now, by local key; the remote key is 1000 more. */
  final Map<Integer, Range> regions = new HashMap<>();

  int registrations;
  boolean refuses;
  boolean refusesToEnd;

  @Override
  public MrCache.CardRegion register(long address, long length, boolean writable) {
    return add(new Range(address, length, writable, false, 0, -1));
  }

  @Override
  public MrCache.CardRegion registerDmaBuf(long offset, long address, long length, int fd) {
    return add(new Range(address, length, true, true, offset, fd));
  }

  private MrCache.CardRegion add(Range range) {
    if (refuses) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "the card is full");
    }
    int key = ++registrations;
    regions.put(key, range);
    return new MrCache.CardRegion() {
      @Override
      public int lkey() {
        return key;
      }

      @Override
      public int rkey() {
        return key + 1000;
      }

      @Override
      public void end() {
        if (regions.remove(key) == null) {
          throw new AssertionError("region " + key + " has ended twice");
        }
        if (refusesToEnd) {
          throw new NetException(ResultCode.SYSTEM_ERROR, "the card keeps " + key);
        }
      }
    };
  }
}
