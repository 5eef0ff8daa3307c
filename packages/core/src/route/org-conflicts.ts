/**
 * Finds where an API takes part in the APIs of other organisations: a listen path that takes their requests, a loop into
 * their APIs, or versions of one family. Source: docs/dashboard.md#shared-paths.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { loopName } from '../definition/api-names.ts'
import { type ClassicDefinition, classicShape } from '../definition/classic.ts'
import { parseHostName } from '../definition/listen-path.ts'
import { listensOn } from '../definition/listen-port.ts'
import { isUnresolved } from '../definition/resolve-secrets.ts'
import { anyPort, type PortRules } from '../http/listen-address.ts'
import { isJson } from '../lib/json.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import { decodePercent } from '../lib/text/percent.ts'

export interface OrgConflict {
  /** In the definition of the API. */
  readonly path: JsonPath
  /** Begins with a verb: the subject is the value at the path. */
  readonly reason: string
}

export interface OrgConflictOptions {
  readonly vendor: string
  /** Whether domains of definitions count. */
  readonly customDomains: boolean
  readonly ports?: PortRules | undefined
}

/** What is compared. Both a definition that is served and one that may still be invalid for serving have it. */
type Compared = Pick<ApiDefinition, 'id' | 'name' | 'listenPath' | 'domain' | 'internal' | 'port' | 'document'>

/** `foreign`: the APIs of other organisations. */
export function findOrgConflicts(
  document: ClassicDefinition,
  foreign: readonly ApiDefinition[],
  options: OrgConflictOptions,
): readonly OrgConflict[] {
  const { apiId: id, name, internal, proxy, domainDisabled } = document
  const own = { id, name, internal, document, port: listensOn(document, options.ports ?? anyPort).port }
  const domain = domainDisabled ? '' : document.domain.trim().toLowerCase()
  const api: Compared = { ...own, domain, listenPath: `/${proxy.listenPath.replace(/^\//, '')}` }
  const loops = loopsOf(api, options.vendor)
  const segments = segmentsOf(api.listenPath)
  const conflicts: OrgConflict[] = []
  for (const other of foreign) {
    const known = factsOf(other, options.vendor)
    const path = pathConflict(api, segments, other, known, options)
    if (path !== undefined) conflicts.push(path)
    for (const loop of loops) {
      if (loop.name.includes('$') || isNamed(other, loop.name)) conflicts.push(loopInto(loop.path, other))
    }
    if (known.loops.some((loop) => isNamed(api, loop) && !isNamed(other, loop))) {
      conflicts.push({ path: ['api_id'], reason: `is a name that ${describe(other)} loops to` })
    }
    conflicts.push(...versionConflicts(api, other, known))
  }
  return conflicts
}

/** What is compared of an API that is served. */
interface Facts {
  readonly segments: readonly string[]
  readonly loops: readonly string[]
  readonly versions: ReadonlySet<string>
}

/** Definitions do not change, so each is read once, however many APIs it is compared with. */
const facts = new WeakMap<ApiDefinition, Facts>()

function factsOf(api: ApiDefinition, vendor: string): Facts {
  const known = facts.get(api)
  if (known !== undefined) return known
  const { proxy, versionData, definition } = api.document
  const rewrites = Object.values(versionData.versions ?? {}).flatMap(({ overrideTarget, extendedPaths }) => [
    overrideTarget,
    ...(extendedPaths.urlRewrites ?? []).flatMap(({ rewriteTo, triggers }) => [
      rewriteTo,
      ...(triggers ?? []).map((trigger) => trigger.rewriteTo),
    ]),
  ])
  const made = {
    segments: segmentsOf(api.listenPath),
    loops: [proxy.targetUrl, ...(proxy.targetList ?? []), ...rewrites].flatMap((url) => loopIn(url, vendor) ?? []),
    versions: new Set(Object.values(definition.versions ?? {})),
  }
  facts.set(api, made)
  return made
}

function describe({ id, orgId }: ApiDefinition): string {
  return `the API "${id}" of ${orgId === '' ? 'no organisation' : `organisation "${orgId}"`}`
}

