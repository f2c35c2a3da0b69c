// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Fails when memory is registered while another thread tests. */
@Breaks(value = "NET-THREAD-04", also = "NET-THREAD-02")
public final class RegistersOnlyWhenIdle extends WrongNet {
  private final AtomicInteger testing = new AtomicInteger();

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    testing.incrementAndGet();
    try {
      return net.test(request, sizes);
    } finally {
      testing.decrementAndGet();
    }
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    if (testing.get() > 0) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "the comm is busy");
    }
    return net.regMr(comm, memory);
  }
}
