/**
 * The one door to files: {@link dev.cairn.sion.store.BlockStore} and the open {@link
 * dev.cairn.sion.store.BlockFile}. Start there; every other class is an implementation. {@link
 * dev.cairn.sion.store.FileBlockStore} is the real one, {@link
 * dev.cairn.sion.store.ForwardingStore} lets a test look at every call, and {@link
 * dev.cairn.sion.store.simulated.SimulatedDisk} can crash.
 */
@NullMarked
package dev.cairn.sion.store;

import org.jspecify.annotations.NullMarked;
