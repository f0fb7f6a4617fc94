/**
 * SION multifiles: many tasks' byte streams in few physical files, byte for byte as SIONlib 1.7.6
 * writes them.
 *
 * <p>Start with {@link dev.cairn.sion.Multifile} to read one and with {@link
 * dev.cairn.sion.MultifileWriter} to write one. Programs whose tasks live in several processes plan
 * with {@link dev.cairn.sion.MultifileLayout} and write with one {@link dev.cairn.sion.ChunkWriter}
 * per task.
 *
 * <p>Appending, copying, cursors as in C, compressed streams and the repair of broken multifiles
 * have packages of their own beside this one.
 */
@NullMarked
package dev.cairn.sion;

import org.jspecify.annotations.NullMarked;
