/** What every store checks before it touches a file; not exported. */
@NullMarked
package dev.cairn.sion.store.checked;

import org.jspecify.annotations.NullMarked;
