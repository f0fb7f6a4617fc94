/** The communicator: communication between ranks over any transport. */
@NullMarked
package dev.cairn.comm;

import org.jspecify.annotations.NullMarked;
