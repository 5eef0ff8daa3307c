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
  return foreign.flatMap((other) => [
    ...pathConflicts(api, other, options),
    ...loops.filter(({ name }) => name.includes('$') || isNamed(other, name)).map(({ path }) => loopInto(path, other)),
    ...loopsOf(other, options.vendor)
      .filter(({ name }) => isNamed(api, name) && !isNamed(other, name))
      .map(() => ({ path: ['api_id'], reason: `is a name that ${describe(other)} loops to` })),
    ...versionConflicts(api, other),
  ])
}

function describe({ id, orgId }: ApiDefinition): string {
  return `the API "${id}" of ${orgId === '' ? 'no organisation' : `organisation "${orgId}"`}`
}

function loopInto(path: JsonPath, other: ApiDefinition): OrgConflict {
  return { path, reason: `can loop into ${describe(other)}` }
}

function pathConflicts(api: Compared, other: ApiDefinition, options: OrgConflictOptions): OrgConflict[] {
  if (api.internal || other.internal || api.port !== other.port) return []
  if (isUnresolved(api.listenPath) || (options.customDomains && isUnresolved(api.domain))) {
    const reason = `is a reference, so it cannot be compared with the listen path of ${describe(other)}`
    return [{ path: isUnresolved(api.listenPath) ? ['proxy', 'listen_path'] : ['domain'], reason }]
  }
  if (options.customDomains && !shareHost(api.domain, other.domain)) return []
  const [own, theirs] = [segmentsOf(api.listenPath), segmentsOf(other.listenPath)]
  // The listen path `/` is for all requests that no other API has.
  if (theirs.length === 0 && own.length > 0) return []
  // Without a slash at its end, `/orders` also gets requests for `/orders2`.
  const isPrefix = !other.listenPath.endsWith('/') && api.listenPath.startsWith(other.listenPath)
  const isInside =
    isPrefix || (own.length >= theirs.length && theirs.every((segment, i) => canEqual(segment, own[i] ?? '')))
  if (!isInside) return []
  return [
    { path: ['proxy', 'listen_path'], reason: `is "${api.listenPath}", which takes requests of ${describe(other)}` },
  ]
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
  const scheme = `${vendor}://`
  const visit = (value: unknown, path: JsonPath): void => {
    if (typeof value === 'string') {
      if (!value.toLowerCase().startsWith(scheme)) return
      const [name = ''] = value.slice(scheme.length).split(/[/?#]/, 1)
      if (name !== 'self') found.push({ path, name })
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, [...path, i])
    } else if (isJson(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, [...path, name])
    }
  }
  visit(classicShape.write(document), [])
  return found
}

function versionConflicts(api: Compared, other: ApiDefinition): OrgConflict[] {
  const versionsOf = ({ document }: Compared) => Object.entries(document.definition.versions ?? {})
  return [
    ...versionsOf(api)
      .filter(([, id]) => id === other.id)
      .map(([name]) => ({ path: ['definition', 'versions', name], reason: `names ${describe(other)} as a version` })),
    ...versionsOf(other)
      .filter(([, id]) => id === api.id)
      .map(() => ({ path: ['api_id'], reason: `is a version of ${describe(other)}` })),
  ]
}
