/** The communicator: what ranks say to each other, whatever carries their messages. */
@NullMarked
package dev.cairn.comm;

import org.jspecify.annotations.NullMarked;
