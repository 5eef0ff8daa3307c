/**
 * Rate and quota of the key, in one store operation. The quota counts a request even if a later stage rejects it.
 * Source: docs/reference/quotas.md#quota-counting, docs/reference/rate-limits.md#rate-limit-scopes.
 *
 * Throttling waits on the clock port. If the client disconnects during the wait, the request ends and counts no further.
 */
import { type Rejection, rejections } from '../../http/rejections.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { QuotaResult } from '../../ports/quota.ts'
import type { RateResult } from '../../ports/rate-limit.ts'
import type { Counter, CounterStore } from '../../ports/store.ts'
import { type ApiAccess, counterOfEndpoint } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { noteQuota, noteRate } from '../shared/limit-notes.ts'
import { makeFireRequestEvent, type RequestEvent } from '../shared/request-events.ts'

type Results = { readonly rate: RateResult | undefined; readonly quota: QuotaResult | undefined }

const smoothingEvents: Readonly<Record<'up' | 'down', RequestEvent>> = {
  up: { name: 'RateLimitSmoothingUp', message: 'Rate limit increased with smoothing' },
  down: { name: 'RateLimitSmoothingDown', message: 'Rate limit decreased with smoothing' },
}

export const makeKeyLimits: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (api.authModes.length === 0) return null
  const { counters } = services.store
  const fire = makeFireRequestEvent(compileContext)

  // Fired here, because a later stage may replace `context.rate`, and an API that a loop leaves records nothing.
  const reportMove = (context: RequestContext, rate: RateResult | undefined) => {
    if (rate?.allowanceMoved !== undefined) fire?.(smoothingEvents[rate.allowanceMoved], context, '')
  }

  const settle = (context: RequestContext, counter: Counter, results: Results): Maybe<Outcome> => {
    reportMove(context, results.rate)
    const rejection = applyResults(context, counter, results, compileContext)
    const throttle = context.access?.throttle
    if (results.rate?.allowed !== false || throttle === undefined || context.trace?.dry) return rejection
    return wait(context, counter, throttle)
  }

  /**
   * Waits and retries until the rate admits the request, the retries are used up or the client disconnects. As in the
   * original gateway, checking the rate counts a request, except with the algorithm `local`.
   */
  const wait = async (
    context: RequestContext,
    counter: Counter,
    { retries, intervalMs }: NonNullable<ApiAccess['throttle']>,
  ): Promise<Outcome> => {
    const rateOnly = { ...counter, quota: undefined }
    const checkAmount = counter.rate?.algorithm === 'local' ? 0 : 1
    const disconnected = new Promise<'disconnected'>((resolve) => {
      context.request.onAbort(() => resolve('disconnected'))
    })
    const pause = () =>
      Promise.race([disconnected, new Promise<void>((resolve) => services.clock.after(intervalMs, resolve))])
    try {
      for (let tried = 0; tried < retries; tried++) {
        if ((await pause()) === 'disconnected') return rejections.clientGone
        const check = await counters.consume(rateOnly, checkAmount)
        reportMove(context, check.rate)
        if (check.rate?.allowed === false) continue
        const results = await counters.consume(counter, 1)
        reportMove(context, results.rate)
        const rejection = applyResults(context, counter, results, compileContext)
        if (results.rate?.allowed !== false) return rejection
      }
      return (await pause()) === 'disconnected' ? rejections.clientGone : rejections.rateExceeded
    } finally {
      context.request.onAbort(undefined)
    }
  }

  const count = (context: RequestContext, access: ApiAccess, plain: Counter): Maybe<Outcome> => {
    const endpoint = access.endpointRate?.(context.request.method, decodePercent(context.pathWithVersion))
    if (endpoint?.isBroken) {
      context.trace?.note('a path in the endpoint rates of the key is not a valid pattern')
      return rejections.ruleBroken
    }
    const counter = endpoint === undefined ? plain : counterOfEndpoint(plain, endpoint)
    if (counter.rate === undefined && counter.quota === undefined) return undefined
    return when(counters.consume(counter, context.trace?.dry ? 0 : 1), (results) => settle(context, counter, results))
  }

  return {
    run(context) {
      const { access, counter } = context
      if (access === undefined || counter === undefined || context.skipsLimits) return undefined
      if (!api.document.disableQuota) return count(context, access, counter)
      return when(readElsewhere(context, counter, counters), () => count(context, access, counter))
    },
  }
}

/** Reads what the other APIs of the key counted. Only headers need it, so a failure of the store rejects no request. */
function readElsewhere(context: RequestContext, counter: Counter, counters: CounterStore): Maybe<void> {
  const { key, api } = context
  if (key === undefined || key.storedQuotaOn(api).max <= 0) return
  const state = counters.readQuota({ ...counter, endpoint: '' })
  return when(isPromise(state) ? state.catch(() => undefined) : state, (read) => {
    context.quotaElsewhere = read
  })
}

/** Records the results for headers, monitors and the trace. Returns the rejection if a limit is exceeded. */
function applyResults(
  context: RequestContext,
  counter: Counter,
  { rate, quota }: Results,
  { services }: CompileContext,
): Rejection | undefined {
  const { keys } = services.settings
  if (rate !== undefined && counter.rate !== undefined) {
    context.rate = rate
    context.rateLimit = counter.rate
    if (context.trace !== undefined) noteRate(context.trace, counter, rate, keys)
    if (!rate.allowed) return rejections.rateExceeded
  }
  if (quota === undefined) return undefined
  context.quota = quota
  if (context.trace !== undefined) noteQuota(context.trace, counter, quota, keys)
  return quota.allowed ? undefined : rejections.quotaExceeded
}
