// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.flow;

import io.nitinol.toolkit.thread.OneThread;
import java.util.Arrays;

/**
 * The next event of each of many sources, which are numbers from 0. A source has one event at a
 * time, which can be moved. Events of one time come in the order of their sources, so that a
 * simulation gives the same result every time. Allocates only to grow.
 */
@OneThread
public final class TimerHeap {
  private static final int ABSENT = -1;
  private static final int ARITY = 4;

  private int[] heap = new int[64];
  private int size;

  /** By source, when its event is, and where it stands in the heap. */
  private long[] times = new long[64];

  private int[] places = new int[64];
  private int sources;

  /** Creates a heap without sources. */
  public TimerHeap() {}

  /** Adds a source without an event and returns its number. */
  public int add() {
    if (sources == times.length) {
      times = Arrays.copyOf(times, 2 * sources);
      places = Arrays.copyOf(places, 2 * sources);
    }
    places[sources] = ABSENT;
    return sources++;
  }

  /** Sets or moves the event of a source. */
  public void set(int source, long time) {
    int place = places[source];
    if (place == ABSENT) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      times[source] = time;
      up(size++, source);
    } else if (time != times[source]) {
      boolean earlier = time < times[source];
      times[source] = time;
      if (earlier) {
        up(place, source);
      } else {
        down(place, source);
      }
    }
  }

  /** Removes the event of a source, if it has one. */
  public void clear(int source) {
    int place = places[source];
    if (place == ABSENT) {
      return;
    }
    places[source] = ABSENT;
    int last = heap[--size];
    if (last != source) {
      up(place, last);
      down(places[last], last);
    }
  }

  /** Returns whether there is no event. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns when the next event is; only if there is one. */
  public long time() {
    return times[heap[0]];
  }

  /** Removes the next event and returns its source; only if there is one. */
  public int poll() {
    int source = heap[0];
    clear(source);
    return source;
  }

  private boolean isBefore(int a, int b) {
    return times[a] != times[b] ? times[a] < times[b] : a < b;
  }

  private void up(int from, int source) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / ARITY;
      if (!isBefore(source, heap[parent])) {
        break;
      }
      heap[place] = heap[parent];
      places[heap[place]] = place;
      place = parent;
    }
    heap[place] = source;
    places[source] = place;
  }

  private void down(int from, int source) {
    int place = from;
    while (true) {
      int first = place * ARITY + 1;
      if (first >= size) {
        break;
      }
      int least = first;
      int end = Math.min(size, first + ARITY);
      for (int child = first + 1; child < end; child++) {
        if (isBefore(heap[child], heap[least])) {
          least = child;
        }
      }
      if (!isBefore(heap[least], source)) {
        break;
      }
      heap[place] = heap[least];
      places[heap[place]] = place;
      place = least;
    }
    heap[place] = source;
    places[source] = place;
  }
}
