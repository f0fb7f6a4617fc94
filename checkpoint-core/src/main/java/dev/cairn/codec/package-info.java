/** Conversion of objects to bytes: codecs of the program, and those of its serializers. */
@NullMarked
package dev.cairn.codec;

import org.jspecify.annotations.NullMarked;
