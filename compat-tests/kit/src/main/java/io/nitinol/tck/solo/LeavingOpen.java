// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestTerms;
import io.nitinol.tck.session.TestedNet;

/** Opens everything, starts operations, and closes nothing. */
final class LeavingOpen {
  private static final int LENGTH = 4 << 20;

  private LeavingOpen() {}

  static void run(TestTerms terms, SoloReport report) {
    if (terms.lane().kind() == Kind.COLLNET) {
      Reducing.leaveOpen(terms);
    } else {
      leaveOpen(terms);
    }
    Thread[] threads = new Thread[Thread.activeCount() + 64];
    int count = Thread.enumerate(threads);
    for (int i = 0; i < count; i++) {
      if (!threads[i].isDaemon() && !threads[i].equals(Thread.currentThread())) {
        report.say("held", threads[i].getName());
      }
    }
  }

  private static void leaveOpen(TestTerms terms) {
    NetInstance instance =
        NetInstance.start(terms.plugin(), terms.lane(), terms.trace(), terms.log());
    if (instance.devices() > 0) {
      leave(new NetSession(terms, instance));
    }
  }

  private static void leave(NetSession session) {
    NetConnection used = session.connect();
    used.transfer(4096);
    NetConnection busy = session.connect();
    long length = session.cut(LENGTH);
    GuardedArea area = session.area(length);
    MemoryHandle out = busy.registerSend(area);
    TestedNet net = session.net();
    net.isend(busy.send(), out, 0, length, 0);
    used.irecv(used.registerRecv(session.area(length)), 0, length, 0);
    if (!session.lane().mayWait()) {
      net.connect(0, session.copyOf(session.listen(0).handle()));
    }
  }
}
