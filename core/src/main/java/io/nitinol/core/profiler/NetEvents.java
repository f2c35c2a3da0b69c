// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.profiler.EventState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that network plugins record, of all communicators of the process: plugins up to
 * version 10 know of no others, and native ones get one function for it. A handle is the number of
 * an entry here, which tells the communicator, and how often the entry was used before, so that a
 * handle that is used after its end is found out.
 */
public final class NetEvents implements NetProfiler {
  private static final NetEvents INSTANCE = new NetEvents();

  private static final class Entry {
    final int index;
    int uses;
    @Nullable ProfilerSession session;
    long event;

    /** Whether this is a step, the parent of a plugin's events, and none of these. */
    boolean step;

    /** Whether events of the plugin are wanted below this step. */
    boolean wanted;

    Entry(int index) {
      this.index = index;
    }

    long handle() {
      return (long) uses << 32 | (index + 1);
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private final ArrayDeque<Entry> free = new ArrayDeque<>();

  private NetEvents() {}

  /** Returns what takes the events of plugins. */
  public static NetEvents instance() {
    return INSTANCE;
  }

  @Override
  public long record(
      int type, long event, long parent, long pluginId, @Nullable MemorySegment data) {
    if (data != null && !data.isNative()) {
      try (Arena arena = Arena.ofConfined()) { // a native profiler is given its address
        MemorySegment copy = arena.allocate(data.byteSize(), Long.BYTES).copyFrom(data);
        return record(type, event, parent, pluginId, copy);
      }
    }
    if (type == START) {
      return parent == 0 ? 0 : start(parent, pluginId, data);
    }
    ProfilerSession session;
    long known;
    synchronized (this) {
      Entry entry = find(event, false);
      if (entry == null || entry.session == null) {
        return 0;
      }
      session = entry.session;
      known = entry.event;
      if (type != UPDATE) {
        release(entry);
      }
    }
    if (type != STOP) {
      session.record(known, EventState.NET_PLUGIN_UPDATE, 0, data);
    }
    if (type != UPDATE) {
      session.stop(known);
    }
    return 0;
  }

  private long start(long parent, long pluginId, @Nullable MemorySegment data) {
    ProfilerSession session;
    long above;
    synchronized (this) {
      Entry step = find(parent, true);
      if (step == null || step.session == null || !step.wanted) {
        return 0;
      }
      session = step.session;
      above = step.event;
    }
    Descriptors.NetPlugin descriptor = Descriptors.own().netPlugin;
    descriptor.at(session.rank(), above);
    descriptor.id = pluginId;
    descriptor.data = data;
    long event = session.start(descriptor);
    descriptor.data = null;
    if (event == 0) {
      return 0;
    }
    synchronized (this) {
      Entry entry = take(session);
      entry.event = event;
      return entry.handle();
    }
  }

  /** Makes a parent for the events of messages, one after the other. */
  synchronized long reserve(ProfilerSession session) {
    Entry entry = take(session);
    entry.step = true;
    return entry.handle();
  }

  /** Says which step a parent stands for now. */
  synchronized void set(long handle, long step, boolean wanted) {
    Entry entry = find(handle, true);
    if (entry != null) {
      entry.event = step;
      entry.wanted = wanted;
    }
  }

  /** Takes back what a communicator has here; what plugins have left open is stopped. */
  void end(ProfilerSession session) {
    List<Long> open = new ArrayList<>();
    synchronized (this) {
      for (Entry entry : entries) {
        if (session.equals(entry.session)) {
          if (!entry.step) {
            open.add(entry.event);
          }
          release(entry);
        }
      }
    }
    open.forEach(session::stop);
  }

  private @Nullable Entry find(long handle, boolean step) {
    int index = (int) handle - 1;
    if (index < 0 || index >= entries.size()) {
      return null;
    }
    Entry entry = entries.get(index);
    return entry.handle() == handle && entry.step == step ? entry : null;
  }

  private Entry take(ProfilerSession session) {
    Entry entry = free.poll();
    if (entry == null) {
      entry = new Entry(entries.size());
      entries.add(entry);
    }
    entry.session = session;
    entry.event = 0;
    entry.step = false;
    entry.wanted = false;
    return entry;
  }

  private void release(Entry entry) {
    entry.session = null;
    entry.uses++;
    free.add(entry);
  }
}
