// SPDX-License-Identifier: Apache-2.0

/**
 * An application: a small network learns handwritten digits on 1 to 8 ranks, each with its part of
 * every batch. Begin with {@link io.nitinol.samples.sgd.DigitTraining}; {@link
 * io.nitinol.samples.sgd.GradientBuckets} is where it uses Nitinol.
 */
@NullMarked
package io.nitinol.samples.sgd;

import org.jspecify.annotations.NullMarked;
