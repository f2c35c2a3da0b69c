// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives in which ranks exchange data in pairs whose distance doubles: few messages, so for
 * small operations between hosts. {@link DoublingAllReduce} is the only one.
 */
@NullMarked
package io.nitinol.core.schedule.doubling;

import org.jspecify.annotations.NullMarked;
