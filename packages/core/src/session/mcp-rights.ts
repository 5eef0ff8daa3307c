/**
 * What a key may do on an MCP proxy: the four fields of its access right, compiled once for all keys with equal rights.
 * A block list has precedence; an allow list blocks everything else. Source: docs/reference/mcp-proxies.md#key-rights.
 *
 * Sessions store the fields as free JSON. A value of the wrong type blocks everything instead of allowing it.
 */

import { type Primitive, type PrimitiveKind, primitiveKinds, primitivePath } from '../definition/mcp/primitive.ts'
import { foldPatternHost, readResourceUri, resourceNames } from '../definition/mcp/resource-uri.ts'
import { listOf, memberOf, numberOf, textOf } from '../lib/json.ts'
import { compileRe2 } from '../lib/regex/re2.ts'
import type { AccessRight } from '../ports/session.ts'

/** `T` is the type of a rate limit: see `session/api-access.ts`. */
export interface McpRights<T> {
  allowsMethod(method: string): boolean
  allows(primitive: Primitive): boolean
  /** `undefined`: the key has no rate of its own for the method. */
  methodRate(method: string): T | undefined
  primitiveRate(primitive: Primitive): T | undefined
}

/** Makes the rate of an endpoint. Returns `undefined` if the values impose no limit. */
export type MakeRate<T> = (limit: { rate: number; per: number }, endpoint: string) => T | undefined

const groups: Readonly<Record<PrimitiveKind, string>> = { tool: 'tools', resource: 'resources', prompt: 'prompts' }

type McpFields = Pick<
  AccessRight,
  'jsonRpcMethods' | 'jsonRpcMethodsAccessRights' | 'mcpPrimitives' | 'mcpAccessRights'
>

/** Compiles a right. Returns `undefined` if it has no MCP fields, so that everything is allowed. */
export function makeMcpRights<T>(right: McpFields, rateOf: MakeRate<T>): McpRights<T> | undefined {
  const fields = [right.jsonRpcMethods, right.jsonRpcMethodsAccessRights, right.mcpPrimitives, right.mcpAccessRights]
  if (fields.every((value) => value === undefined || value === null)) return undefined
  const allowsMethod = compileAccess(right.jsonRpcMethodsAccessRights)
  const byKind = new Map(
    primitiveKinds.map((kind) => [kind, compileAccess(groupOf(right.mcpAccessRights, groups[kind]), kind)]),
  )
  const methodRates = ratesOf(listOf(right.jsonRpcMethods), rateOf, (entry) => textOf(memberOf(entry, 'name')))
  const primitiveRates = ratesOf(listOf(right.mcpPrimitives), rateOf, (entry) => {
    const kind = primitiveKinds.find((one) => one === memberOf(entry, 'type'))
    const name = textOf(memberOf(entry, 'name'))
    return kind === undefined || name === '' ? '' : countedPath({ kind, name })
  })
  return {
    allowsMethod,
    allows: ({ kind, name }) => byKind.get(kind)?.(name) ?? false,
    methodRate: (method) => methodRates.get(method),
    primitiveRate: (primitive) => (primitiveRates.size === 0 ? undefined : primitiveRates.get(countedPath(primitive))),
  }
}

/** The path that a rate is stored under, the same for all notations of a URI. */
function countedPath({ kind, name }: Primitive): string {
  return primitivePath({ kind, name: kind === 'resource' ? (readResourceUri(name).canonical ?? name) : name })
}

/** Returns a group of rights. If `rights` is not an object, every group of it is invalid. */
function groupOf(rights: unknown, group: string): unknown {
  if (rights === undefined || rights === null) return undefined
  return typeof rights === 'object' ? memberOf(rights, group) : rights
}

/** Compiles `{allowed, blocked}` to a function that returns whether a name is allowed. */
function compileAccess(access: unknown, kind?: PrimitiveKind): (name: string) => boolean {
  if (access === undefined || access === null) return () => true
  if (typeof access !== 'object' || Array.isArray(access)) return () => false
  const isUri = kind === 'resource'
  const allowed = compilePatterns(memberOf(access, 'allowed'), '', isUri)
  // With the flag `s`, `.` matches line breaks too: a line break in a name must not bypass the block list.
  const blocked = compilePatterns(memberOf(access, 'blocked'), '(?s)', isUri)
  return (name) => !(blocked?.(name) ?? false) && (allowed?.(name) ?? true)
}

/** Compiles patterns to a function that returns whether one of them matches; `undefined`: there are no patterns. */
function compilePatterns(given: unknown, flags: string, isUri: boolean): ((name: string) => boolean) | undefined {
  const entries = given === undefined || given === null ? [] : Array.isArray(given) ? given : [given]
  if (entries.length === 0) return undefined
  const patterns = entries.filter((entry) => typeof entry === 'string')
  const tests = patterns.map((entry) => compilePattern(isUri ? foldPatternHost(entry) : entry, flags))
  if (!isUri) return (name) => tests.some((test) => test(name))
  return (name) => resourceNames(name).some((form) => tests.some((test) => test(form)))
}

/** Compiles a regular expression that must match the whole name. An invalid one is compared literally. */
function compilePattern(pattern: string, flags: string): (name: string) => boolean {
  // Compiled without the group first, because a group could make a pattern with unbalanced brackets valid.
  const own = compileRe2(pattern)
  const compiled = own.problem === undefined ? compileRe2(`${flags}^(?:${pattern})$`, { dotAll: true }) : own
  return compiled.problem === undefined ? (name) => compiled.test(name) : (name) => name === pattern
}

function ratesOf<T>(
  entries: readonly unknown[],
  rateOf: MakeRate<T>,
  nameOf: (entry: unknown) => string,
): Map<string, T> {
  const rates = new Map<string, T>()
  for (const entry of entries) {
    const name = nameOf(entry)
    const limit = memberOf(entry, 'limit')
    const rate = rateOf({ rate: numberOf(memberOf(limit, 'rate')), per: numberOf(memberOf(limit, 'per')) }, name)
    if (name !== '' && rate !== undefined && !rates.has(name)) rates.set(name, rate)
  }
  return rates
}
