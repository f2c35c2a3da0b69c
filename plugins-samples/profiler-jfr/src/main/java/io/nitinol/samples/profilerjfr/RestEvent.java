// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The progress thread at rest. Off by default: there are many. */
@Name("io.nitinol.ProgressRest")
@Label("Progress Thread at Rest")
@Enabled(false)
final class RestEvent extends JfrEvent {}
