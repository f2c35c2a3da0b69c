// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks of Apache Spark as ranks. Begin with {@link io.nitinol.samples.spark.SparkMean}; tasks call
 * {@link io.nitinol.samples.spark.SparkRanks}.
 */
@NullMarked
package io.nitinol.samples.spark;

import org.jspecify.annotations.NullMarked;
