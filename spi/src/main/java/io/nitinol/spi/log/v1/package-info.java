// SPDX-License-Identifier: Apache-2.0

/**
 * Version 1 of the places that the log may go to in place of standard error: the logging framework
 * of the application. NCCL has no such plugin.
 */
@NullMarked
package io.nitinol.spi.log.v1;

import org.jspecify.annotations.NullMarked;
