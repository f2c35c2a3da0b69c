// SPDX-License-Identifier: Apache-2.0

/** Communicators as applications use them: threads and processes over real TCP on loopback. */
package io.nitinol.compat.comm;
