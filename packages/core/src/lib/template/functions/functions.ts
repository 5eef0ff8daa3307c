/**
 * All functions of templates, by name: those of Go's text/template, `jsonMarshal` and `xmlMarshal`, and generic
 * functions under the names that template authors know from the common library for Go.
 *
 * - language: and or not eq ne lt le gt ge len index slice print printf println html js urlquery
 * - texts: upper lower title untitle trim trimAll trimPrefix trimSuffix trimLeft trimRight trunc abbrev substr
 *   replace repeat nospace contains hasPrefix hasSuffix quote squote cat indent nindent join split splitList splitn
 *   plural swapcase snakecase camelcase kebabcase initials wrap toString toStrings
 * - defaults: default empty coalesce ternary all any fail
 * - numbers: int int64 float64 atoi add add1 sub mul div mod max min floor ceil round addf subf mulf divf until
 *   untilStep
 * - lists: list first last rest initial append prepend concat reverse uniq compact without has slice sortAlpha
 * - maps: dict get set unset hasKey keys values pick omit merge dig pluck
 * - encodings: b64enc b64dec toJson toPrettyJson fromJson mustToJson mustFromJson
 * - patterns (RE2): regexMatch regexFind regexFindAll regexReplaceAll regexReplaceAllLiteral regexSplit
 * - types: typeOf kindOf kindIs typeIs
 *
 * Nothing here reads the clock, the environment, files or the network.
 */
import type { FunctionTable } from '../function-table.ts'
import { comparisonFunctions } from './comparison.ts'
import { encodingFunctions } from './encoding.ts'
import { languageFunctions } from './language.ts'
import { listFunctions } from './lists.ts'
import { mapFunctions } from './maps.ts'
import { numberFunctions } from './numbers.ts'
import { patternFunctions } from './patterns.ts'
import { textCaseFunctions } from './text-case.ts'
import { textFunctions } from './texts.ts'

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
}
