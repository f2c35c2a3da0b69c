// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.spi.NetException;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.session.CollInstance;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Resources;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.session.TestTerms;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes a plugin work while descriptors are lacking, so that calls fail. */
final class Starving {
  private static final int ATTEMPTS = 8;
  private static final int MOST_LEFT = 6;
  private static final long SETTLING = TimeUnit.SECONDS.toNanos(2);
  private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(100);

  private Starving() {}

  /**
   * Initializes instances with 0, 1, 2 … descriptors left. Reports, if all attempts fail, how many
   * descriptors are left, and how many more descriptors and threads exist than before.
   */
  static void initialize(TestTerms terms, SoloReport report) {
    Session session = start(terms); // also so that classes are loaded, which takes descriptors
    // Kept to the end, so that nothing that the collector frees counts as released by init.
    List<CommonNet> all = new ArrayList<>();
    try {
      starve(session, terms, report, all);
    } finally {
      Reference.reachabilityFence(all);
    }
  }

  private static void starve(
      Session session, TestTerms terms, SoloReport report, List<CommonNet> all) {
    attempt(session, terms, MOST_LEFT * 100, all);
    Resources.now();
    for (int left = 0; left <= MOST_LEFT; left++) {
      Resources before = Resources.now();
      int failed = attempt(session, terms, left, all);
      if (failed == ATTEMPTS) {
        Session.within(session.patient(SETTLING), () -> grown(before, Resources.now()) < ATTEMPTS);
        Resources after = Resources.now();
        report.say(
            "attempts",
            ErrorText.of(
                "%s %s %s",
                left,
                after.descriptors() - before.descriptors(),
                after.threads() - before.threads()));
      }
    }
  }

  private static Session start(TestTerms terms) {
    if (terms.lane().kind() == Kind.COLLNET) {
      return new CollSession(
          terms, CollInstance.start(terms.plugin(), terms.lane(), terms.trace(), terms.log()));
    }
    NetSession session =
        new NetSession(
            terms, NetInstance.start(terms.plugin(), terms.lane(), terms.trace(), terms.log()));
    if (session.devices() > 0) {
      session.connect().transfer(4096);
    }
    return session;
  }

  private static int grown(Resources before, Resources after) {
    return Math.max(after.descriptors() - before.descriptors(), after.threads() - before.threads());
  }

  private static int attempt(Session session, TestTerms terms, int left, List<CommonNet> all) {
    List<CommonNet> instances = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      instances.add(session.create());
    }
    all.addAll(instances);
    int failed = 0;
    for (CommonNet instance : instances) {
      try (DescriptorHog hogs =
          new DescriptorHog(left)) { // anew for each, since each may keep what was left
        failed += fails(instance, terms) ? 1 : 0;
      }
    }
    return failed;
  }

  /** Any failure will do: NET-ERR-01 has tests of its own. */
  private static boolean fails(CommonNet instance, TestTerms terms) {
    try {
      instance.init(terms.log());
      return false;
    } catch (Exception | LinkageError e) {
      return true;
    }
  }

  /** Listens and connects with no descriptor left, and reports the exceptions. */
  static void work(TestTerms terms, SoloReport report) {
    NetSession session = (NetSession) start(terms);
    if (session.devices() == 0) {
      throw session.skip("the plugin has no devices on this machine");
    }
    NetListening listening = session.listen(0);
    MemorySegment listenHandle = session.handle();
    MemorySegment connectHandle = session.copyOf(listening.handle());
    // Classes that a failure needs are loaded before, as far as other failures need the same.
    thrown(() -> session.net().listen(-1, listenHandle));
    thrown(() -> session.net().connect(0, session.handle()));
    @Nullable Throwable[] thrown = new Throwable[2];
    try (DescriptorHog hogs = new DescriptorHog(0)) {
      thrown[0] = thrown(() -> session.net().listen(0, listenHandle));
      Session.within(
          A_WHILE,
          () -> {
            @Nullable Object[] comm = new Object[1];
            thrown[1] = thrown(() -> comm[0] = session.net().connect(0, connectHandle));
            return thrown[1] != null || comm[0] != null;
          });
    }
    say(report, "listen", thrown[0]);
    say(report, "connect", thrown[1]);
  }

  private static @Nullable Throwable thrown(Runnable call) {
    try {
      call.run();
      return null;
    } catch (Exception | LinkageError e) {
      return e;
    }
  }

  private static void say(SoloReport report, String call, @Nullable Throwable thrown) {
    if (thrown instanceof NetException e) {
      report.say("refused", e.result() + " " + call + ": " + e.getMessage());
    } else if (thrown instanceof LinkageError) {
      // A class that could not be loaded for want of a descriptor is no mistake of the plugin.
      report.say("unloaded", call + ": " + thrown);
    } else if (thrown != null) {
      report.say("threw", call + ": " + thrown);
    }
  }
}
