// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Keeps everything that it is told, and what breaks the rules. */
public final class RecordingProfiler implements Profiler {

  /** One event. */
  public static final class Event {
    public final long id;
    public final EventType type;
    public final long parent;
    public final long parentGroup;
    public final int rank;

    /** What the descriptor says, the numbers that tests ask for. */
    public final String text;

    public final long count;
    public final long steps;
    public final boolean sends;

    public final List<EventState> states = new ArrayList<>();
    public long bytes;
    public int stops;
    public int givenUp;

    Event(long id, EventDescriptor d) {
      this.id = id;
      this.type = d.type();
      this.parent = d.parent();
      this.rank = d.rank();
      String said = "";
      long number = 0;
      long messages = 0;
      long group = 0;
      boolean out = false;
      switch (d) {
        case EventDescriptor.GroupApi g -> number = g.depth();
        case EventDescriptor.CollApi c -> {
          said = c.function() + " " + c.dataType() + " root " + c.root();
          number = c.count();
        }
        case EventDescriptor.P2pApi p -> {
          said = p.function() + " " + p.dataType();
          number = p.count();
        }
        case EventDescriptor.Coll c -> {
          said =
              c.function()
                  + " "
                  + c.dataType()
                  + " "
                  + c.algorithm()
                  + " "
                  + c.protocol()
                  + " "
                  + c.channels()
                  + " root "
                  + c.root()
                  + " #"
                  + c.sequence();
          number = c.count();
          group = c.parentGroup();
        }
        case EventDescriptor.P2p p -> {
          said = p.function() + " " + p.dataType() + " peer " + p.peer();
          number = p.count();
          group = p.parentGroup();
        }
        case EventDescriptor.ProxyOp p -> {
          said = "peer " + p.peer() + " pid " + p.pid();
          number = p.chunkSize();
          messages = p.steps();
          out = p.sends();
        }
        case EventDescriptor.ProxyStep s -> number = s.step();
        case EventDescriptor.KernelCh k -> number = k.channel();
        case EventDescriptor.NetPlugin n -> {
          MemorySegment data = n.data();
          said = data == null ? "none" : data.isNative() + " " + data.get(JAVA_INT, 0);
          number = n.id();
        }
        default -> said = "plain";
      }
      this.text = said;
      this.count = number;
      this.steps = messages;
      this.parentGroup = group;
      this.sends = out;
    }

    @Override
    public synchronized String toString() {
      return id
          + " "
          + type
          + " of rank "
          + rank
          + " below "
          + parent
          + " "
          + text
          + " "
          + count
          + " "
          + states
          + " stops "
          + stops;
    }
  }

  /** A report, and the rank that it came from. */
  public record Told(int rank, ProfilerReport report) {}

  /** What a profiler does wrong about reports. */
  public enum Broken {
    NOT,
    ASKED,
    TOLD
  }

  private static final class Own implements Context {
    private final int rank;
    private final RecordingProfiler profiler;
    private volatile boolean ended;

    Own(int rank, RecordingProfiler profiler) {
      this.rank = rank;
      this.profiler = profiler;
    }

    @Override
    public int activationMask() {
      return profiler.mask;
    }

    @Override
    public void givenUp(long id) {
      profiler.giveUp(id);
    }

    @Override
    public int reportMask() {
      if (profiler.broken == Broken.ASKED) {
        throw new IllegalStateException("a bug in reportMask");
      }
      return profiler.reportMask;
    }

    @Override
    public void report(ProfilerReport report) {
      if (profiler.broken == Broken.TOLD) {
        throw new AssertionError("a bug in report");
      }
      if (ended) {
        profiler.mistake("a report after the end: " + report);
      }
      profiler.reports.add(new Told(rank, report));
    }
  }

  private final String name;
  private volatile int mask;
  private volatile int reportMask;
  private volatile Broken broken = Broken.NOT;
  private final Queue<Told> reports = new ConcurrentLinkedQueue<>();
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, Event> events = new ConcurrentHashMap<>();
  private final List<String> mistakes = new ArrayList<>();
  private final List<String> inits = new ArrayList<>();
  private int finalized;
  private WeakReference<Context> newest = new WeakReference<>(null);

  /** Creates a profiler that wants these kinds. */
  public RecordingProfiler(String name, EnumSet<EventType> wanted) {
    this.name = name;
    this.mask = wanted.stream().mapToInt(EventType::mask).sum();
  }

  public void want(EnumSet<EventType> wanted) {
    mask = wanted.stream().mapToInt(EventType::mask).sum();
  }

  public void wantReports(EnumSet<ReportType> wanted) {
    reportMask = wanted.stream().mapToInt(ReportType::mask).sum();
  }

  /** Has it throw where it is asked for reports or told one. */
  public void breakReports(Broken how) {
    broken = how;
  }

  /** Returns all reports. */
  public List<Told> reports() {
    return List.copyOf(reports);
  }

  /** Returns the reports of one rank that are of a kind. */
  public <T extends ProfilerReport> List<T> reports(int rank, Class<T> kind) {
    return reports.stream()
        .filter(told -> told.rank() == rank)
        .map(Told::report)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** Returns the events of a kind. */
  public List<Event> all(EventType type) {
    return events.values().stream().filter(event -> event.type == type).toList();
  }

  public List<Event> all() {
    return List.copyOf(events.values());
  }

  public Event event(long id) {
    return events.get(id);
  }

  public synchronized List<String> mistakes() {
    return List.copyOf(mistakes);
  }

  public synchronized List<String> inits() {
    return List.copyOf(inits);
  }

  /** Returns whether anybody has the newest context still. */
  public synchronized boolean isHeld() {
    return newest.get() != null;
  }

  public synchronized int finalized() {
    return finalized;
  }

  private synchronized void mistake(String text) {
    mistakes.add(text);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public synchronized Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    inits.add(commName + " " + nodes + " " + ranks + " " + rank);
    Own made = new Own(rank, this);
    newest = new WeakReference<>(made);
    return made;
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    Event event = new Event(ids.incrementAndGet(), descriptor);
    events.put(event.id, event);
    if (((Own) context).rank != event.rank) {
      mistake("another rank's context: " + event);
    }
    if (event.parent != 0 && !events.containsKey(event.parent)) {
      mistake("unknown parent: " + event);
    }
    return event.id;
  }

  private void giveUp(long id) {
    Event event = events.get(id);
    if (event == null || event.stops > 0) {
      mistake("given up after its stop, or unknown: " + event);
      return;
    }
    synchronized (event) {
      event.givenUp++;
    }
  }

  @Override
  public void stopEvent(Context context, long id) {
    Event event = events.get(id);
    if (event == null) {
      mistake("stop of unknown event " + id);
      return;
    }
    synchronized (event) {
      event.stops++;
    }
  }

  @Override
  public void recordEventState(
      Context context, long id, EventState state, long argument, @Nullable MemorySegment data) {
    Event event = events.get(id);
    if (event == null) {
      mistake("state of unknown event " + id);
      return;
    }
    synchronized (event) {
      if (event.stops > 0) {
        mistake("state " + state + " after the stop of " + event);
      }
      event.states.add(state);
      if (state == EventState.PROXY_STEP_SEND_WAIT
          || state == EventState.PROXY_STEP_RECV_GPU_WAIT) {
        event.bytes += argument;
      }
    }
  }

  @Override
  public synchronized void finalizeContext(Context context) {
    ((Own) context).ended = true;
    finalized++;
  }
}
