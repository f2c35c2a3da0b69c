// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.plugin;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import java.util.List;

/**
 * One way to call a plugin: a version that it implements, as it is or lifted by the framework's
 * adapters to a newer one. Every rule is tested on every lane that it applies to.
 *
 * @param kind the kind of plugin
 * @param provided the interface version that the plugin implements
 * @param presented the version at which it is called; above {@code provided} there are adapters
 */
public record Lane(Kind kind, int provided, int presented) {

  /** The oldest version of both interfaces for networks. */
  static final int OLDEST = 4;

  /** The newest version of both interfaces for networks: the one that core calls. */
  public static final int NEWEST = AdapterChain.from(PluginKind.NET, OLDEST).getLast().to();

  /** The only version of the interface for devices. */
  static final int DEVICES = 1;

  /** The newest version that the kit calls as it is; newer ones go through adapters. */
  private static final int NEWEST_VIEWED = 5;

  private static final int V4_HANDLE = 64;
  private static final int HANDLE = 128;

  /** Checks the versions. */
  public Lane {
    int oldest = kind == Kind.DEVICE ? DEVICES : OLDEST;
    int newest = kind == Kind.DEVICE ? DEVICES : NEWEST;
    if (provided < oldest || presented < provided || presented > newest) {
      throw new IllegalArgumentException("no lane from v" + provided + " to v" + presented);
    }
  }

  /**
   * Returns the versions at which a plugin is called: the newest, as in the framework, and before
   * that its own if the kit can call it, since these two differ most.
   */
  public static List<Integer> presentations(Kind kind, int provided) {
    if (kind == Kind.DEVICE) {
      return List.of(provided);
    }
    return provided <= NEWEST_VIEWED ? List.of(provided, NEWEST) : List.of(NEWEST);
  }

  /** Returns whether no other lane to this version has fewer adapters. */
  public boolean isDirect() {
    return presented == presentations(kind, provided).getFirst();
  }

  /** Returns the size of a handle buffer in bytes at the version that is called. */
  public int handleSize() {
    return presented == 4 ? V4_HANDLE : HANDLE;
  }

  /** Returns whether connect and accept may wait (NET-V4-02). */
  public boolean mayWait() {
    return kind == Kind.NET && provided == 4;
  }

  /** Returns whether messages have tags, and receives several pieces (NET-V4-05). */
  public boolean hasTags() {
    return provided >= 5;
  }

  /** Returns whether the version that is called knows dma-buf. */
  public boolean knowsDmaBuf() {
    return presented >= 6;
  }

  /** Returns a name such as {@code net v4->v12}. */
  public String label() {
    return kind.label() + " v" + provided + (isDirect() ? "" : "->v" + presented);
  }

  @Override
  public String toString() {
    return label();
  }
}
