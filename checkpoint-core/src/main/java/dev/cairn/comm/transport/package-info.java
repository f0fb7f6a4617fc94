/** Ranks that are processes: the interface of a transport, and collectives made of its messages. */
@NullMarked
package dev.cairn.comm.transport;

import org.jspecify.annotations.NullMarked;
