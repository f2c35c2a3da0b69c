// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

/** Where a group is in its life. */
enum GroupState {
  /** Members are still to come. */
  FORMING,
  /** All are there; the data connections are being made. */
  CONNECTING,
  /** Operations go through. */
  RUNNING,
  /** It has failed; results that lack nothing still go out. */
  CLOSING,
  /** Nothing is left of it. */
  OVER
}
