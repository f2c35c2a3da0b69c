// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets children in. Each names the group that it wants to join in its first frame, and is admitted
 * or refused. Joins run on the thread of the control connections.
 */
final class Admission {
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final SwitchResources site;
  private final GroupLedger ledger;
  private final SwitchWorker[] workers;
  private final Set<Visitor> visitors = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Admission(SwitchResources site, GroupLedger ledger, SwitchWorker[] workers) {
    this.site = site;
    this.ledger = ledger;
    this.workers = workers;
  }

  /** Takes a connection whose peer has proven that it has the key. */
  void accept(SwitchLink link) {
    Visitor visitor = new Visitor(link);
    visitors.add(visitor);
    link.setEvents(visitor);
  }

  /** Closes connections that have not sent a join in time. */
  void expire(long now) {
    for (Visitor visitor : List.copyOf(visitors)) {
      if (now - visitor.since > PATIENCE_NANOS && visitors.remove(visitor)) {
        visitor.link.close();
      }
    }
  }

  /** Admits no more children. */
  void close() {
    closed = true;
  }

  private final class Visitor implements SwitchLink.Events {
    private final SwitchLink link;
    private final long since = System.nanoTime();

    Visitor(SwitchLink link) {
      this.link = link;
    }

    @Override
    public void frame(ControlFrame frame) {
      if (visitors.remove(this)) {
        if (frame instanceof ControlFrame.Join join) {
          join(link, join);
        } else {
          refuse(link, ResultCode.REMOTE_ERROR, "the first frame is " + frame + ", not a join");
        }
      }
    }

    @Override
    public void closed(String why) {
      visitors.remove(this);
    }
  }

  private void join(SwitchLink link, ControlFrame.Join join) {
    if (closed) {
      refuse(link, ResultCode.INVALID_USAGE, "the switch is being stopped");
      return;
    }
    SwitchGroup group = ledger.groups.get(join.group());
    EndReason past = ledger.past(join.group()); // a group is there, or past, or neither yet
    if (past != null) {
      refuse(link, past.code(), past.text());
      return;
    }
    if (group == null) {
      if (ledger.groups.size() >= site.options().maxGroups()) {
        String full =
            "no place for another group: there are " + site.options().maxGroups() + " already";
        ledger.refuse(
            join.group(), new EndReason(ResultCode.INVALID_USAGE, ControlFrame.NOBODY, full));
        refuse(link, ResultCode.INVALID_USAGE, full);
        return;
      }
      SwitchWorker worker = leastLoaded();
      group = new SwitchGroup(site, worker, join.group(), join.nranks(), ledger::end);
      ledger.groups.put(join.group(), group);
      worker.adopt(group);
    }
    group.admit(link, join);
  }

  private SwitchWorker leastLoaded() {
    SwitchWorker best = workers[0];
    for (SwitchWorker each : workers) {
      best = each.load() < best.load() ? each : best;
    }
    return best;
  }

  private void refuse(SwitchLink link, ResultCode code, String why) {
    site.counters().refusals.increment();
    String prefix = site.text("");
    String text = why.startsWith(prefix) ? why : prefix + why;
    link.send(new ControlFrame.Refuse(code, text));
    link.close();
    site.logger().info(LogSubsystem.COLL, "Admission", text + " (" + link.peer() + ")");
  }
}
