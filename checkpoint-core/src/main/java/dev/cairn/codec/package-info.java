/** Conversion of objects to bytes, the schemas of their values, and CBOR. */
@NullMarked
package dev.cairn.codec;

import org.jspecify.annotations.NullMarked;
