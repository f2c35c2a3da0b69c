// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

/** Which rule a call has broken by an exception that its test has not expected. */
final class FailedCalls {
  private FailedCalls() {}

  /**
   * Returns the rule.
   *
   * @param call the method's name and, in brackets, its arguments
   * @param own the rule under test, which it is where no other is about the call
   */
  static String rule(String call, String own) {
    return switch (call.substring(0, call.indexOf('('))) {
      case "isend" -> "NET-SEND-08";
      case "irecv" -> "NET-RECV-02";
      case "iflush" -> "NET-FLUSH-04";
      case "test" -> "NET-TEST-02";
      default -> own;
    };
  }
}
