// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Lends direct buffers of {@link TlsChannel#bufferSize} for at least two records to connections
 * that have data on the way.
 */
@AnyThread
public interface LargeBuffers {
  /**
   * Lends a buffer with any content.
   *
   * @throws IOException where there is no memory for one; the connection then fails
   */
  ByteBuffer take() throws IOException;

  /** Takes back a buffer that its borrower does not touch any more. */
  void give(ByteBuffer buffer);
}
