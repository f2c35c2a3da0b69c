// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a switch is told when it starts. Immutable; {@link #at} gives the usual values.
 *
 * @param listen where children come to; port 0 takes any that is free
 * @param parent the switch above this one; null: this is the root of its tree
 * @param radix how many children a group may have on this switch, from 1 to 4096
 * @param key the secret that children, switch and parent share; at least 1 byte; not copied
 * @param net the name of the Net plugin that carries the data, such as {@code Socket}
 * @param threads how many threads move and reduce data, from 1 to 1024
 * @param maxGroups how many groups may exist at once, at least 1
 * @param groupMemoryBytes how much memory one group may have, in bytes, 64 KiB or more; at the most
 *     the switch has this times {@code maxGroups}
 * @param segmentBytes the size of segments, in bytes; a power of two from {@link
 *     Segments#LEAST_BYTES} to {@link Segments#MOST_BYTES}. In a tree the smallest counts; where
 *     {@code groupMemoryBytes} does not suffice for the children of a group it has smaller ones
 * @param formNanos how long a group waits for its members before it fails, in nanoseconds
 */
@SuppressWarnings("ArrayRecordComponent") // options are not compared
public record SwitchOptions(
    InetSocketAddress listen,
    @Nullable InetSocketAddress parent,
    int radix,
    byte[] key,
    String net,
    int threads,
    int maxGroups,
    long groupMemoryBytes,
    int segmentBytes,
    long formNanos) {

  /** The port of a switch where none is named. */
  public static final int PORT = 7777;

  /** The usual number of children. */
  public static final int RADIX = 64;

  /** The usual number of groups. */
  public static final int MAX_GROUPS = 1024;

  /** The usual memory of a group, in bytes. */
  public static final long GROUP_MEMORY_BYTES = 64L << 20;

  /** The usual size of segments, in bytes. */
  public static final int SEGMENT_BYTES = 128 << 10;

  /** As many ranks as perf starts at the most. */
  private static final int MAX_RADIX = 4096;

  private static final int MAX_THREADS = 1024;

  /** With less not even two children and a parent fit, with segments of the smallest size. */
  private static final long LEAST_GROUP_MEMORY_BYTES = 64 << 10;

  /** How long a group waits for its members by default, in nanoseconds. */
  public static final long FORM_NANOS = 30_000_000_000L;

  /** Checks the numbers. */
  public SwitchOptions {
    Objects.requireNonNull(listen, "listen");
    Objects.requireNonNull(net, "net");
    atLeast("children of a group", radix, 1);
    atMost("children of a group", radix, MAX_RADIX);
    atLeast("threads", threads, 1);
    atMost("threads", threads, MAX_THREADS);
    atLeast("bytes of the key", key.length, 1);
    atLeast("groups", maxGroups, 1);
    atLeast("bytes of memory for a group", groupMemoryBytes, LEAST_GROUP_MEMORY_BYTES);
    atMost("bytes of memory for a group", groupMemoryBytes, Long.MAX_VALUE / maxGroups);
    atLeast("nanoseconds to form a group", formNanos, 1);
    if (segmentBytes < Segments.LEAST_BYTES
        || segmentBytes > Segments.MOST_BYTES
        || Integer.bitCount(segmentBytes) != 1) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%d bytes in a segment, expected a power of two from %s to %s",
              segmentBytes, Segments.LEAST_BYTES, Segments.MOST_BYTES));
    }
  }

  private static void atLeast(String what, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(value + " " + what + ", expected at least " + least);
    }
  }

  private static void atMost(String what, long value, long most) {
    if (value > most) {
      throw new IllegalArgumentException(value + " " + what + ", expected at most " + most);
    }
  }

  /**
   * Makes the key that follows from a secret, as the plugin makes it from its variables.
   *
   * @param secretFile the file with the secret; empty: none
   * @param secretText the secret where there is no file; empty: none, and then everybody has the
   *     key
   * @return the key, for {@link #at}
   * @throws NetException with INVALID_USAGE when the file cannot be read or is empty
   */
  public static byte[] keyOf(String secretFile, String secretText) {
    return SwitchKey.of(secretFile, secretText).bytes();
  }

  /**
   * Returns the options of a root with the usual values, on the Socket plugin.
   *
   * @param listen where children come to
   * @param key the secret
   * @return the options
   */
  public static SwitchOptions at(InetSocketAddress listen, byte[] key) {
    return new SwitchOptions(
        listen,
        null,
        RADIX,
        key,
        "Socket",
        Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 8),
        MAX_GROUPS,
        GROUP_MEMORY_BYTES,
        SEGMENT_BYTES,
        FORM_NANOS);
  }

  /**
   * Returns these options with another parent.
   *
   * @param to the switch above; null: none
   * @return the options
   */
  public SwitchOptions withParent(@Nullable InetSocketAddress to) {
    return new SwitchOptions(
        listen, to, radix, key, net, threads, maxGroups, groupMemoryBytes, segmentBytes, formNanos);
  }

  /**
   * Returns these options with another radix.
   *
   * @param children how many children a group may have
   * @return the options
   */
  public SwitchOptions withRadix(int children) {
    return new SwitchOptions(
        listen,
        parent,
        children,
        key,
        net,
        threads,
        maxGroups,
        groupMemoryBytes,
        segmentBytes,
        formNanos);
  }

  /**
   * Returns these options with another Net plugin.
   *
   * @param name its name
   * @return the options
   */
  public SwitchOptions withNet(String name) {
    return new SwitchOptions(
        listen,
        parent,
        radix,
        key,
        name,
        threads,
        maxGroups,
        groupMemoryBytes,
        segmentBytes,
        formNanos);
  }

  /**
   * Returns these options with another number of threads.
   *
   * @param count how many move and reduce data
   * @return the options
   */
  public SwitchOptions withThreads(int count) {
    return new SwitchOptions(
        listen,
        parent,
        radix,
        key,
        net,
        count,
        maxGroups,
        groupMemoryBytes,
        segmentBytes,
        formNanos);
  }

  /**
   * Returns these options with other limits.
   *
   * @param groups how many groups may exist at once
   * @param memoryBytes how much memory each may have, in bytes
   * @return the options
   */
  public SwitchOptions withLimits(int groups, long memoryBytes) {
    return new SwitchOptions(
        listen, parent, radix, key, net, threads, groups, memoryBytes, segmentBytes, formNanos);
  }

  /**
   * Returns these options with another size of segments.
   *
   * @param bytes the size
   * @return the options
   */
  public SwitchOptions withSegmentBytes(int bytes) {
    return new SwitchOptions(
        listen, parent, radix, key, net, threads, maxGroups, groupMemoryBytes, bytes, formNanos);
  }

  /**
   * Returns these options with another time for groups to form.
   *
   * @param nanos how long a group waits for its members, in nanoseconds
   * @return the options
   */
  public SwitchOptions withFormNanos(long nanos) {
    return new SwitchOptions(
        listen, parent, radix, key, net, threads, maxGroups, groupMemoryBytes, segmentBytes, nanos);
  }
}
