/** An agent model of a town with rumours, before it had checkpoints: it knows nothing of Cairn. */
package dev.cairn.examples.town.plain;
