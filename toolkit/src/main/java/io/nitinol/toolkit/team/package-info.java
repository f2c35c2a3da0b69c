// SPDX-License-Identifier: Apache-2.0
/**
 * What device providers share about teams: {@link io.nitinol.toolkit.team.TeamMeeting}, by which
 * what one rank cannot do fails on all of them. The thread that calls {@code Device.joinTeam}, or
 * opens or closes a window, calls it.
 */
@NullMarked
package io.nitinol.toolkit.team;

import org.jspecify.annotations.NullMarked;
