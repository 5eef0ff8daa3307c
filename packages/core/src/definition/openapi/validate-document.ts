/** Validates OpenAPI documents for the management API. Source: docs/reference/openapi-documents.md#document-checks. */

import { isJson, isOn, type Json, memberOf, textOf } from '../../lib/json.ts'
import { formatSchemaProblem, type SchemaProblem } from '../../lib/json-schema/schema-problem.ts'
import { compileJsonSchema, type Validate } from '../../lib/json-schema/schema-texts.ts'
import { inconsistentSecurity, invalidPathParameters } from './document-rules.ts'
import { documentSchemaFor, type SchemaForVersion } from './document-schema.ts'
import { extensionName, extensionOf } from './extension.ts'
import { operationMethods, operationsOf } from './operations.ts'
import { methodsOutsideGroups } from './security-groups.ts'

/** The message of the first check that fails; `undefined`: the document may be stored. */
export async function validateDocument(document: Json, vendor: string): Promise<string | undefined> {
  const key = extensionName(vendor)
  if (!Object.hasOwn(document, key)) return `the payload should contain ${key}`
  return (await failuresOf(document, key)) ?? brokenRule(document) ?? invalidAuthentication(document, vendor)
}

/** The message of the first check of the extension that fails, where `validatePlainDocument` has accepted the document. */
export async function validateExtension(document: Json, vendor: string): Promise<string | undefined> {
  const key = extensionName(vendor)
  const { openapi, info, [key]: extension } = document
  return (
    (await failuresOf({ openapi, info, paths: {}, [key]: extension }, key)) ?? invalidAuthentication(document, vendor)
  )
}

/** What the management API would reject: schema failures with their places, or the message of another check. */
export async function documentProblems(document: Json, vendor: string): Promise<readonly SchemaProblem[]> {
  const key = extensionName(vendor)
  const problems = Object.hasOwn(document, key) ? await schemaFailures(document, key) : undefined
  if (problems !== undefined && typeof problems !== 'string' && problems.length > 0) {
    return problems.map((problem) =>
      problem.path.length > 0 ? problem : { path: [], message: formatSchemaProblem(problem) },
    )
  }
  const message = await validateDocument(document, vendor)
  return message === undefined ? [] : [{ path: [], message }]
}

/** Validates a document without the extension. */
export async function validatePlainDocument(document: Json, vendor: string): Promise<string | undefined> {
  return (await failuresOf(document, extensionName(vendor))) ?? brokenRule(document)
}

async function failuresOf(document: Json, extensionKey: string): Promise<string | undefined> {
  const problems = await schemaFailures(document, extensionKey)
  if (typeof problems === 'string') return problems
  return problems.length === 0 ? undefined : problems.map(formatSchemaProblem).join('\n')
}

/** A text: there is no schema for the version of the document. */
async function schemaFailures(document: Json, extensionKey: string): Promise<readonly SchemaProblem[] | string> {
  // A document without a version is checked against the oldest schema, which reports that the version is missing.
  const version = textOf(document['openapi'])
  const found = validatorFor(version, extensionKey)
  if (found.problem !== undefined) return found.problem
  return found.validate(withRequiredMembers(document, version.startsWith('3.1')))
}

/** Required members that are missing count as empty, so the schema reports them as members of an invalid type. */
function withRequiredMembers(document: Json, isVersion31: boolean): Json {
  const { openapi = '', info = null, paths = null } = document
  const whole = { ...document, openapi, info: isJson(info) ? { title: '', version: '', ...info } : info, paths }
  // Responses are optional since OpenAPI 3.1.
  if (isVersion31 || !isJson(paths)) return whole
  return {
    ...whole,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, withResponses(item)])),
  }
}

function withResponses(item: unknown): unknown {
  if (!isJson(item)) return item
  const isOperation = (name: string, value: unknown): value is Json =>
    operationMethods.some((method) => method === name) && isJson(value)
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      isOperation(name, value) ? { responses: null, ...value } : value,
    ]),
  )
}

type FoundValidator = { readonly validate: Validate; readonly problem?: undefined } | { readonly problem: string }

/** Finds the validator for a version of OpenAPI. A schema is compiled once for each version line and vendor word. */
export function makeValidatorFor(schemaFor: (version: string, extensionKey: string) => SchemaForVersion) {
  const compiled = new Map<string, Validate>()
  return (version: string, extensionKey: string): FoundValidator => {
    const { schema, problem } = schemaFor(version, extensionKey)
    if (problem !== undefined) return { problem }
    const line = `${version.slice(0, 3)} ${extensionKey}`
    const known = compiled.get(line)
    if (known !== undefined) return { validate: known }
    // This schema takes linear time, and documents of many megabytes may take longer than bodies of clients.
    const made = compileJsonSchema(schema, { now: () => 0 })
    if (made.problem !== undefined) throw new Error(`the schema of OpenAPI ${version} is broken: ${made.problem}`)
    compiled.set(line, made.validate)
    return { validate: made.validate }
  }
}

const validatorFor = makeValidatorFor(documentSchemaFor)

/** The message of the first violated OpenAPI rule that the schema does not cover. */
export function brokenRule(document: Json): string | undefined {
  for (const name of ['version', 'title']) {
    if (textOf(memberOf(document, 'info', name)) === '') {
      return `invalid info: value of ${name} must be a non-empty string`
    }
  }
  for (const path of Object.keys((document['paths'] ?? {}) as Json)) {
    if (!path.startsWith('/') && !path.startsWith('x-')) {
      return `invalid paths: path ${JSON.stringify(path)} does not start with a forward slash (/)`
    }
  }
  const owners = new Map<string, string>()
  for (const { id, path, method } of operationsOf(document)) {
    const here = `${method} ${path}`
    const other = owners.get(id)
    if (id !== '' && other !== undefined) {
      const [first, second] = [other, here].sort()
      return `invalid paths: operations "${first}" and "${second}" have the same operation id "${id}"`
    }
    owners.set(id, here)
  }
  return invalidPathParameters(document)
}

/** The message of the first rule of the extension's authentication that the document violates. */
function invalidAuthentication(document: Json, vendor: string): string | undefined {
  const authentication = memberOf(extensionOf(document, vendor), 'server', 'authentication')
  const metadata = memberOf(authentication, 'protectedResourceMetadata')
  if (isOn(metadata) && textOf(memberOf(metadata, 'resource')) === '') {
    return 'protectedResourceMetadata.resource is required when enabled'
  }
  return inconsistentSecurity(document, vendor) ?? unusedMethods(document, vendor)
}

/** Enabled methods in no group. The API would not require them, contrary to what its author expects. */
export function unusedMethods(document: Json, vendor: string): string | undefined {
  const authentication = memberOf(extensionOf(document, vendor), 'server', 'authentication')
  const names = methodsOutsideGroups(document, authentication)
  if (names.length === 0) return undefined
  const what = names.length === 1 ? `${names[0]} auth` : `${names.join(' and ')} auth methods`
  return `invalid multi-auth configuration: ${what} enabled but not configured in a security requirement`
}
