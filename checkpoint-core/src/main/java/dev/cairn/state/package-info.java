/** Types that declare state: element types, and rules for another number of ranks. */
@NullMarked
package dev.cairn.state;

import org.jspecify.annotations.NullMarked;
