/** The callers of a simulation: one key of each kind that the user's files define, with its requests and limits. */

import type { PlannedLimit } from '@turnpike/cluster-sim'
import { makeInjectedRequest } from '@turnpike/core/engine'
import type { GatewayRequest } from '@turnpike/core/http'
import type { Session } from '@turnpike/core/ports'
import { type Environment, type LoadedConfig, type Seed, toSession, toSettings } from 'turnpike/embedding'
import { openSandbox } from '../verify/gateway-sandbox.ts'
import { keyPlans } from '../verify/key-plan.ts'
import { requestFor } from '../verify/possible-requests.ts'
import { findTraceSubjects, type KeyKind, makeKey } from '../verify/trace-subjects.ts'
import type { Untried } from '../verify/why-not-tested.ts'

/** More callers would have so few requests each that no limit is reached. */
const maxCallers = 6

export interface Caller {
  readonly name: string
  /** Session and id of its key; `undefined` for a caller without a key. */
  readonly key: { readonly id: string; readonly session: Session } | undefined
  readonly targets: readonly CallerTarget[]
}

export interface CallerTarget {
  /** `GET /orders/items/1`. */
  readonly words: string
  makeRequest(): GatewayRequest
  /** The limits that count the request, by the name of their counter. */
  readonly limits: ReadonlyMap<string, CountedLimit>
}

export type CountedLimit = Pick<PlannedLimit, 'words' | 'what' | 'count' | 'seconds'>

export interface Callers {
  readonly callers: readonly Caller[]
  /** What no request of the simulation tries, with the reason. */
  readonly untried: readonly Untried[]
}

/** Finds the callers in a sandbox of the gateway. Rejects if the configuration is invalid. */
export async function findCallers(
  loaded: LoadedConfig,
  environment: Environment,
  seed: Seed | undefined,
): Promise<Callers> {
  const sandbox = await openSandbox({ loaded, environment, seed })
  try {
    const plans = keyPlans(sandbox.engine.policies(), seed)
    const facts = { settings: toSettings(loaded.config), seed }
    const { keyKinds, untried } = await findTraceSubjects(sandbox, plans, facts)
    const callers: Caller[] = []
    for (const [i, kind] of keyKinds.slice(0, maxCallers).entries()) {
      const id = `sim-${i + 1}`
      const credential = kind.plan === undefined ? undefined : await makeKey(sandbox, kind.plan, id)
      if (credential !== undefined && 'problem' in credential) throw new Error(credential.problem)
      callers.push(callerOf(kind, id, credential))
    }
    const left = keyKinds.slice(maxCallers).map((kind) => ({
      what: nameOf(kind),
      why: `the simulation has at most ${maxCallers} callers`,
    }))
    return { callers, untried: [...untried, ...left] }
  } finally {
    await sandbox.close()
  }
}

function callerOf(kind: KeyKind, id: string, credential: Parameters<typeof requestFor>[1]): Caller {
  const name = nameOf(kind)
  return {
    name,
    key: kind.plan === undefined ? undefined : { id, session: toSession(kind.plan.document) },
    targets: kind.limitedTargets.map(({ target, limits }) => {
      const request = requestFor(target, credential)
      return {
        words: `${request.method} ${request.url}${target.api.versioning.kind === 'named' ? ` (${target.version.name})` : ''}`,
        makeRequest: () => makeInjectedRequest(request),
        limits: new Map(
          limits.map(({ counter, words, what, amount: { count, seconds } }) => [
            `${counter.replace('{key}', name)} ${what}`,
            { words, what, count, seconds },
          ]),
        ),
      }
    }),
  }
}

function nameOf({ plan, limitedTargets }: KeyKind): string {
  return plan?.words ?? `a caller without a key on "${limitedTargets[0]?.target.api.id ?? ''}"`
}
