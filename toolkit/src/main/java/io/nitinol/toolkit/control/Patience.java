// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

/** How long failed tries of an outbound {@link ControlLink} are repeated before its deadline. */
public enum Patience {
  /** Until the deadline: the other end may not listen yet. */
  UNTIL_DEADLINE,
  /** Until it was refused for two seconds: the other end has listened before. */
  UNTIL_REFUSED,
  /** For three seconds and four tries: the other end may be started at the same time. */
  WHILE_STARTING,
  /** Two tries at each address. */
  BRIEF
}
