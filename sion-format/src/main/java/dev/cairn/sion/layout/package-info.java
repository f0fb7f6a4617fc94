/** Where things lie in a multifile: pure arithmetic that touches no file. */
@NullMarked
package dev.cairn.sion.layout;

import org.jspecify.annotations.NullMarked;
