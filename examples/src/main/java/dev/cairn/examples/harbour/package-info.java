/** A model whose objects are rows of tables. */
package dev.cairn.examples.harbour;
