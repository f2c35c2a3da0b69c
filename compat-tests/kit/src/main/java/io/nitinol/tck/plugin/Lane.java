// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.plugin;

/**
 * One way to reach a plugin: a version that it implements, called as it is or lifted by the
 * framework's adapters to a newer one. Every rule runs on every lane it applies to.
 *
 * @param kind what the plugin is
 * @param provided the interface version that the plugin implements
 * @param presented the version at which it is called; above {@code provided} there are adapters
 */
public record Lane(Kind kind, int provided, int presented) {

  /** The newest version of both interfaces. */
  public static final int NEWEST = 6;

  private static final int V4_HANDLE = 64;
  private static final int HANDLE = 128;

  /** Checks the versions. */
  public Lane {
    if (provided < 4 || presented < provided || presented > NEWEST) {
      throw new IllegalArgumentException("no lane from v" + provided + " to v" + presented);
    }
  }

  /** Returns whether the plugin is called without an adapter. */
  public boolean isDirect() {
    return provided == presented;
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

  /** Returns a name such as {@code net v4->v5}. */
  public String label() {
    StringBuilder label = new StringBuilder(kind.label()).append(" v").append(provided);
    for (int version = provided + 1; version <= presented; version++) {
      label.append("->v").append(version);
    }
    return label.toString();
  }

  @Override
  public String toString() {
    return label();
  }
}
