package dev.cairn.sion.cli

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive

/** What the command printed, as a foreign parser reads it. */
val CommandRun.json: JsonObject get() = Json.parseToJsonElement(text).jsonObject

fun JsonObject.number(name: String): Int = getValue(name).jsonPrimitive.int

fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

fun JsonObject.array(name: String): JsonArray = getValue(name).jsonArray
