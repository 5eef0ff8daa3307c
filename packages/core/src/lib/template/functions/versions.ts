/** Semantic versions. */
import { type FunctionTable, fixed, onText, textOf } from '../function-table.ts'
import { satisfies, Version } from '../semantic-version.ts'
import { TemplateError } from '../template-problem.ts'

/** Longer versions and constraints are not read. */
const maxLength = 256

function limited(text: string): string {
  if (text.length > maxLength) throw new TemplateError(`a version is longer than ${maxLength} characters`)
  return text
}

export const versionFunctions: FunctionTable = {
  semver: onText((text) => new Version(limited(text))),
  semverCompare: fixed(2, ([constraint, version], budget) => {
    budget.spend(4096)
    return satisfies(limited(textOf(constraint, budget)), limited(textOf(version, budget)))
  }),
}
