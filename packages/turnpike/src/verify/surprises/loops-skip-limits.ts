/** Requests that one API sends on to another inside the gateway, past the other's limits. */
import { type ApiDefinition, type ApiVersion, vendorForms } from '@turnpike/core'
import { speaksOf } from '../path-samples.ts'
import type { Surprise } from '../surprise.ts'
import { limitWords, quoted } from '../words.ts'
import { type Facts, grants } from './facts.ts'

export function loopsSkipLimits(facts: Facts): Surprise[] {
  const scheme = `${vendorForms(facts.settings.vendor).lower}://`
  return facts.apis.flatMap((api) =>
    [...api.versions.values()].flatMap((version) =>
      version.paths.urlRewrites.flatMap((rule) => {
        const targets = [rule.rewriteTo, ...(rule.triggers ?? []).map(({ rewriteTo }) => rewriteTo)]
        return targets.flatMap((to) => {
          if (!to.toLowerCase().startsWith(scheme)) return []
          const [name = ''] = to.slice(scheme.length).split(/[/?#]/, 1)
          const other = findApi(facts.apis, name)
          const limits = other === undefined || other === api ? [] : limitsOf(other, facts)
          if (other === undefined || limits.length === 0) return []
          const checks = /[?&]check_limits=true(&|$)/.test(to)
          const from = `${rule.method} ${rule.path} of "${api.id}"`
          if (checks && !caches(api, version, rule)) return []
          return [checks ? cached(api, other, from, limits) : skipped(api, other, from, limits)]
        })
      }),
    ),
  )
}

function skipped(api: ApiDefinition, other: ApiDefinition, from: string, limits: readonly string[]): Surprise {
  return {
    kind: 'limit-skipped',
    source: api.source,
    sentence: `${from} goes on to "${other.id}" inside the gateway, past the limits there: ${limits.join('; ')}`,
    wayOut: 'put check_limits=true behind the target of the rewrite',
  }
}

function cached(api: ApiDefinition, other: ApiDefinition, from: string, limits: readonly string[]): Surprise {
  return {
    kind: 'limit-skipped',
    source: api.source,
    sentence: `${from} goes on to "${other.id}", but "${api.id}" keeps the answers: those given from its cache skip the limits of "${other.id}": ${limits.join('; ')}`,
    wayOut: `cache in "${other.id}" instead, behind its limits`,
  }
}

/** As rewrites name APIs: by id or by name, cases and signs apart. */
function findApi(apis: readonly ApiDefinition[], name: string): ApiDefinition | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const wanted = plain(decodeURIComponent(name))
  return apis.find(({ id }) => plain(id) === wanted) ?? apis.find((api) => plain(api.name) === wanted)
}

function caches(api: ApiDefinition, { paths }: ApiVersion, rule: { path: string; method: string }): boolean {
  const { enableCache, cacheAllSafeRequests } = api.document.cacheOptions
  if (!enableCache) return false
  const isSafe = rule.method === '' || rule.method === 'GET' || rule.method === 'HEAD'
  if (cacheAllSafeRequests && isSafe) return true
  const simple = isSafe && paths.cache.some((path) => speaksOf({ path }, rule.method, rule.path))
  return simple || paths.advanceCacheConfig.some((one) => speaksOf(one, rule.method, rule.path))
}

function limitsOf(api: ApiDefinition, facts: Facts): string[] {
  const { globalRateLimit, disableRateLimit } = api.document
  const limits: string[] = []
  if (!disableRateLimit && !globalRateLimit.disabled && globalRateLimit.rate > 0) {
    limits.push(`${limitWords(globalRateLimit.rate, globalRateLimit.per)} from all callers`)
  }
  const ofKeys = grants(facts).filter(
    ({ api: granted, limits: { rate, quota } }) => granted === api && (rate !== undefined || quota !== undefined),
  )
  const ids = [
    ...new Set(ofKeys.flatMap(({ plan }) => (plan.source === 'policy' ? plan.policies.map(({ id }) => id) : []))),
  ]
  if (api.authModes.length > 0 && ids.length > 0)
    limits.push(`${ids.length === 1 ? 'policy' : 'policies'} ${quoted(ids)}`)
  return limits
}
