/** Counts requests for custom stages in the store. */
import { type Counter, counterKey } from '../../ports/store.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { StageLimit, StageLimitResult } from './custom-stage.ts'

export interface Consumption {
  readonly stage: string
  readonly name: string
  readonly limit: StageLimit
}

/** Counts one request; none in a dry run. Rejects with a `TypeError` for an invalid limit. */
export async function consumeLimit(
  { stage, name, limit: { limit, seconds } }: Consumption,
  { trace }: RequestContext,
  { api, services }: CompileContext,
): Promise<StageLimitResult> {
  if (!(Number.isInteger(limit) && limit > 0 && seconds > 0)) {
    throw new TypeError(`a limit needs a whole number of requests and seconds above 0, given: ${limit} in ${seconds} s`)
  }
  const id = { subject: `stage-${stage}-${api.orgId}${api.id}-${name}`, kind: 'api', scope: '', endpoint: '' } as const
  const counter: Counter = {
    ...id,
    id: counterKey(id),
    generation: '',
    rate: undefined,
    quota: { max: limit, renewalSeconds: seconds },
  }
  const { quota } = await services.store.counters.consume(counter, trace?.dry ? 0 : 1)
  if (quota === undefined) throw new Error('the store returned no quota')
  trace?.note(`counter ${name}: ${quota.remaining} of ${limit} left`)
  return {
    allowed: quota.allowed,
    remaining: quota.remaining,
    resetAt: quota.renewsAt ?? services.clock.now() + seconds * 1000,
  }
}
