package dev.cairn.sion.layout

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.Locale

class FileNamesSpec :
    FunSpec({
        test("file numbers have six digits, and more where they need them") {
            val path = Path.of("run", "x.sion")
            FileNames.physical(path, 0) shouldBe path
            FileNames.physical(path, 1) shouldBe Path.of("run", "x.sion.000001")
            FileNames.physical(path, 1_234_567) shouldBe Path.of("run", "x.sion.1234567")
        }

        test("a locale with other digits changes no name") {
            val before = Locale.getDefault()
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"))
            try {
                FileNames.physical(Path.of("x.sion"), 1) shouldBe Path.of("x.sion.000001")
            } finally {
                Locale.setDefault(before)
            }
        }

        test("only names with the suffix of a physical file belong to a set") {
            val members =
                listOf("x.sion", "x.sion.000001", "x.sion.1234567", "x.sion_BUDDY_00", "x.sion_BUDDY_01.000002")
            val others =
                listOf("x.sion.1", "x.sion.00001a", "y.sion.000001", "x.sion_BUDDY_", "x.sion.000001.bak", "x")
            members.filter { FileNames.isOfSet("x.sion", it) } shouldBe members
            others.filter { FileNames.isOfSet("x.sion", it) } shouldBe emptyList()
        }
    })
