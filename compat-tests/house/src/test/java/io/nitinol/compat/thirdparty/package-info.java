// SPDX-License-Identifier: Apache-2.0
/** Tests projects outside this build that use its published artifacts. */
@NullMarked
package io.nitinol.compat.thirdparty;

import org.jspecify.annotations.NullMarked;
