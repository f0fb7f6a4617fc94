/** A model whose state is a graph of objects. */
package dev.cairn.examples.flock;
