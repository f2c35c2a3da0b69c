// SPDX-License-Identifier: Apache-2.0
/**
 * The life of a plugin in core: found, lifted to the newest version, chosen, used. Plugins are
 * networks, collective networks, reduction kernels, tuners and profilers ({@link
 * io.nitinol.core.plugin.PluginKind}).
 *
 * <ol>
 *   <li><b>Found.</b> {@link io.nitinol.core.plugin.PluginCatalog} is what the process knows,
 *       {@code Discovery} fills it. A {@code PluginSource} is a place to look at: the application's
 *       own module and class path, a jar or directory behind a loader of its own ({@code
 *       PluginUnit}, {@code IsolatedLoader}), or a native library, which a {@link
 *       io.nitinol.core.plugin.LibraryFinder} opens.
 *   <li><b>Lifted.</b> {@code ProviderScan} asks each place for the providers of each version and
 *       lifts them by the table of versions, {@code VersionLadder}; the steps are the classes of
 *       {@code core.plugin.adapt}. What it finds is a {@code Candidate}.
 *   <li><b>Chosen.</b> {@link io.nitinol.core.plugin.NetSelection} and the selections of the other
 *       kinds read the variables, initialize candidates in order and take one, as NCCL does. With
 *       {@code NITINOL_VALIDATE} a {@link io.nitinol.core.plugin.NetDecorator} goes around it.
 *   <li><b>Used.</b> {@link io.nitinol.core.plugin.PluginSession} is a network at work for one
 *       communicator: a context opened in the plugin, which the communicator's {@code close}
 *       finalizes. The plugin itself stays for the life of the process.
 * </ol>
 *
 * <p>The thread that sets up a communicator does all of this, one discovery at a time. Begin
 * reading at {@code Discovery.run}. Why a plugin was not found, not lifted or not chosen is kept in
 * its {@link io.nitinol.core.plugin.PluginDescription}, which {@code nitinol plugins} prints.
 */
@NullMarked
package io.nitinol.core.plugin;

import org.jspecify.annotations.NullMarked;
