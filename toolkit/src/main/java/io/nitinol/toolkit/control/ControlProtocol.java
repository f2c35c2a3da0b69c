// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.proof.HandshakeFormat;

/**
 * What is fixed for all control connections of one kind: their wire format and their bounds.
 *
 * @param handshake how a connection begins
 * @param mostFrame the longest frame in bytes, without the four bytes of its length
 * @param mostWaiting how many bytes may wait to be sent before the other end counts as gone
 * @param silenceNanos after which time a silent other end counts as gone, in nanoseconds; then both
 *     ends give a sign of life four times as often. 0: only the system's keep-alive probes look
 * @param mostStrangers how many connections that have not proven themselves a listener keeps
 * @param toldSingly how many dropped strangers a listener reports one by one
 * @param location where warnings come from
 * @param subsystem what the information lines are about
 */
public record ControlProtocol(
    HandshakeFormat handshake,
    int mostFrame,
    long mostWaiting,
    long silenceNanos,
    int mostStrangers,
    int toldSingly,
    String location,
    LogSubsystem subsystem) {}
