// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs of libibverbs as Java objects: each owns one thing of the library and frees it when
 * closed; and one option of the TCP connection beside them. Only posting and polling are made for
 * the data path; they allocate nothing.
 */
@NullMarked
package io.nitinol.net.ib.verbs;

import org.jspecify.annotations.NullMarked;
