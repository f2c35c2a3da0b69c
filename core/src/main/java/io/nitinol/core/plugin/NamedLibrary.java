// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

/**
 * The native library that the value of a variable led to.
 *
 * @param entry the value; empty where the variable was not set
 * @param location the library's file
 */
record NamedLibrary(String entry, String location) {

  /** Returns whether {@code wanted} led to the library that {@code candidate} is from. */
  boolean is(String wanted, Candidate<?> candidate) {
    return entry.equals(wanted) && location.equals(candidate.origin().location());
  }
}
