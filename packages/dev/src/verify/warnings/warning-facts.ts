/** The data that all checks for warnings use. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { KeyPlan } from '../key-plan.ts'
import type { KeyLimits } from '../limits-of-key.ts'
import type { GatewayFacts } from '../limits-of-request.ts'

export interface PlanFacts {
  readonly plan: KeyPlan
  readonly limits: ReadonlyMap<string, KeyLimits>
}

export interface Facts extends GatewayFacts {
  /** The definitions as served. */
  readonly apis: readonly ApiDefinition[]
  readonly plans: readonly PlanFacts[]
}

/** Returns each API that a kind of key can access, with its limits there. */
export function grants(facts: Facts): { plan: KeyPlan; api: ApiDefinition; limits: KeyLimits }[] {
  const apis = new Map(facts.apis.map((api) => [api.id, api]))
  return facts.plans.flatMap(({ plan, limits }) =>
    [...limits.values()].flatMap((one) => {
      const api = apis.get(one.apiId)
      return api === undefined ? [] : [{ plan, api, limits: one }]
    }),
  )
}
