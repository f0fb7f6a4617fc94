package dev.cairn.examples

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** What the newest checkpoint in [store] says of itself. */
fun lastManifest(store: Path): JsonObject =
    store
        .listDirectoryEntries("0*")
        .maxBy { it.name }
        .resolve("manifest.json")
        .readText()
        .let { Json.parseToJsonElement(it).jsonObject }

/** The digests of its items, which are the same for the same state, however many ranks had it. */
fun lastDigests(store: Path): Map<JsonElement, JsonElement> =
    lastManifest(store)
        .getValue("items")
        .jsonArray
        .map { it.jsonObject }
        .associate { it.getValue("name") to it.getValue("digest") }
