/** The checks that all stores make before they access a file; not exported. */
@NullMarked
package dev.cairn.sion.store.checked;

import org.jspecify.annotations.NullMarked;
