/**
 * Rules that remove and set headers of requests and responses, of a version, a path or a response processor. They are
 * compiled once. Setting a header replaces all its lines (docs/reference/transforms.md#response-chain).
 */
import type { HeaderRules } from '../../definition/api-definition.ts'
import { isToken } from '../../http/field-names.ts'
import { type HeaderPairs, removeHeader, setHeader } from '../../http/headers.ts'
import type { VariableSource, VariableText } from '../../lib/template/variable-text.ts'
import { headerSafe } from '../../lib/text/field-values.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compileText } from './variable-values.ts'

export interface CompiledHeaderRules {
  /** Lower case. */
  readonly remove: readonly string[]
  readonly add: readonly HeaderToAdd[]
}

interface HeaderToAdd {
  readonly name: string
  readonly value: VariableText
  /** The value for every request, if it has no variables. */
  readonly constant: string | undefined
}

/** Returns `undefined` if the rules do nothing. A name that HTTP does not allow is ignored with a warning. */
export function compileHeaderRules(
  rules: HeaderRules,
  compileContext: CompileContext,
): CompiledHeaderRules | undefined {
  const remove = rules.remove.map((name) => name.toLowerCase())
  const add: HeaderToAdd[] = []
  for (const [name, text] of rules.add) {
    if (isToken(name)) add.push(headerToAdd(name, compileText(text, compileContext)))
    else
      compileContext.services.log.warn('a header is not set: its name is not allowed', {
        api: compileContext.api.id,
        name,
      })
  }
  return remove.length === 0 && add.length === 0 ? undefined : { remove, add }
}

function headerToAdd(name: string, value: VariableText): HeaderToAdd {
  const { constant } = value
  return { name: name.toLowerCase(), value, constant: constant === undefined ? undefined : headerSafe(constant) }
}

export function applyHeaderRules(
  rules: CompiledHeaderRules,
  headers: HeaderPairs,
  /** Called only if a value has variables. */
  source: () => VariableSource,
): void {
  for (const name of rules.remove) removeHeader(headers, name)
  for (const { name, value, constant } of rules.add) {
    setHeader(headers, name, constant ?? headerSafe(value.resolve(source())))
  }
}
