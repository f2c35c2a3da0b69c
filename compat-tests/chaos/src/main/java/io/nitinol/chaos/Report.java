// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

/** The first word of what a worker reports of its round. */
enum Report {
  /** The first results were right. */
  RUNNING,

  /** All results were right, and the ranks agreed to end. */
  RIGHT,

  /** This rank closes its communicator, as it was told. */
  LEAVES,

  /** The communicator failed: the failed rank or -1, and the error. */
  FAILED,

  /** The survivors have reduced without the failed rank: how many they are. */
  SHRUNK,

  /** There was no communicator without the failed rank: the error. */
  ALONE,

  /** A result was wrong. */
  WRONG,

  /** The library threw what it does not document. */
  BROKEN,

  /** The resources that a closed communicator has not given back. */
  LEFT,

  /** The round is over. */
  DONE
}
