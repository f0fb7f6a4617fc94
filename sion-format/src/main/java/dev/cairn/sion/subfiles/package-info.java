/**
 * The sets of files that HDF5's sub-filing driver writes: a logical HDF5 file whose stripes lie in
 * several sub-files. {@link dev.cairn.sion.subfiles.SubFileSet} reads a set, {@link
 * dev.cairn.sion.subfiles.SubFileAssembly} makes one file of it, and {@link
 * dev.cairn.sion.subfiles.SubFileCreation} makes a set of one file.
 */
@NullMarked
package dev.cairn.sion.subfiles;

import org.jspecify.annotations.NullMarked;
