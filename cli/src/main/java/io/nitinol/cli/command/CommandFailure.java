// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

/** Ends the command with one sentence on stderr and no stack trace. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Creates a failure.
   *
   * @param status the exit status, one of {@link ExitStatus}
   * @param message what went wrong and what to do, human-readable
   */
  public CommandFailure(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /**
   * Returns the failure of a command line, or of a variable, that asks for something that cannot be
   * done; {@code sentence} says why.
   */
  public static CommandFailure usage(String sentence) {
    return new CommandFailure(ExitStatus.USAGE, sentence);
  }

  /** Returns the exit status that the command ends with. */
  public int status() {
    return status;
  }
}
