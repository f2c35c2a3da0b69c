// SPDX-License-Identifier: Apache-2.0
/** What a run found: one result per test, rule by rule. */
@NullMarked
package io.nitinol.tck.result;

import org.jspecify.annotations.NullMarked;
