/** The town of {@code plain} with restart: its agents, places, rumours and events are rows. */
package dev.cairn.examples.town.rows;
