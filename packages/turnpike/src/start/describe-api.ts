/** Describes one API for the list in the start banner. */
import { type ApiDefinition, documentWithReferences } from '@turnpike/core/definition'
import { canonicalName, isStream } from '@turnpike/core/http'

export interface ApiLine {
  readonly name: string
  /** Listen path, with host and TCP port if the API has its own. */
  readonly listenPath: string
  readonly target: string
  /** How callers authenticate: "open", "key in header Authorization", … */
  readonly access: string
  /** Versions, and settings that may not have the expected effect. */
  readonly notes: readonly string[]
}

export function describeApi(api: ApiDefinition): ApiLine {
  return {
    name: api.name === '' ? api.id : api.name,
    listenPath: api.internal ? '(internal)' : placeOf(api),
    target: shownTarget(documentWithReferences(api).proxy.targetUrl),
    access: accessOf(api),
    notes: notesOf(api),
  }
}

/** Returns a target URL without user, password and query, since these can contain credentials. */
export function shownTarget(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/, '')
}

/** Returns `orders.example.com:9001/orders/`, without the gateway's own port, prefixed by any protocol but HTTP. */
function placeOf(api: ApiDefinition): string {
  const { port, protocol, domain, listenPath } = api
  if (port === 0) return `${domain}${listenPath}`
  if (isStream(api)) return `${protocol} :${port}`
  return `${protocol === 'http' ? '' : `${protocol} `}${domain}:${port}${listenPath}`
}

function accessOf(api: ApiDefinition): string {
  if (isStream(api)) return 'open, bytes as they are'
  if (api.authModes.length === 0) return 'open'
  const accessBy = (mode: string) => (mode === 'token' ? tokenAccess(api) : mode)
  if (api.authGroups === undefined) return api.authModes.map(accessBy).join(' and ')
  const groups = api.authGroups.map((group) => group.map(({ name, mode }) => accessBy(mode ?? name)).join(' and '))
  return groups.map((group) => (group === '' ? 'open' : group)).join(', or ')
}

function tokenAccess({ tokenPlaces: { header, param, cookie } }: ApiDefinition): string {
  const places = [
    header === undefined ? undefined : `header ${canonicalName(header)}`,
    param === undefined ? undefined : `parameter ${param}`,
    cookie === undefined ? undefined : `cookie ${cookie}`,
  ]
  return `key in ${places.filter((place) => place !== undefined).join(' or ')}`
}

function notesOf(api: ApiDefinition): string[] {
  const notes: string[] = []
  if (api.versioning.kind === 'named') {
    const { location, key } = api.versioning
    const where =
      location === 'url'
        ? 'the path'
        : `${location === 'header' ? 'header' : 'parameter'} ${location === 'header' ? canonicalName(key) : key}`
    notes.push(`versions ${[...api.versions.keys()].join(', ')} by ${where}`)
  }
  if (!api.active) notes.push('says "active": false and is served all the same')
  return notes
}
