/**
 * Generates a request for each version of each API that should pass its whole chain, with a key that the benchmark
 * creates if the API requires one. Requests that cannot be generated (signed tokens, bodies required by a schema)
 * come from `--requests`.
 */
import type { ApiDefinition, ApiVersion } from '@turnpike/core/definition'
import type { Engine } from '@turnpike/core/engine'
import type { OAuth } from '@turnpike/mgmt-api'
import type { Gateway, SessionDocument } from 'turnpike/embedding'

/** A request as the benchmark sends it. */
export interface SampleRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request to measure, with the API that handles it. */
export interface BenchTarget {
  /** Name of the API and, if it has several, of the version. */
  readonly name: string
  readonly api: ApiDefinition
  /** Name of the version; empty if the API has one version, and for a request of the user. */
  readonly version: string
  readonly request: SampleRequest
}

/** Returns the handler of the TCP port on which the API is served. */
export function handleOf(
  engine: Pick<Engine, 'handle' | 'handleOn'>,
  { api }: Pick<BenchTarget, 'api'>,
): Engine['handle'] {
  return api.port === 0 ? engine.handle : engine.handleOn(api.port)
}

const password = 'bench-password'
const oauthClient = 'turnpike-bench'

/** Returns the requests for an API, which the report calls `apiName`, and creates the key they use. Rejects if the gateway does not allow the key. */
export async function sampleRequests(
  api: ApiDefinition,
  apiName: string,
  gateway: Pick<Gateway, 'keys'>,
  oauth: OAuth,
  now: number,
): Promise<BenchTarget[]> {
  const credential = await makeCredential(api, gateway, oauth)
  const living = [...api.versions.values()].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
  return living.map((version) => {
    const place = placeOf(api, version)
    const headers = {
      ...(api.domain === '' ? {} : { host: api.domain }),
      'user-agent': 'turnpike-bench',
      accept: '*/*',
      ...place.headers,
      ...credential.headers,
    }
    const query = [place.query, credential.query].filter((part) => part !== '').join('&')
    const path = api.listenPath.replace(/\/$/, '') + place.segment + pathOf(version)
    const versionName = api.versions.size > 1 ? version.name : ''
    const name = versionName === '' ? apiName : `${apiName} ${versionName}`
    return {
      name,
      api,
      version: versionName,
      request: { method: 'GET', url: query === '' ? path : `${path}?${query}`, headers },
    }
  })
}

/** Adds the version to a request where the definition expects it. */
function placeOf({ versioning }: ApiDefinition, { name }: ApiVersion) {
  const nowhere = { headers: {} as Record<string, string>, query: '', segment: '' }
  if (versioning.kind !== 'named') return nowhere
  const { location, key } = versioning
  if (location === 'header') return { ...nowhere, headers: { [key]: name } }
  if (location === 'url') return { ...nowhere, segment: `/${name}` }
  return { ...nowhere, query: `${encodeURIComponent(key)}=${encodeURIComponent(name)}` }
}

/** If only some paths are allowed, returns the first of them. */
function pathOf({ paths }: ApiVersion): string {
  const allowed = paths.whiteList[0]?.path ?? '/bench'
  const filled = allowed.replaceAll(/\{[^}]*\}/g, '1').replaceAll(/[\^$*()]|\.\*/g, '')
  return filled.startsWith('/') ? filled : `/${filled}`
}

async function makeCredential(api: ApiDefinition, gateway: Pick<Gateway, 'keys'>, oauth: OAuth) {
  const nothing = { headers: {} as Record<string, string>, query: '' }
  const [mode] = api.authModes
  if (mode === undefined) return nothing
  const id = `bench-${api.id}`
  const session = sessionFor(api)
  if (mode === 'basic') {
    await gateway.keys.create({ ...session, basic_auth_data: { password } }, { id })
    return { ...nothing, headers: { authorization: `Basic ${btoa(`${id}:${password}`)}` } }
  }
  if (mode === 'oauth') {
    const client = {
      id: oauthClient,
      secret: '',
      redirectUri: '',
      metaData: undefined,
      policyId: '',
      description: '',
      exactRedirect: true,
    }
    await oauth.of(api).clients.put(client)
    const { key } = await gateway.keys.create({ ...session, oauth_client_id: oauthClient }, { id })
    return { ...nothing, headers: { authorization: `Bearer ${key}` } }
  }
  const { key } = await gateway.keys.create(session, { id })
  const { header, param } = api.tokenPlaces
  if (header !== undefined) return { ...nothing, headers: { [header]: key } }
  return { ...nothing, query: `${encodeURIComponent(param ?? 'key')}=${encodeURIComponent(key)}` }
}

/** Creates a key whose limits are checked and counted at every request, but are never reached. */
function sessionFor({ id, name, orgId, versions }: ApiDefinition): SessionDocument {
  const limits = { rate: 1e9, per: 60, quota_max: 1e9, quota_renewal_rate: 3600 }
  const rights = { [id]: { api_id: id, api_name: name, versions: [...versions.keys()] } }
  return { org_id: orgId, alias: 'turnpike bench', ...limits, access_rights: rights }
}
