/** Reads the body of a GraphQL request: `{"query", "operationName", "variables", "extensions"}`. */
import type { Json } from '../../lib/json.ts'
import { isJson } from '../../lib/json.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import { eachMember } from '../mcp/json-members.ts'

export interface GraphqlBody {
  readonly query: string
  /** Empty: the request names no operation. */
  readonly operationName: string
  readonly variables: Json
}

/** `body` is `undefined` if the request is malformed; `problem` then says why. */
export type ReadGraphqlBody =
  | { readonly body: GraphqlBody; readonly problem: undefined }
  | { readonly problem: string; readonly body: undefined }

const checkedMembers: ReadonlySet<string> = new Set(['query', 'operationName', 'variables'])

export function readGraphqlBody(bytes: Uint8Array): ReadGraphqlBody {
  const { value, problem } = { value: undefined, ...readJson(bytes) }
  if (problem !== undefined) return malformed(problem)
  if (!isJson(value)) return malformed('the request must be a JSON object with a member "query"')
  const repeated = repeatedMember(utf8Text(bytes))
  if (repeated !== undefined) return malformed(`the member "${repeated}" occurs twice`)
  const { query = null, operationName = null, variables = null } = value
  if (query !== null && typeof query !== 'string') return malformed('"query" must be a text')
  if (operationName !== null && typeof operationName !== 'string') return malformed('"operationName" must be a text')
  if (variables !== null && !isJson(variables)) return malformed('"variables" must be an object')
  return {
    body: { query: query ?? '', operationName: operationName ?? '', variables: variables ?? {} },
    problem: undefined,
  }
}

function malformed(problem: string): ReadGraphqlBody {
  return { problem, body: undefined }
}

/** Of two members with one name the upstream could read the other one, which was not checked. */
function repeatedMember(text: string): string | undefined {
  const seen = new Set<string>()
  let repeated: string | undefined
  eachMember(text, 0, (name) => {
    if (seen.has(name) && checkedMembers.has(name)) repeated = name
    seen.add(name)
  })
  return repeated
}
