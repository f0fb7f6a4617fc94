package dev.cairn.sion.cli

import dev.cairn.command.TextOutput
import dev.cairn.sion.Content
import dev.cairn.sion.GlobalView
import java.io.OutputStream
import java.util.EnumSet

/** All that `sion dump` prints of a multifile, without the command line before it. */
object Dumps {
    fun text(view: GlobalView, sink: OutputStream) =
        TextOutput(sink).use { out ->
            SummaryText(out, view).print(view.info().path().toString())
            BlockText(out, view, SizeUnit.BYTES).print()
            if (view.info().fileCount() > 1) {
                FileText(out, view).apply {
                    printFiles()
                    printMapping()
                    printMappingByFile()
                }
            }
            if (view.info().content() == Content.RECORDS) {
                KeyText(out, view).apply {
                    printKeys()
                    printRecords()
                }
            }
        }

    fun json(view: GlobalView, sink: OutputStream) =
        TextOutput(sink).use { out ->
            JsonDump(out, view, EnumSet.allOf(JsonDump.Detail::class.java)).print(view.info().path().toString())
        }

    fun picture(view: GlobalView, sink: OutputStream) = sink.write(MapDrawing(view).draw())
}
