/** `errorOverrides`: rules that replace error responses. Source: docs/reference/openapi-extension.md#api-fields. */
import { isJson, isOn, type Json, memberOf } from '../../../lib/json.ts'

export function errorOverrideFields(part: unknown): Json {
  if (part === undefined) return {}
  const value = memberOf(part, 'value')
  return {
    error_overrides: isJson(value) ? mapValues(value, rulesOf) : value,
    error_overrides_disabled: !isOn(part),
  }
}

// Members of an invalid type pass unchanged, so that the reader of the definition reports them.
function rulesOf(rules: unknown): unknown {
  return Array.isArray(rules) ? rules.map(ruleOf) : rules
}

function ruleOf(rule: unknown): unknown {
  if (!isJson(rule)) return rule
  return { match: renamed(rule['match']), response: renamed(rule['response']) }
}

/** Members in camel case to the names of classic definitions; the names of headers stay. */
function renamed(part: unknown): unknown {
  if (!isJson(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`), value]),
  )
}

function mapValues(value: Json, change: (entry: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, change(entry)]))
}
