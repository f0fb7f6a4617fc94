// Proved by ReportPageSpec, ChromiumSpec.

/** The report of a store: what its events say, with pictures, as a page. */
@NullMarked
package dev.cairn.report;

import org.jspecify.annotations.NullMarked;
