// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.thread;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One thread at a time may call this, and not always the same one: the caller orders the calls.
 *
 * <p>What the last caller wrote must be visible to the next, for example by a lock of the caller's.
 * On a class it speaks for every method that carries no annotation of its own.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface OneThread {}
