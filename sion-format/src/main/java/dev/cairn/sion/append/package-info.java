/**
 * Appending to a closed multifile: from one program with {@link
 * dev.cairn.sion.append.MultifileAppender}, from several processes with {@link
 * dev.cairn.sion.append.AppendLayout}.
 */
@NullMarked
package dev.cairn.sion.append;

import org.jspecify.annotations.NullMarked;
