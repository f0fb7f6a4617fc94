package dev.cairn.house

import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.domain.JavaModifier
import com.tngtech.archunit.lang.ArchCondition
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.ConditionEvents
import com.tngtech.archunit.lang.SimpleConditionEvent
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes

/**
 * A kind of state owns its rules: they stand beside it in [root]`.item`, so that a new kind changes no file elsewhere. Other
 * packages ask an item or its kind for a rule, and do not test for one kind. They may tell apart the ways in which items come back,
 * which are interfaces.
 */
fun kindsOwnTheirRules(root: String): ArchRule =
    classes()
        .that()
        .resideOutsideOfPackage("$root.item")
        .should(notTellKindsApart("$root.item"))
        .allowEmptyShould(true)
        .`as`("only $root.item tells kinds of state apart")

private fun notTellKindsApart(home: String): ArchCondition<JavaClass> =
    object : ArchCondition<JavaClass>("not tell kinds of state apart") {
        override fun check(type: JavaClass, events: ConditionEvents) {
            val asked =
                type.instanceofChecks
                    .filter { isItem(it.rawType, home) }
                    .map { "${it.owner.fullName} asks for a ${it.rawType.name} in ${it.sourceCodeLocation}" }
            val named = type.accessesFromSelf.filter { isKind(it.targetOwner, home) }.map { it.description }
            (asked + named).forEach { events.add(SimpleConditionEvent.violated(type, it)) }
        }
    }

/** A declared item of one kind, or of a few. */
private fun isItem(type: JavaClass, home: String) = !type.isInterface && type.isAssignableTo("$home.StateItem")

/** The object of one kind, and not a class that kinds share. */
private fun isKind(type: JavaClass, home: String) =
    JavaModifier.ABSTRACT !in type.modifiers && type.isAssignableTo("$home.ItemKind")
