/** The town of {@code plain} with restart: killed at any time, it continues from its last save. */
package dev.cairn.examples.town;
