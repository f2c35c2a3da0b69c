// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Memory under registrations that overlap, with the areas in it that operations use now. Operations
 * in different regions never wait for each other here.
 */
final class ValidatedRegion {
  private static final int FEW = 16;

  // Guarded by the lock of AreaTracker.
  long start;
  long end;
  int registrations;

  // Guarded by this.
  private @Nullable ValidatedArea[] areas = new @Nullable ValidatedArea[FEW];
  private int count;

  /** The region this one has become a part of. */
  private volatile @Nullable ValidatedRegion into;

  ValidatedRegion(long start, long end) {
    this.start = start;
    this.end = end;
  }

  /** Returns the region that this one is part of now. */
  ValidatedRegion root() {
    ValidatedRegion at = this;
    for (ValidatedRegion up = at.into; up != null; up = at.into) {
      at = up;
    }
    return at;
  }

  /** Notes {@code area}; returns one in flight that it must not meet, as text, or null. */
  @Nullable String add(ValidatedArea area) {
    while (true) {
      ValidatedRegion root = root();
      synchronized (root) {
        if (root.into == null) {
          String clash = root.clash(area);
          root.append(area);
          return clash;
        }
      }
    }
  }

  /** Forgets {@code area}. */
  static void remove(ValidatedArea area) {
    ValidatedRegion at = area.region;
    while (at != null) {
      ValidatedRegion root = at.root();
      synchronized (root) {
        if (root.into == null) {
          root.count--;
          ValidatedArea last = root.areas[root.count];
          root.areas[root.count] = null;
          if (last != null && last != area) {
            root.areas[area.index] = last;
            last.index = area.index;
          }
          area.region = null;
          return;
        }
      }
    }
  }

  /** Moves everything to {@code other}, for good; only under the lock of AreaTracker. */
  void mergeInto(ValidatedRegion other) {
    synchronized (other) {
      synchronized (this) {
        for (int i = 0; i < count; i++) {
          ValidatedArea area = areas[i];
          if (area != null) {
            other.append(area);
          }
        }
        count = 0;
        areas = new @Nullable ValidatedArea[0];
        into = other;
      }
    }
  }

  private @Nullable String clash(ValidatedArea area) {
    for (int i = 0; i < count; i++) {
      ValidatedArea other = areas[i];
      if (other != null && other.clashes(area)) {
        return other.toString();
      }
    }
    return null;
  }

  private void append(ValidatedArea area) {
    if (count == areas.length) {
      areas = Arrays.copyOf(areas, 2 * count);
    }
    areas[count] = area;
    area.index = count++;
    area.region = this;
  }
}
