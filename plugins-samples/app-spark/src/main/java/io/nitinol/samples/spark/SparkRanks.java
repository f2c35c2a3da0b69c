// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.spark;

import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.PendingCommunicator;
import java.io.Serializable;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import org.apache.spark.util.TaskInterruptListener;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The tasks of a barrier stage of Apache Spark as ranks. The task of partition 2 of 4 is rank 2 of
 * 4.
 *
 * <p>Spark runs all tasks of a barrier stage at the same time. Where one of them fails it gives up
 * all of them, and starts the stage again where the stage ends in a shuffle. Each attempt makes a
 * communicator of its own.
 */
public final class SparkRanks {
  /**
   * How long a task that Spark has given up may still fail by itself. Nitinol sees at once that a
   * process has ended, and its error names the rank that was lost. After this time the task's
   * communicator is aborted, which also ends a wait for a rank that died before it came, or for a
   * host that vanished without a word.
   */
  private static final Executor GRACE = CompletableFuture.delayedExecutor(10, TimeUnit.SECONDS);

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private SparkRanks() {}

  /**
   * Makes the communicator of all tasks of this barrier stage, with the settings of the process;
   * see {@link #communicator(BarrierTaskContext, CommConfig)}.
   */
  public static Communicator communicator(BarrierTaskContext context) {
    return communicator(context, CommConfig.standard());
  }

  /**
   * Makes the communicator of all tasks of this barrier stage. All of them call it, from the thread
   * of the task, and as often as each other. Returns when all have come.
   *
   * <p>The communicator belongs to the task, which need not close it: it is closed when the task
   * ends. Where the task throws, or Spark gives it up, it is aborted. The other ranks then fail
   * with an exception that names this one, and none keeps its slot from the next attempt.
   *
   * @param context that of the task: {@code BarrierTaskContext.get()}
   * @param config what the application wants, the same in all tasks
   * @throws io.nitinol.core.CommException as {@link Communicator#init(java.util.function.Function,
   *     int, int, CommConfig)}; INVALID_USAGE where Spark has given up the task meanwhile
   */
  public static Communicator communicator(BarrierTaskContext context, CommConfig config) {
    int rank = context.partitionId();
    PendingCommunicator pending =
        Communicator.initAsync(context::allGather, context.numPartitions(), rank, config);
    // The casts choose between Java's listeners and Scala's functions.
    context.addTaskInterruptListener(
        (TaskInterruptListener) (_, _) -> GRACE.execute(pending::abort));
    context.addTaskFailureListener((TaskFailureListener) (_, _) -> pending.abort());
    context.addTaskCompletionListener(
        (TaskCompletionListener) _ -> pending.completion().thenAccept(Communicator::close));
    return Objects.requireNonNull(pending.await(FOR_EVER), "ends within limits of its own");
  }

  /**
   * Runs a function on each partition, all at the same time, as tasks of a barrier stage: Java's
   * way to {@code rdd.barrier().mapPartitions}, which takes a function of Scala.
   *
   * @param rdd as many partitions as there are to be ranks; as many slots must be free in the
   *     cluster
   * @param function is sent to the executors; may call {@link #communicator(BarrierTaskContext)}
   */
  public static <T, R> JavaRDD<R> mapPartitions(
      JavaRDD<T> rdd, FlatMapFunction<Iterator<T>, R> function) {
    ClassTag<R> any = ClassTag$.MODULE$.apply(Object.class);
    return new JavaRDD<>(
        rdd.rdd().barrier().mapPartitions(new OfScala<>(function), false, any), any);
  }

  /** A function of Java's iterators as one of Scala's. */
  private record OfScala<T, R>(FlatMapFunction<Iterator<T>, R> function)
      implements Function1<scala.collection.Iterator<T>, scala.collection.Iterator<R>>,
          Serializable {
    @Override
    public scala.collection.Iterator<R> apply(scala.collection.Iterator<T> partition) {
      try {
        return CollectionConverters.asScala(function.call(CollectionConverters.asJava(partition)));
      } catch (Exception e) {
        throw sneaky(e);
      }
    }
  }

  /** Throws what the task has thrown as it is, as Scala would, for Spark shows its class. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> RuntimeException sneaky(Exception e) throws E {
    throw (E) e;
  }
}