function loopInto(path: JsonPath, other: ApiDefinition): OrgConflict {
  return { path, reason: `can loop into ${describe(other)}` }
}

function pathConflict(
  api: Compared,
  own: readonly string[],
  other: ApiDefinition,
  { segments: theirs }: Facts,
  { customDomains }: OrgConflictOptions,
): OrgConflict | undefined {
  if (api.internal || other.internal || api.port !== other.port) return undefined
  const unresolved = [api.listenPath, ...(customDomains ? [api.domain] : [])].findIndex(isUnresolved)
  if (unresolved !== -1) {
    const reason = `is a reference, so it cannot be compared with the listen path of ${describe(other)}`
    return { path: unresolved === 0 ? ['proxy', 'listen_path'] : ['domain'], reason }
  }
  // The listen path `/` is for all requests that no other API has.
  if (theirs.length === 0 && own.length > 0) return undefined
  // Without a slash at its end, `/orders` also gets requests for `/orders2`.
  const isPrefix = !other.listenPath.endsWith('/') && api.listenPath.startsWith(other.listenPath)
  const isInside =
    isPrefix || (own.length >= theirs.length && theirs.every((segment, i) => canEqual(segment, own[i] ?? '')))
  if (!isInside || (customDomains && !shareHost(api.domain, other.domain))) return undefined
  const reason = `is "${api.listenPath}", which takes requests of ${describe(other)}`
  return { path: ['proxy', 'listen_path'], reason }
}

/** An API without a domain serves every host, so a domain takes requests from it. */
function shareHost(own: string, theirs: string): boolean {
  if (theirs === '' || own.toLowerCase() === theirs.toLowerCase()) return true
  if (own === '') return false
  if (own.includes('{') && theirs.includes('{')) return true
  const [pattern, host] = own.includes('{') ? [own, theirs] : [theirs, own]
  const parsed = parseHostName(pattern)
  return parsed.problem === undefined && (parsed.pattern?.test(host) ?? false)
}

function segmentsOf(listenPath: string): readonly string[] {
  return decodePercent(listenPath)
    .split('/')
    .filter((segment) => segment !== '')
}

/** A variable can stand for the other segment. */
function canEqual(a: string, b: string): boolean {
  return a === b || a.includes('{') || b.includes('{')
}

function isNamed({ id, name }: Compared, text: string): boolean {
  return [id, name].some((own) => own !== '' && loopName(own) === loopName(text))
}

interface Loop {
  readonly path: JsonPath
  readonly name: string
}

/** Every text of the definition that is the URL of a loop: targets, rewrites, triggers, targets of versions. */
function loopsOf({ document }: Compared, vendor: string): readonly Loop[] {
  const found: Loop[] = []
  const visit = (value: unknown, path: JsonPath): void => {
    if (typeof value === 'string') {
      const name = loopIn(value, vendor)
      if (name !== undefined) found.push({ path, name })
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, [...path, i])
    } else if (isJson(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, [...path, name])
    }
  }
  visit(classicShape.write(document), [])
  return found
}

function versionConflicts({ id, document }: Compared, other: ApiDefinition, { versions }: Facts): OrgConflict[] {
  const own = Object.entries(document.definition.versions ?? {}).filter(([, versionId]) => versionId === other.id)
  return [
    ...own.map(([name]) => ({
      path: ['definition', 'versions', name],
      reason: `names ${describe(other)} as a version`,
    })),
    ...(versions.has(id) ? [{ path: ['api_id'], reason: `is a version of ${describe(other)}` }] : []),
  ]
}

/** The API that the URL of a loop names; `undefined`: it is no loop, or one to the API itself. */
function loopIn(url: string, vendor: string): string | undefined {
  const start = vendor.length + '://'.length
  if (url.slice(0, start).toLowerCase() !== `${vendor}://`) return undefined
  const [name = ''] = url.slice(start).split(/[/?#]/, 1)
  return name === 'self' ? undefined : name
}
