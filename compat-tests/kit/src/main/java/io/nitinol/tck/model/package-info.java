// SPDX-License-Identifier: Apache-2.0
/**
 * Random sequences of calls, held against a model of the contract. {@link
 * io.nitinol.tck.model.SequenceMaker} draws a legal sequence of {@link
 * io.nitinol.tck.model.NetStep}s from a seed, {@link io.nitinol.tck.model.SequencePlayer} makes the
 * calls and judges the answers by {@link io.nitinol.tck.model.NetModel}, which knows which message
 * belongs into which piece, and {@link io.nitinol.tck.model.ShortestFailure} looks for the shortest
 * part of a sequence that still fails. Begin with {@link io.nitinol.tck.model.SequenceCheck}, which
 * the tests of {@code rules.SequenceRules} call. What happens in a sequence beside messages is in
 * {@link io.nitinol.tck.model.ModelTerms.Scope}: contexts that come and go, connections that are
 * given up, calls that are refused.
 */
@NullMarked
package io.nitinol.tck.model;

import org.jspecify.annotations.NullMarked;
