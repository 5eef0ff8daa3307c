/** Builds a request that fits an OpenAPI document, for commands that a user can copy. */
import { deref, operationsOf } from '@turnpike/core/definition'
import { isJson, type Json, listOf, memberOf, textOf } from '@turnpike/core/lib'

export interface SampleRequest {
  readonly method: string
  /** Path and query, without the listen path. */
  readonly path: string
}

/** Returns a GET request if the document has one without a body, with as few parameters as possible. */
export function sampleRequest(document: Json): SampleRequest {
  const candidates = operationsOf(document)
    .filter(({ method }) => method === 'GET')
    .map(({ path, method, parameters }) => ({ path, method, parameters: parameters.filter(isRequired) }))
    .sort((a, b) => a.parameters.length - b.parameters.length || a.path.length - b.path.length)
  const [chosen] = candidates
  if (chosen === undefined) return { method: 'GET', path: '/' }
  const query: string[] = []
  let { path } = chosen
  for (const parameter of chosen.parameters) {
    const name = textOf(parameter['name'])
    const value = encodeURIComponent(String(sampleValue(document, parameter)))
    if (parameter['in'] === 'path') path = path.replaceAll(`{${name}}`, value)
    if (parameter['in'] === 'query') query.push(`${encodeURIComponent(name)}=${value}`)
  }
  return { method: chosen.method, path: query.length === 0 ? path : `${path}?${query.join('&')}` }
}

function isRequired(parameter: Json): boolean {
  return parameter['required'] === true || parameter['in'] === 'path'
}

function sampleValue(document: Json, parameter: Json): unknown {
  const schema = deref(document, parameter['schema']) ?? {}
  const examples = Object.values(isJson(parameter['examples']) ? parameter['examples'] : {})
  const given = [
    parameter['example'],
    memberOf(examples[0], 'value'),
    schema['example'],
    listOf(schema['examples'])[0],
    schema['default'],
    listOf(schema['enum'])[0],
    schema['minimum'],
  ].find((value) => value !== undefined && typeof value !== 'object')
  if (given !== undefined) return given
  if (schema['type'] === 'boolean') return true
  return formats[textOf(schema['format'])] ?? 1
}

const formats: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2030-01-01',
  'date-time': '2030-01-01T00:00:00Z',
  email: 'user@example.com',
}
