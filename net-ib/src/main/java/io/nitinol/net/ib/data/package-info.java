// SPDX-License-Identifier: Apache-2.0

/**
 * How messages travel once a connection is there: the receiver's clear-to-send entries, the
 * sender's chains of RDMA writes, completions, requests, and what ends a comm.
 */
@NullMarked
package io.nitinol.net.ib.data;

import org.jspecify.annotations.NullMarked;
