// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.spi.net.Comm;

/** A comm that memory can be registered with. */
public interface RegisteringComm extends Comm {

  /**
   * Returns what is registered with this comm.
   *
   * @return the same each time
   * @throws io.nitinol.spi.NetException INVALID_ARGUMENT when the comm is closed
   */
  IbCommMemory memory();
}
