// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.AsyncEvents;
import io.nitinol.net.ib.device.IbCard;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.net.ib.verbs.Access;
import io.nitinol.net.ib.verbs.CompletionQueue;
import io.nitinol.net.ib.verbs.IbMemoryRegion;
import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.QueuePairSpec;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one end of a comm: queue pairs, their completion queues, memory of its own that
 * the cards know, and the TCP connection. They are made step by step while the two sides find each
 * other; {@link #close} frees all there are at any step.
 */
@OneThread
public final class IbConnection {
  /** How the memory of its own is aligned: nothing else shares its pages. */
  private static final long PAGE = 4096;

  private final IbDevice device;
  private final String label;
  private final Lifeline lifeline;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final long address;
  private final List<IbCard> cards = new ArrayList<>();
  private final List<AsyncEvents.Watch> watches = new ArrayList<>();
  private final List<CompletionQueue> queues = new ArrayList<>();
  private final List<IbMemoryRegion> regions = new ArrayList<>();
  private final List<QueuePair> pairs = new ArrayList<>();
  private final List<QueuePair> flushPairs = new ArrayList<>();
  private final int[] localKeys;
  private Paths paths;
  private Stripes stripes;
  private QueueSizes sizes;
  private int generation;
  private boolean closed;

  /** The fatal event of a card or queue of this end, or null; the reader of events sets it. */
  private volatile @Nullable String fatalEvent;

  /**
   * Makes the queues and registers the memory.
   *
   * @param device this side's device
   * @param label the peer and the device, for messages
   * @param frames the TCP connection, which is this object's from the return on
   * @param paths which ports the queue pairs join
   * @param stripes how messages are spread over queue pairs
   * @param sizes how many requests the queues hold
   * @param memoryBytes how much memory of its own the end needs
   * @throws NetException SYSTEM_ERROR when the system refuses; nothing is held then
   */
  public IbConnection(
      IbDevice device,
      String label,
      ProvenFrames<IbFrameKind> frames,
      Paths paths,
      Stripes stripes,
      QueueSizes sizes,
      long memoryBytes) {
    this.device = device;
    this.label = label;
    this.lifeline = new Lifeline(frames);
    this.paths = paths;
    this.stripes = stripes;
    this.sizes = sizes;
    try {
      memory = arena.allocate(memoryBytes, PAGE);
      address = memory.address();
      for (int i = 0; i < device.ports().size(); i++) {
        if (!cards.contains(device.ports().get(i).card())) {
          add(device.ports().get(i).card());
        }
      }
      localKeys =
          device.ports().stream()
              .mapToInt(port -> regions.get(cards.indexOf(port.card())).localKey())
              .toArray();
    } catch (RuntimeException | Error e) {
      free(e);
      throw e;
    }
  }

  private void add(IbCard card) {
    cards.add(card);
    int entries = completions(card);
    if (paths.count() > 1) {
      entries = Math.min(entries + sizes.spare(lanesOn(card)), card.attributes().maxCompletions());
    }
    watches.add(card.events().watch(event -> fatalEvent = event));
    queues.add(card.context().createQueue(entries, null));
    watches.getLast().addCompletionQueue(queues.getLast().address());
    regions.add(
        card.domain()
            .register(
                memory.address(),
                memory.byteSize(),
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ));
  }

  private int lanesOn(IbCard card) {
    return (int)
        IntStream.range(0, paths.lanes()).filter(lane -> portOf(lane).card() == card).count();
  }

  /** Returns how many completions of a card there may be. */
  private int completions(IbCard card) {
    return sizes.others()
        + IntStream.range(0, paths.lanes())
            .filter(lane -> portOf(lane).card() == card)
            .map(lane -> sizes.sends(lane) + sizes.receives())
            .sum();
  }

  /**
   * Makes the next queue pair, in state INIT.
   *
   * @param pkeyIndex index of the partition key
   * @return whether it was the last one
   * @throws NetException SYSTEM_ERROR when the device refuses
   */
  public boolean addQueuePair(int pkeyIndex) {
    int lane = pairs.size();
    IbPort port = portOf(lane);
    create(pairs, port, sizes.sends(lane), sizes.receives(), sizes.inlineBytes())
        .toInit(port.number(), pkeyIndex, Access.REMOTE_WRITE);
    return pairs.size() == paths.lanes();
  }

  /**
   * Makes a queue pair for flushes on the next of this side's ports, in state INIT.
   *
   * @param pkeyIndex index of the partition key
   * @throws NetException SYSTEM_ERROR when the device refuses
   */
  public void addFlushPair(int pkeyIndex) {
    IbPort port = device.ports().get(flushPairs.size());
    create(flushPairs, port, IbSlots.FLUSHES, 1, 0)
        .toInit(port.number(), pkeyIndex, Access.LOCAL_WRITE | Access.REMOTE_READ);
  }

  private QueuePair create(
      List<QueuePair> list, IbPort port, int sends, int receives, int inlineBytes) {
    int card = cards.indexOf(port.card());
    QueuePair pair =
        port.card()
            .domain()
            .createQueuePair(QueuePairSpec.of(queues.get(card), sends, receives, inlineBytes));
    list.add(pair);
    watches.get(card).addQueuePair(pair.number());
    return pair;
  }

  /** {@return which ports the queue pairs join, and so how many there are to be} */
  public Paths paths() {
    return paths;
  }

  /** {@return how many queue pairs, the first ones, carry clear-to-send entries from this side} */
  public int clearing() {
    return sizes.clearing();
  }

  /** {@return the queue pairs made so far, without those of flushes} */
  public List<QueuePair> queuePairs() {
    return List.copyOf(pairs);
  }

  /** {@return the queue pairs for flushes made so far, one for each of this side's ports} */
  public List<QueuePair> flushPairs() {
    return List.copyOf(flushPairs);
  }

  /**
   * Has one of the queue pairs, none of those of flushes, give back what was posted on it.
   *
   * @throws io.nitinol.net.ib.verbs.VerbsException when the device refuses
   */
  void failPair(int lane) {
    pairs.get(lane).toError();
  }

  /**
   * Closes the last of the queue pairs but those of flushes. When all are closed, the cards touch
   * no memory for them, and what they have left in completion queues is of an older {@link
   * #generation}.
   *
   * @return whether all are
   * @throws io.nitinol.net.ib.verbs.VerbsException when the device refuses
   */
  boolean closePair() {
    int lane = pairs.size() - 1;
    QueuePair pair = pairs.get(lane);
    watches.get(cards.indexOf(portOf(lane).card())).removeQueuePair(pair.number());
    pair.close();
    pairs.removeLast();
    if (lane > 0) {
      return false;
    }
    generation++;
    return true;
  }

  /**
   * Goes on without some paths, where the queue pairs have been closed; others can be added then.
   *
   * @throws NetException SYSTEM_ERROR where a completion queue is too small for what is left
   */
  void leave(long lost) {
    paths = paths.without(lost);
    stripes = stripes.on(paths);
    sizes = sizes.on(stripes);
    for (int card = 0; card < cards.size(); card++) {
      int needed = completions(cards.get(card));
      if (needed > queues.get(card).entries()) {
        throw new NetException(
            ResultCode.SYSTEM_ERROR,
            ErrorText.of(
                "%s: the completion queue on %s holds %d completions, %d are needed to go on",
                label, cards.get(card).name(), queues.get(card).entries(), needed));
      }
    }
  }

  /** Returns how often queue pairs have been closed, as far as {@link WorkId} counts that. */
  int generation() {
    return generation & 0xff;
  }

  /**
   * Returns the port of this side that a queue pair is on.
   *
   * @param lane which queue pair
   * @return the port
   */
  public IbPort portOf(int lane) {
    return device.ports().get(paths.port(lane));
  }

  /**
   * Returns the key by which the peer writes to the memory of this end.
   *
   * @param port which of this side's ports it comes in through, from 0
   * @return the remote key
   */
  public int remoteKey(int port) {
    return regions.get(cards.indexOf(device.ports().get(port).card())).remoteKey();
  }

  /** Returns the key for requests of this side through one of its ports. */
  int localKey(int port) {
    return localKeys[port];
  }

  /** {@return the address of the memory of this end} */
  public long address() {
    return address;
  }

  /** Returns a part of the memory of this end, zero at first. */
  MemorySegment memory(long offset, long length) {
    return memory.asSlice(offset, length);
  }

  /** Returns what work requests and completions are allocated from. */
  Arena arena() {
    return arena;
  }

  /** Returns the queue pairs with the count of what is on them. */
  IbLane[] lanes() {
    IbLane[] lanes = new IbLane[paths.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] =
          new IbLane(
              i, paths.port(i), paths.peerPort(i), pairs.get(i), generation(), sizes.sends(i));
    }
    return lanes;
  }

  CompletionQueue[] queues() {
    return queues.toArray(CompletionQueue[]::new);
  }

  Stripes stripes() {
    return stripes;
  }

  Lifeline lifeline() {
    return lifeline;
  }

  /** {@return the device of this side} */
  public IbDevice device() {
    return device;
  }

  /** {@return the peer and the device of this side, for messages} */
  public String label() {
    return label;
  }

  /** Returns what has happened to a card or queue of this end that is fatal, or null. */
  @Nullable String fatalEvent() {
    return fatalEvent;
  }

  /**
   * Frees everything, in the order that verbs wants. Memory that a card may still know is not given
   * back to the system.
   *
   * @return what went wrong, all having been tried; null: nothing
   */
  public @Nullable Exception close() {
    if (closed) {
      return null;
    }
    closed = true;
    return free(null);
  }

  private @Nullable Exception free(@Nullable Throwable because) {
    Exception first = null;
    for (AsyncEvents.Watch watch : watches) {
      first = attempt(watch::close, first);
    }
    for (QueuePair pair : pairs) {
      first = attempt(pair::close, first);
    }
    for (QueuePair pair : flushPairs) {
      first = attempt(pair::close, first);
    }
    for (CompletionQueue queue : queues) {
      first = attempt(queue::close, first);
    }
    for (IbMemoryRegion region : regions) {
      first = attempt(region::close, first);
    }
    if (first == null) {
      arena.close();
    }
    if (because == null) {
      first = attempt(lifeline::close, first);
    } else if (first != null) {
      because.addSuppressed(first);
    }
    return first;
  }

  private interface Step {
    void run() throws IOException;
  }

  private static @Nullable Exception attempt(Step step, @Nullable Exception first) {
    try {
      step.run();
      return first;
    } catch (IOException | NetException e) {
      if (first == null) {
        return e;
      }
      first.addSuppressed(e);
      return first;
    }
  }
}
