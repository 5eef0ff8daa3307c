/** The body of a request against a document. Source: spec/oas-and-mcp.md 1.5. */

import { deref } from '../../definition/openapi/operations.ts'
import { isJson, type Json } from '../../lib/json.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { checkValue, printProblem } from './check-value.ts'

/** What is wrong with the body, as clients are told; `undefined`: it fits, or nothing is said of bodies. */
export function checkBody(operation: Json, body: Uint8Array, contentType: string, document: Json): string | undefined {
  const described = deref(document, operation['requestBody'])
  if (described === undefined) return undefined
  const reason = bodyProblem(described, body, contentType, document)
  return reason === undefined ? undefined : `request body has an error: ${reason}`
}

function bodyProblem(described: Json, body: Uint8Array, contentType: string, document: Json): string | undefined {
  if (body.length === 0) return described['required'] === true ? 'value is required but missing' : undefined
  const content = isJson(described['content']) ? described['content'] : {}
  if (Object.keys(content).length === 0) return undefined
  const type = (contentType.split(';', 1)[0] as string).trim().toLowerCase()
  const media = deref(document, content[type] ?? content[`${type.split('/', 1)[0]}/*`] ?? content['*/*'])
  if (media === undefined) return `header Content-Type has unexpected value ${JSON.stringify(contentType)}`
  if (media['schema'] === undefined || !/^application\/(?:.+\+)?json$/.test(type)) return undefined
  const read = readJson(body)
  if (read.problem !== undefined) return `failed to decode request body: ${read.problem}`
  const problem = checkValue(read.value, media['schema'], document)
  return problem === undefined ? undefined : `doesn't match schema: ${printProblem(problem)}`
}
