/** Parameters of OAuth calls: forms, queries, and JSON objects of texts. Source: docs/reference/oauth-endpoints.md#token-endpoint. */
import {
  decodeFieldStrictly,
  type FormPairs,
  formPairs,
  isFormType,
  isJson,
  readJson,
  utf8Text,
} from '@turnpike/core/lib'

/** Parameters by name. The first value of a name counts; `repeated` is true if a name occurs twice. */
export interface Form {
  get(name: string): string
  readonly repeated: boolean
}

export function makeForm(pairs: FormPairs): Form {
  const values = new Map<string, string>()
  let repeated = false
  for (const [name, value] of pairs) {
    if (values.has(name)) repeated = true
    else values.set(name, value)
  }
  return { get: (name) => values.get(name) ?? '', repeated }
}

/** Parses a form or query; returns `undefined` if an escape is invalid. */
export function parseForm(text: string): Form | undefined {
  const pairs = parsePairs(text)
  return pairs && makeForm(pairs)
}

/** Merges a form and a query; the form takes precedence. */
export function parseFormAndQuery(form: string, query: string): Form | undefined {
  const own = parsePairs(form)
  const others = parsePairs(query)
  if (own === undefined || others === undefined) return undefined
  const named = new Set(own.map(([name]) => name))
  return makeForm([...own, ...others.filter(([name]) => !named.has(name))])
}

/** Parses a JSON object whose values are texts; `undefined` if it is anything else. */
export function parseJsonForm(body: Uint8Array): Form | undefined {
  const read = readJson(body)
  if (read.problem !== undefined || !isJson(read.value)) return undefined
  const pairs = Object.entries(read.value)
  return pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string') ? makeForm(pairs) : undefined
}

/** Returns the text of a form; empty for a body with another content type. */
export function formTextOf(body: Uint8Array, contentType: string | undefined): string {
  return isFormType(contentType) ? utf8Text(body) : ''
}

function parsePairs(text: string): FormPairs | undefined {
  return decodeFieldStrictly(text) === undefined ? undefined : formPairs(text)
}
