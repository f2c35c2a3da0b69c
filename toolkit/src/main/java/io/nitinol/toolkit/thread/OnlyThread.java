// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Only the named thread may call this, for example {@code @OnlyThread("bootstrap loop")}.
 *
 * <p>On a class it speaks for every method that carries no annotation of its own. The page {@code
 * docs/architecture.md} lists the threads.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface OnlyThread {
  /**
   * Names the thread.
   *
   * @return the name, as {@code docs/architecture.md} lists it
   */
  String value();
}
