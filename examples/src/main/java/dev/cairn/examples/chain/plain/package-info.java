/** A sampler of a posterior, before it had checkpoints: it knows nothing of Cairn. */
package dev.cairn.examples.chain.plain;
