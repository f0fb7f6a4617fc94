// Proved by SerialCodecSpec, StateSerializersSpec, SchemaChangesSpec.

/**
 * Types that declare state: element types, codecs with the schemas of their values, and rules for
 * another number of ranks.
 */
@NullMarked
package dev.cairn.state;

import org.jspecify.annotations.NullMarked;
