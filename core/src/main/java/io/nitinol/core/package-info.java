// SPDX-License-Identifier: Apache-2.0
/** Discovery, selection, schedules, transports, progress engine and communicator. */
@NullMarked
package io.nitinol.core;

import org.jspecify.annotations.NullMarked;
