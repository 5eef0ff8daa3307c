/** Finds ignored and allowed patterns that match every path of an API, although they look like a rule for one. */
import type { ApiDefinition, ApiVersion } from '@turnpike/core/definition'
import type { StageName } from '@turnpike/core/pipeline'
import { rightPlace } from '../find-limit-field.ts'
import type { Sandbox } from '../gateway-sandbox.ts'
import { formsOf, speaksOf } from '../path-samples.ts'
import { requestFor, whyNoRequest } from '../possible-requests.ts'
import type { Warning } from '../warning.ts'
import { type Facts, grants } from './warning-facts.ts'

/** Paths that have nothing in common; a pattern that matches all of them restricts nothing. */
const unrelatedPaths = ['/', '/verify-1/a', '/b.verify-2/3/c', '/UPPER~4']

export async function patternsCoverAll(sandbox: Sandbox, facts: Facts): Promise<Warning[]> {
  const ofApis: Warning[] = []
  for (const api of facts.apis) {
    for (const version of api.versions.values()) ofApis.push(...(await ofLists(sandbox, api, version)))
  }
  const ofKeys = grants(facts).flatMap(({ plan, api, limits: { allowedUrls } }): Warning[] =>
    allowedUrls.flatMap(({ url, methods }) => {
      // By itself such an entry restricts methods, but it makes others superfluous.
      const others = allowedUrls.filter((other) => other.url !== url && !coversAll(api, other.url))
      const idle = others.find((other) => (other.methods ?? []).every((method) => (methods ?? []).includes(method)))
      if (idle === undefined || !coversAll(api, url)) return []
      return [
        {
          kind: 'pattern-covers-all',
          source: plan.words,
          sentence: `the path "${url}" in allowed_urls of ${plan.words} matches every path of "${api.id}", so that "${idle.url}" restricts nothing`,
          fix: `anchor the pattern: ${anchored(url)}, or remove "${idle.url}"`,
          place: { ...rightPlace(plan, api.id), path: ['access_rights', api.id, 'allowed_urls'] },
        },
      ]
    }),
  )
  return [...ofApis, ...ofKeys]
}

async function ofLists(sandbox: Sandbox, api: ApiDefinition, version: ApiVersion): Promise<Warning[]> {
  if (whyNoRequest(api) !== undefined) return []
  const found: Warning[] = []
  const add = (list: string, sentence: string, pattern: string, otherwise: string) =>
    found.push({
      kind: 'pattern-covers-all',
      source: api.source,
      sentence,
      fix: `anchor the pattern: ${anchored(pattern)}, or ${otherwise}`,
      place: { of: 'api', id: api.id, path: ['version_data', 'versions', version.name, 'extended_paths', list] },
    })
  // The gateway decides, because its settings can anchor patterns.
  const look = (method: string) =>
    sandbox.inspect(requestFor({ api, version, method: method || 'GET', path: '/verify-1/a' }, undefined))
  for (const { path, method } of version.paths.ignored) {
    if (api.authModes.length === 0 || !coversAll(api, path) || (await look(method)).rejected) continue
    const sentence = `the ignored path "${path}" of "${api.id}" matches every path: ${requestsOf(method)} need no key, and no limit counts them`
    add('ignored', sentence, path, 'make the API keyless')
  }
  const { whiteList } = version.paths
  for (const { path, method } of whiteList) {
    if (!coversAll(api, path) || (await look(method)).stage === ('path-lists' satisfies StageName)) continue
    // With a method, the entry restricts methods, unless another entry is meant to restrict their paths.
    const isIdle = whiteList.some((other) => other.method === method && !coversAll(api, other.path))
    if (method !== '' && !isIdle) continue
    const sentence = `the allowed path "${path}" of "${api.id}" matches every path: the list of allowed paths lets ${requestsOf(method)} pass`
    add('white_list', sentence, path, 'leave the list out')
  }
  return found
}

function anchored(pattern: string): string {
  return `^${pattern.replace(/^\^|\$$/g, '')}$`
}

function requestsOf(method: string): string {
  return method === '' ? 'all requests' : `all ${method} requests`
}

/** Returns true if a pattern matches each of several unrelated paths. */
export function coversAll(api: ApiDefinition, pattern: string): boolean {
  return unrelatedPaths.every((path) => speaksOf({ path: pattern }, '', formsOf(api, path)))
}
