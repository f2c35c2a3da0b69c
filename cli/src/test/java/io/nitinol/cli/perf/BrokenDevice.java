// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.perf.collective.PerfSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** What a device session does wrong, on all ranks unless it says so. */
enum BrokenDevice {
  NONE,
  /** The all-reduce is of one element less. */
  LAST_ELEMENT_LEFT,
  /** The host's data do not get to the device. */
  NOTHING_UPLOADED,
  /** The device's data do not get to the host. */
  NOTHING_DOWNLOADED,
  /** The all-reduce does not happen. */
  NOTHING_DONE,
  /** The all-reduce of rank 1 fails, and that of the others waits for it. */
  RANK_1_FAILS;

  static final String FAILURE = "rank 1 has had enough";

  private static final int COUNT = 2;

  /** Returns a session that makes this mistake, and is else {@code right}. */
  PerfSession around(PerfSession right) {
    return (PerfSession)
        Proxy.newProxyInstance(
            PerfSession.class.getClassLoader(),
            new Class<?>[] {PerfSession.class},
            (_, method, arguments) -> {
              String name = method.getName();
              if ((name.equals("upload") && this == NOTHING_UPLOADED)
                  || (name.equals("download") && this == NOTHING_DOWNLOADED)
                  || (name.equals("allReduce") && this == NOTHING_DONE)) {
                return null;
              }
              if (name.equals("allReduce") && this == LAST_ELEMENT_LEFT) {
                arguments[COUNT] = (long) arguments[COUNT] - 1;
              }
              if (name.equals("allReduce") && this == RANK_1_FAILS && right.rank() == 1) {
                throw CommandFailure.usage(FAILURE);
              }
              try {
                return method.invoke(right, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
