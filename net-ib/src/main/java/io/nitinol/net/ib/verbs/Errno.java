// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

/** The Linux error numbers that the plugin tells apart, equal on every machine that has verbs. */
public final class Errno {
  /** Operation not permitted. */
  public static final int EPERM = 1;

  /** No such file or directory. */
  public static final int ENOENT = 2;

  /** Interrupted. */
  public static final int EINTR = 4;

  /** Input/output error: the device is in a fatal state. */
  public static final int EIO = 5;

  /** No memory, or no more that may be pinned, or a full queue. */
  public static final int ENOMEM = 12;

  /** Permission denied. */
  public static final int EACCES = 13;

  /** No such device: it was removed. */
  public static final int ENODEV = 19;

  /** Invalid argument. */
  public static final int EINVAL = 22;

  /** Too many open files. */
  public static final int EMFILE = 24;

  /** Function not implemented. */
  public static final int ENOSYS = 38;

  /** Protocol not supported. */
  public static final int EPROTONOSUPPORT = 93;

  /** Operation not supported. */
  public static final int EOPNOTSUPP = 95;

  /** Network is unreachable: there is no way to an address. */
  public static final int ENETUNREACH = 101;

  /** Connection timed out: an address did not resolve. */
  public static final int ETIMEDOUT = 110;

  /** No route to host: an address does not answer. */
  public static final int EHOSTUNREACH = 113;

  private Errno() {}
}
