/** Parameters of OAuth calls: forms, queries, and JSON objects of texts. Source: docs/reference/oauth-endpoints.md#token-endpoint. */
import { decodeFieldStrictly, type FormPairs, formPairs, readJson, utf8Text } from '@turnpike/core'

/** Parameters by name. The first value of a name counts; `repeated` tells whether a name came twice. */
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

/** What a form or query says; `undefined` when an escape in it is broken. */
export function parseForm(text: string): Form | undefined {
  const pairs = parsePairs(text)
  return pairs && makeForm(pairs)
}

/** A form with a query behind it: what stands in the form counts. */
export function parseFormAndQuery(form: string, query: string): Form | undefined {
  const own = parsePairs(form)
  const others = parsePairs(query)
  if (own === undefined || others === undefined) return undefined
  const named = new Set(own.map(([name]) => name))
  return makeForm([...own, ...others.filter(([name]) => !named.has(name))])
}

/** A JSON object whose values are texts; `undefined`: it is none. */
export function parseJsonForm(body: Uint8Array): Form | undefined {
  const read = readJson(body)
  if (read.problem !== undefined) return undefined
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const pairs: (readonly [string, string])[] = []
  for (const [name, given] of Object.entries(value)) {
    if (typeof given !== 'string') return undefined
    pairs.push([name, given])
  }
  return makeForm(pairs)
}

/** Form bodies are read where they are said to be forms only. */
export function isFormType(contentType: string | undefined): boolean {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
}

export function formTextOf(body: Uint8Array, contentType: string | undefined): string {
  return isFormType(contentType) ? utf8Text(body) : ''
}

function parsePairs(text: string): FormPairs | undefined {
  return decodeFieldStrictly(text) === undefined ? undefined : formPairs(text)
}
