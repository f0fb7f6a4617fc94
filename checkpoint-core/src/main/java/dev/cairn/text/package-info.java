/** Text: UTF-8 without loss, and numbers with their nouns. */
@NullMarked
package dev.cairn.text;

import org.jspecify.annotations.NullMarked;
