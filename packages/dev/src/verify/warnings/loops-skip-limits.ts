/** Finds requests that one API forwards to another inside the gateway, bypassing the other API's limits. */
import type { ApiDefinition } from '@turnpike/core/definition'
import { vendorForms } from '@turnpike/core/lib'
import { limitWords, quoted } from '../format-text.ts'
import { globalRate } from '../limits-of-request.ts'
import type { Warning } from '../warning.ts'
import { type Facts, grants } from './warning-facts.ts'

export function loopsSkipLimits(facts: Facts): Warning[] {
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
          if (/[?&]check_limits=true(&|$)/.test(to)) return []
          return [skipped(api, other, version.name, `${rule.method} ${rule.path} of "${api.id}"`, limits)]
        })
      }),
    ),
  )
}

function skipped(
  api: ApiDefinition,
  other: ApiDefinition,
  version: string,
  from: string,
  limits: readonly string[],
): Warning {
  return {
    kind: 'limit-skipped',
    source: api.source,
    sentence: `${from} continues to "${other.id}" inside the gateway, without the limits there: ${limits.join('; ')}`,
    fix: 'put check_limits=true behind the target of the rewrite',
    place: { of: 'api', id: api.id, path: ['version_data', 'versions', version, 'extended_paths', 'url_rewrites'] },
  }
}

/** Rewrites refer to APIs by ID or by name, ignoring case and punctuation. */
function findApi(apis: readonly ApiDefinition[], name: string): ApiDefinition | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const wanted = plain(decodeURIComponent(name))
  return apis.find(({ id }) => plain(id) === wanted) ?? apis.find((api) => plain(api.name) === wanted)
}

function limitsOf(api: ApiDefinition, facts: Facts): string[] {
  const limits: string[] = []
  const shared = api.document.disableRateLimit ? undefined : globalRate(api)
  if (shared !== undefined) limits.push(`${limitWords(shared.count, shared.seconds)} from all callers`)
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
