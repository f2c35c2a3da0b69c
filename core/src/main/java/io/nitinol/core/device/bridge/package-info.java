// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives among ranks whose devices do not all reach each other's memory: NCCL's proxy. Begin
 * with {@link io.nitinol.core.device.bridge.BridgedTeam}.
 *
 * <pre>{@code
 * caller's stream                       bridge thread            host communicator
 * ---------------                       -------------            -----------------
 * reduce-scatter within the team
 * copy of the share into slot n
 * ready := n -------------------------> sees n: submits -------> all-reduce of slot n
 * (the same for the next slots)                                  with the other teams
 * wait until done >= n <--------------- done := n <------------- is done
 * copy out of slot n
 * all-gather within the team
 * }</pre>
 *
 * <p>A rank that only sends, as the root of a broadcast, waits for {@code done} before it fills the
 * slot again, or the pinned memory of sends, not at the end of the operation.
 *
 * <p>Where a rail has two ranks that a network plugin connects, they exchange their slots by {@code
 * DirectRails} instead, without a copy between slot and plugin, and the stream combines the two
 * halves of a slot behind its wait. Rails of more ranks and those within a host use the host
 * communicator; so does a rail of which one rank's plugin takes no message of a whole slot.
 *
 * <p>Sends and receives use no slots, since their two directions must not wait for each other, and
 * what a stream waits for holds back all behind it. All that a call sends goes into pinned memory
 * first, in pieces of which the stream tells, and what it receives comes into such memory. Between
 * the two ranks of such a rail the pieces go over its connections, as slots do; between others they
 * are a batch of the host communicator.
 *
 * <p>The thread that calls puts all of it into the stream, tells the bridge thread by a queue what
 * will come, and returns. Stream, bridge thread and network work on different slots at once.
 *
 * <table>
 * <caption>Where to find what</caption>
 * <thead>
 * <tr><th>question</th><th>class</th><th>thread</th></tr>
 * </thead>
 * <tbody>
 * <tr><td>which rank is in which team?</td>
 *     <td>{@link io.nitinol.core.device.bridge.TeamPlaces}, and {@code Grid}, which makes rows and
 *         columns of it</td><td>any</td></tr>
 * <tr><td>how is an operation cut?</td><td>{@code BridgeChunks}</td><td>caller</td></tr>
 * <tr><td>where is multiplied and divided?</td><td>{@code ReductionParts}</td><td>any</td></tr>
 * <tr><td>what goes into the stream?</td>
 *     <td>{@code ShareReduction} (all-reduce, reduce), {@code ShareBroadcast},
 *         {@code BlockReduction} (reduce-scatter), {@code BlockGather} (all-gather),
 *         {@code RemoteTransfers} (all-to-all, sends and receives)</td>
 *     <td>caller</td></tr>
 * <tr><td>in which order?</td><td>{@code Crossing}</td><td>caller</td></tr>
 * <tr><td>how does the bridge thread hear of it?</td>
 *     <td>{@code OperationQueue} of {@code HostOperation}</td><td>caller, bridge</td></tr>
 * <tr><td>who moves the slots?</td>
 *     <td>{@code BridgeThread}, which submits to {@code HostSide} or drives the first {@code
 *         DirectRail}; a {@code RailThread} drives each other one; {@code RailExchange} is what the
 *         two ranks have agreed on</td><td>bridge, rail</td></tr>
 * <tr><td>how is a piece divided among connections?</td>
 *     <td>{@code RailWay}, one for each direction</td><td>bridge</td></tr>
 * <tr><td>who moves sends and receives?</td>
 *     <td>{@code RailTransferQueue} those of each {@code RailTransfers}; {@code HostSide} the
 *         others</td><td>bridge</td></tr>
 * <tr><td>which numbers do stream and host tell each other?</td><td>{@code BridgeFlags}</td>
 *     <td>all, and the device</td></tr>
 * <tr><td>which memory is there?</td><td>{@code BridgeMemory}</td><td>caller</td></tr>
 * <tr><td>what happens when something fails?</td><td>{@code BridgeFailure}</td><td>any</td></tr>
 * </tbody>
 * </table>
 */
@NullMarked
package io.nitinol.core.device.bridge;

import org.jspecify.annotations.NullMarked;
