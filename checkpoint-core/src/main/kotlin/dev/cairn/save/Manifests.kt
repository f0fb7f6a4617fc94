package dev.cairn.save

import dev.cairn.item.ColumnSchema
import dev.cairn.item.Schema
import dev.cairn.options.toProvenance
import dev.cairn.state.Meaning
import dev.cairn.store.DataHints
import dev.cairn.store.Lineage
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestColumn
import dev.cairn.store.ManifestItem
import dev.cairn.store.SaveNames
import dev.cairn.store.TextPart
import java.time.Instant

/** The manifest of save [number], whose state all ranks have [written], and which continues [lineage]. */
internal fun SaveContext.manifest(
    lineage: Lineage,
    number: Int,
    position: LoopPosition,
    written: WrittenState,
): Manifest =
    Manifest(
        run = lineage.run,
        parent = lineage.parent,
        save = number,
        step = position.step,
        phase = position.phase,
        rankCount = ranks.size,
        time = Instant.now(),
        contents = written.contentsRoot,
        items = written.items.map { it.entry(it.item.schema) },
        provenance =
            mapOf("host" to ranks.host, "java" to System.getProperty("java.version")) +
                listOfNotNull(declared.program?.let { Manifest.PROGRAM to it }) +
                listOfNotNull(written.fileReason?.let { Manifest.FILES to "${written.fileCount}, $it" }) +
                options.configuration.toProvenance(),
        hints = DataHints(SaveNames.DATA, written.fileCount, written.byteCount),
        history = lineage.saves,
        parameters = declared.parameters,
        isFinished = position.isFinished,
        phasesBefore = position.phasesBefore,
    )

private fun ItemTotal.entry(schema: Schema) =
    ManifestItem(
        item.name,
        schema.kind,
        schema.elementType,
        schema.shape,
        elementCount,
        byteCount,
        digest.toString(),
        item.layout,
        schema = item.valueSchema,
        columns = schema.columns.map(::columnOf),
    )

private fun columnOf(column: ColumnSchema) =
    when (val meaning = column.meaning) {
        is Meaning.Number -> {
            ManifestColumn(column.name, column.elementType)
        }

        is Meaning.Constants -> {
            ManifestColumn(column.name, column.elementType, constants = meaning.constants)
        }

        is Meaning.TextPart -> {
            val text = TextPart(meaning.column, meaning.part, meaning.atMost)
            ManifestColumn(column.name, column.elementType, text = text)
        }

        is Meaning.ListChecksum -> {
            ManifestColumn(column.name, column.elementType, listsOf = meaning.column)
        }
    }
