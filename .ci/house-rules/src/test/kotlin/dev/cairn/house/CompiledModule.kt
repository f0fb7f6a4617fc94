package dev.cairn.house

import java.lang.module.ModuleDescriptor
import java.lang.module.ModuleDescriptor.Requires.Modifier.STATIC
import java.nio.file.Path
import kotlin.io.path.inputStream

/** The descriptor of the module whose tests run, as the compiler wrote it. */
fun compiledModule(): ModuleDescriptor =
    Path.of("target", "classes", "module-info.class").inputStream().use(ModuleDescriptor::read)

/** The modules without which this one does not start. */
fun ModuleDescriptor.requiredAtRunTime(): Set<String> =
    requires().filterNot { STATIC in it.modifiers() }.map { it.name() }.toSet()
