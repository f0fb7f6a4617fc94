/** Ranks that are processes: what a transport must offer, and collectives made of its messages. */
@NullMarked
package dev.cairn.comm.transport;

import org.jspecify.annotations.NullMarked;
