/** How objects of a program become bytes: codecs of its own, and those of its serializers. */
@NullMarked
package dev.cairn.codec;

import org.jspecify.annotations.NullMarked;
