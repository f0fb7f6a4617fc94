// Proved by ConcentratedSpec, ConcentratedFaultsSpec, DedicatedSavesSpec.

/**
 * Many ranks and few writers: concentrators gather the bytes of all and write or read them in large
 * pieces; dedicated ranks write what the others save.
 */
@NullMarked
package dev.cairn.concentrate;

import org.jspecify.annotations.NullMarked;
