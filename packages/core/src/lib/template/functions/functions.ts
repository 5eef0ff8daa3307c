/**
 * All functions of templates, by name: those of Go's text/template, `jsonMarshal` and `xmlMarshal`, and the functions of
 * the common library for Go under its names. docs/reference/template-functions.md lists them; `excluded.ts` has those
 * that are left out. Only `dates.ts` and `random.ts` use time and randomness, from `Sources`; no function reads the
 * environment, files or the network.
 */
import type { FunctionTable } from '../function-table.ts'
import { comparisonFunctions } from './comparison.ts'
import { dateFunctions } from './dates.ts'
import { digestFunctions } from './digests.ts'
import { encodingFunctions } from './encoding.ts'
import { languageFunctions } from './language.ts'
import { listFunctions } from './lists.ts'
import { mapFunctions } from './maps.ts'
import { numberFunctions } from './numbers.ts'
import { pathFunctions } from './paths.ts'
import { patternFunctions } from './patterns.ts'
import { randomFunctions } from './random.ts'
import { textCaseFunctions } from './text-case.ts'
import { textFunctions } from './texts.ts'
import { urlFunctions } from './urls.ts'
import { versionFunctions } from './versions.ts'

export const templateFunctions: FunctionTable = {
  ...textFunctions,
  ...textCaseFunctions,
  ...numberFunctions,
  ...listFunctions,
  ...mapFunctions,
  ...encodingFunctions,
  ...patternFunctions,
  ...comparisonFunctions,
  ...languageFunctions,
  ...versionFunctions,
  ...urlFunctions,
  ...randomFunctions,
  ...pathFunctions,
  ...digestFunctions,
  ...dateFunctions,
}
