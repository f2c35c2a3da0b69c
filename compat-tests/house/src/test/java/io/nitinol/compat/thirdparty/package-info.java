// SPDX-License-Identifier: Apache-2.0
/** Projects outside this build that use what it publishes. */
@NullMarked
package io.nitinol.compat.thirdparty;

import org.jspecify.annotations.NullMarked;
