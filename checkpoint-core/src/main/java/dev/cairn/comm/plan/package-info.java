/** Plans for simulated ranks: hosts, faults and schedules; and the report of such a run. */
@NullMarked
package dev.cairn.comm.plan;

import org.jspecify.annotations.NullMarked;
