package dev.cairn.mpi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.paths.shouldExist
import io.kotest.matchers.paths.shouldNotExist
import java.nio.file.Path

class ModuleSpec :
    FunSpec({
        test("there is no descriptor, because Open MPI's jar is no module") {
            Path.of("target", "classes", "dev", "cairn", "mpi").shouldExist()
            Path.of("target", "classes", "module-info.class").shouldNotExist()
        }
    })
