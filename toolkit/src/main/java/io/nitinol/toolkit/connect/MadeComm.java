// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import java.util.function.Consumer;

/** A comm that is complete once its connections are proven. */
record MadeComm<C>(C comm, Consumer<C> closing) implements Completion<C> {
  @Override
  public String what() {
    return "comm";
  }

  @Override
  public C advance() {
    return comm;
  }

  @Override
  public void close() {
    closing.accept(comm);
  }
}
