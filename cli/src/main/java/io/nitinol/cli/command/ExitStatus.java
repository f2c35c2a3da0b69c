// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

/**
 * The command's exit statuses and their meaning. The top of {@code nitinol --help} prints the same
 * list.
 */
public final class ExitStatus {
  /** Everything went well, and every checked element was right. */
  public static final int OK = 0;

  /** The collective ran, and some elements of its result are wrong. */
  public static final int WRONG_RESULT = 1;

  /** The plugin under test breaks a rule of the contract. */
  public static final int RULE_BROKEN = 1;

  /** The command line or a variable asks for something that cannot be done. */
  public static final int USAGE = 2;

  /** No network plugin could be used, or a network or bootstrap connection failed. */
  public static final int TRANSPORT = 3;

  /** A rank died, or ended because another one did. */
  public static final int RANK_DIED = 4;

  /** A defect of Nitinol itself, or its output could not be written. */
  public static final int INTERNAL = 5;

  /** No rule of the contract is broken, but tests had no verdict in two attempts. */
  public static final int INCONCLUSIVE = 6;

  /** Ended by Ctrl-C (SIGINT), as the shell counts it. */
  public static final int INTERRUPTED = 130;

  /** The reader of the output has left (SIGPIPE), as the shell counts it. */
  public static final int READER_GONE = 141;

  /** Ended by SIGTERM, as the shell counts it. */
  public static final int TERMINATED = 143;

  private ExitStatus() {}
}
