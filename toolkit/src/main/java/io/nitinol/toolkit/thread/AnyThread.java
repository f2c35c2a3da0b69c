// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Any thread may call this at any time, several at once too.
 *
 * <p>On a class it speaks for every method that carries no annotation of its own.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface AnyThread {}
