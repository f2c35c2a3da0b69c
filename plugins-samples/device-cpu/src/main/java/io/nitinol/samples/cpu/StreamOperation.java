// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceException;

/** What is put into a stream, or recorded in a graph and then begun once for each run. */
@FunctionalInterface
interface StreamOperation {

  /** Begins a run, when all that came before it in its stream is done. */
  StreamWork begin();

  /** Is told instead of begun, where an earlier operation of the stream has failed. */
  default void skip(DeviceException failure) {}

  /** An operation that is done in one piece. */
  static StreamOperation of(Runnable action) {
    return () ->
        () -> {
          action.run();
          return StreamWork.Progress.DONE;
        };
  }
}
