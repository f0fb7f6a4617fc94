/**
 * CBOR (RFC 8949), in which values are stored: its bytes, and how a serializer writes and reads
 * them.
 */
@NullMarked
package dev.cairn.cbor;

import org.jspecify.annotations.NullMarked;
