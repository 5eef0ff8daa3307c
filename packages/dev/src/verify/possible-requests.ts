/**
 * Builds the requests that a key can make on an API, with the key and the version where the definition expects them.
 */
import { type ApiDefinition, type ApiVersion, speaksMcp } from '@turnpike/core/definition'
import { isStream } from '@turnpike/core/http'
import { virtualEpoch } from '@turnpike/testkit'
import type { SandboxRequest } from './gateway-sandbox.ts'
import type { KeyLimits } from './limits-of-key.ts'
import { formsOf, samplesOfUrls, samplesOfVersion, speaksOf } from './path-samples.ts'

/** A key as a client has it. */
export interface Credential {
  readonly key: string
  /** Password of a basic authentication user. */
  readonly password?: string | undefined
}

/** A method and path of an API. */
export interface Target {
  readonly api: ApiDefinition
  readonly version: ApiVersion
  readonly method: string
  /** Relative to the listen path (and the version). */
  readonly path: string
}

/** Returns the reason why generated requests cannot call an API; `undefined` if they can. */
export function whyNoRequest(api: ApiDefinition): string | undefined {
  const odd = api.authModes.find((mode) => mode !== 'token' && mode !== 'basic')
  if (odd !== undefined) return `its callers prove themselves by ${odd}`
  if (api.authModes.length > 1) return 'it requires several credentials at once'
  if (api.internal) return 'it is internal'
  if (isStream(api)) return 'it passes bytes on as they are'
  if (api.family !== undefined) return 'its versions are APIs of their own'
  if (api.document.useMutualTlsAuth || api.document.auth.useCertificate) return 'it requires client certificates'
  if (speaksMcp(api.document)) return 'it speaks MCP'
  if (api.listenPath.includes('{')) return 'its listen path has variables'
  if (api.versioning.kind === 'missing-default') return 'no version of it can be meant'
  if (api.document.sessionLifetime > 0) return 'its keys are forgotten after a time'
  if (endsSoon(api.expiresAt)) return 'it expires'
  if (api.domain !== '') return 'it responds on a host of its own'
  return undefined
}

/** Later than the end of the longest trace; traces begin at the testkit's epoch. */
function endsSoon(at: number | undefined): boolean {
  return at !== undefined && at < virtualEpoch + 2 * 365 * 86_400_000
}

/** Returns the versions of the API that a key may use, without those that expire soon. */
export function openVersions(api: ApiDefinition, limits: KeyLimits | undefined): ApiVersion[] {
  const all = [...api.versions.values()].filter(({ expiresAt }) => !endsSoon(expiresAt))
  if (limits === undefined || api.versioning.kind !== 'named') return all
  return all.filter(({ name }) => limits.versions.includes(name))
}

/** Builds the request for a target; without a credential it carries none. */
export function requestFor({ api, version, method, path }: Target, credential: Credential | undefined): SandboxRequest {
  const headers: Record<string, string> = {}
  const query: string[] = []
  let url = api.listenPath.replace(/\/$/, '')
  const { versioning } = api
  if (versioning.kind === 'named') {
    if (versioning.location === 'header') headers[versioning.key] = version.name
    else if (versioning.location === 'url-param') query.push(`${versioning.key}=${encodeURIComponent(version.name)}`)
    else url += `/${version.name}`
  }
  if (credential !== undefined) addCredential(api, credential, headers, query)
  url += path + (query.length === 0 ? '' : `?${query.join('&')}`)
  const { enableIpWhitelisting, allowedIps, ipAccessControlDisabled } = api.document
  const first = enableIpWhitelisting && !ipAccessControlDisabled ? allowedIps?.[0]?.split('/')[0] : undefined
  const from = first === undefined ? {} : { remoteAddress: first }
  return { method, url, headers, ...from, ...(api.port === 0 ? {} : { port: api.port }) }
}

function addCredential(
  { authModes, tokenPlaces }: ApiDefinition,
  { key, password }: Credential,
  headers: Record<string, string>,
  query: string[],
): void {
  if (authModes.includes('basic')) {
    headers.authorization = `Basic ${btoa(`${key}:${password ?? ''}`)}`
    return
  }
  const { header, param, cookie } = tokenPlaces
  if (header !== undefined) headers[header] = key
  else if (param !== undefined) query.push(`${param}=${encodeURIComponent(key)}`)
  else if (cookie !== undefined) headers.cookie = `${cookie}=${key}`
}

/**
 * Returns the paths to test: plain ones, those with a rate of their own, and those that the key's `allowed_urls`
 * name.
 */
export function targetsOf(api: ApiDefinition, version: ApiVersion, limits: KeyLimits | undefined): Target[] {
  const named = [
    ...samplesOfVersion(version).filter(({ rule }) => rule === 'rate_limit' || rule === 'white_list'),
    ...samplesOfUrls(limits?.allowedUrls ?? []),
  ]
  const wanted = [{ method: 'GET', path: '/items/1' }, ...named, { method: 'GET', path: '/' }]
  const seen = new Set<string>()
  return wanted.flatMap(({ method, path }) => {
    const name = `${method} ${path}`
    if (seen.has(name) || isAnsweredBeforeLimits({ api, version, method, path })) return []
    seen.add(name)
    return [{ api, version, method, path }]
  })
}

/** Returns true for paths that a mock or an internal redirect handles before any limit. */
function isAnsweredBeforeLimits({ api, version: { paths }, method, path }: Target): boolean {
  const isMeant = (rule: { readonly path: string; readonly method: string }) =>
    speaksOf(rule, method, formsOf(api, path))
  const others = [...paths.ignored, ...paths.mockResponse, ...paths.urlRewrites]
  // Whether a rate applies to more than its own path depends on the gateway's path matching.
  return others.some(isMeant) || paths.rateLimit.some((rule) => isMeant(rule) && rule.path !== path)
}
