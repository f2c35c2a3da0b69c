// SPDX-License-Identifier: Apache-2.0
/** What the encrypted mode of the TCP plugin costs. */
@NullMarked
package io.nitinol.bench.tls;

import org.jspecify.annotations.NullMarked;
