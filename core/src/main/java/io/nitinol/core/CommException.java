// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * A communicator could not do what was asked of it, or has failed. A failed argument check leaves
 * the communicator as it was; every other failure is final: all operations pending and to come end
 * with the same result, and what is left to do is closing it. Where the failure began at one rank
 * the exception names it, on every rank alike; where several see it in each other (they called
 * different operations, a link between two broke) it names none. Where the ranks could not even
 * meet it is a {@link BootstrapException}.
 */
public sealed class CommException extends RuntimeException permits BootstrapException {
  private static final long serialVersionUID = 1L;

  private final ResultCode result;
  private final int failedRank;

  /**
   * Creates an exception that no rank is to blame for.
   *
   * @param result what kind of failure
   * @param message one sentence: what failed, what was expected, what to look at
   */
  public CommException(ResultCode result, String message) {
    this(result, -1, message, null);
  }

  /**
   * Creates an exception.
   *
   * @param result what kind of failure
   * @param failedRank the rank where it began, or -1 where it did not begin at one
   * @param message one sentence: what failed, what was expected, what to look at
   * @param cause the failure underneath, or null
   */
  public CommException(
      ResultCode result, int failedRank, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.result = result;
    this.failedRank = failedRank;
  }

  /** Returns what kind of failure this is. */
  public ResultCode result() {
    return result;
  }

  /** Returns the rank where the failure began, or -1 where it did not begin at one. */
  public int failedRank() {
    return failedRank;
  }

  /** Returns class, result, rank where there is one, and message, as a stack trace begins. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message alone stays what a user is told
  public String toString() {
    return ErrorText.of(
        "%s: %s%s: %s",
        getClass().getName(),
        result,
        failedRank < 0 ? "" : ", rank " + failedRank,
        getLocalizedMessage());
  }
}
