/** Makes a save: writes the items of each rank, and tells the manifest what was written. */
@NullMarked
package dev.cairn.save;

import org.jspecify.annotations.NullMarked;
