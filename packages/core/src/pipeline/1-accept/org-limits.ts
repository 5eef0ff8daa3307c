/**
 * Rate and quota of the organisation, over all its keys and APIs; those of a key are counted in
 * `3-admit/key-limits.ts`. Counts every request that reaches this stage, also if a later stage rejects it
 * (docs/reference/organisation-sessions.md#organisation-enforcement).
 */
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { OrgEntry } from '../../session/org-session-cache.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { noteQuota, noteRate } from '../shared/limit-notes.ts'

type Verdict = Rejection | undefined

export const makeOrgLimits: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  const { enforceOrgQuotas, orgOffThread } = services.settings.limits
  if (!enforceOrgQuotas || api.orgId === '') return null
  const check = makeCheck(compileContext)
  const run = (context: RequestContext) =>
    context.org === undefined || context.skipsLimits ? undefined : check(context.org, context)
  return { withoutStore: 'as-configured', run: orgOffThread ? inBackground(run, compileContext) : run }
}

/** Checks the rate first; a request over the rate does not consume quota. */
function makeCheck({ api, services }: CompileContext): (org: OrgEntry, context: RequestContext) => Maybe<Verdict> {
  const { counters } = services.store
  const { keys } = services.settings

  return (org, context) => {
    if (!org.opens(api.id)) return rejections.orgRate
    const { counter } = org
    if (counter.rate === undefined && counter.quota === undefined) return undefined
    return when(counters.consume(counter, context.trace?.dry ? 0 : 1), ({ rate, quota }) => {
      if (rate !== undefined && context.trace !== undefined) noteRate(context.trace, counter, rate, keys)
      if (rate?.allowed === false) return rejections.orgRate
      if (quota === undefined) return undefined
      context.orgQuota = quota
      if (context.trace !== undefined) noteQuota(context.trace, counter, quota, keys)
      return quota.allowed ? undefined : rejections.orgQuota
    })
  }
}

/**
 * `experimental_process_org_off_thread`: the check does not delay the request. Its result applies to later requests.
 */
function inBackground(run: (context: RequestContext) => Maybe<Verdict>, { api, services }: CompileContext) {
  let isRejecting = false
  return (context: RequestContext): Verdict => {
    const isRejected = isRejecting
    Promise.resolve(run(context)).then(
      (verdict) => {
        isRejecting = verdict !== undefined
      },
      (cause: unknown) =>
        services.log.error('the check of the organisation failed', { api: api.id, cause: String(cause) }),
    )
    return isRejected ? rejections.orgOffThread : undefined
  }
}
