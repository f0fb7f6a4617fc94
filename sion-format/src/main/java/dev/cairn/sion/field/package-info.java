/** Lists of fields, each stated once, which are read, written and measured; not exported. */
@NullMarked
package dev.cairn.sion.field;

import org.jspecify.annotations.NullMarked;
