/**
 * Verifies a gateway from its files: reports the guarantees, warns about unexpected effects, and tests whether the
 * engine keeps the guarantees. This file runs the steps: `surprises/` reads the files, `scene.ts` and `trace-case.ts`
 * generate traces, `run-trace.ts` compares, and `meter.ts` is the model.
 */
import type { Store } from '@turnpike/core'
import { type Environment, type LoadedConfig, type Seed, toSettings } from 'turnpike/embedding'
import { keyPlans } from './key-plan.ts'
import type { LawFilter } from './law-filter.ts'
import { limitsOfKey } from './limits-of-key.ts'
import { type Promised, promisesOf } from './promises.ts'
import { openSandbox } from './sandbox.ts'
import { findScenes, type Untried } from './scene.ts'
import { type Broken, type Progress, search } from './search.ts'
import type { Surprise } from './surprise.ts'
import type { Facts } from './surprises/facts.ts'
import { limitsNeverReached, quotasNeverRenewed } from './surprises/limits-never-reached.ts'
import { limitsNotCounted } from './surprises/limits-not-counted.ts'
import { loopsSkipLimits } from './surprises/loops-skip-limits.ts'
import { pathSurprises } from './surprises/path-surprises.ts'
import { policiesWiden } from './surprises/policies-widen.ts'

export interface VerifyOptions {
  readonly loaded: LoadedConfig
  readonly environment: Environment
  readonly seedFile: Seed | undefined
  readonly seed: number
  readonly milliseconds: number
  readonly filter: LawFilter
  /** Whether to report warnings as well; a run for a single property does not. */
  readonly surprises: boolean
  readonly now: () => number
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Maximum number of trials for shrinking. Default 300. */
  readonly trials?: number | undefined
  /** Wraps the store; tests seed bugs with it. Default: no wrapper. */
  readonly around?: ((store: Store) => Store) | undefined
}

export interface VerifyReport {
  readonly apis: number
  readonly policies: number
  readonly limiter: ReturnType<typeof toSettings>['limits']['algorithm']
  readonly promises: readonly (Promised & { readonly reached: boolean })[]
  readonly untried: readonly Untried[]
  readonly surprises: readonly Surprise[]
  readonly traces: number
  readonly requests: number
  readonly seed: number
  readonly broken: Broken | undefined
}

/** Rejects if the configuration is invalid; `check` reports why. */
export async function verifyGateway(options: VerifyOptions): Promise<VerifyReport> {
  const { loaded, environment, seedFile, around } = options
  const settings = toSettings(loaded.config)
  const parts = { loaded, environment, seed: seedFile, around }
  const sandbox = await openSandbox(parts)
  try {
    const plans = keyPlans(sandbox.engine.policies(), seedFile)
    const facts: Facts = {
      settings,
      seed: seedFile,
      apis: sandbox.gateway.apis(),
      plans: plans.map((plan) => ({ plan, limits: limitsOfKey(plan) })),
    }
    const surprises = options.surprises ? [...readSurprises(facts), ...(await pathSurprises(sandbox, facts))] : []
    const { keyKinds, untried } = await findScenes(sandbox, plans, facts)
    const { seed, milliseconds, filter, now, onProgress, trials } = options
    const run = await search(
      { ...parts, settings, keyKinds },
      { seed, milliseconds, filter, now, trials, ...(onProgress === undefined ? {} : { onProgress }) },
    )
    return {
      apis: facts.apis.length,
      policies: sandbox.engine.policies().size,
      limiter: settings.limits.algorithm,
      promises: promisesOf(keyKinds).map((promise) => ({ ...promise, reached: run.reached.has(promise.words) })),
      untried,
      surprises: once(surprises),
      traces: run.traces,
      requests: run.requests,
      seed,
      broken: run.broken,
    }
  } finally {
    await sandbox.close()
  }
}

function readSurprises(facts: Facts): Surprise[] {
  return [
    ...limitsNeverReached(facts),
    ...quotasNeverRenewed(facts),
    ...limitsNotCounted(facts),
    ...policiesWiden(facts),
    ...loopsSkipLimits(facts),
  ]
}

/** Removes duplicates, since versions and keys of one kind repeat the same sentence. */
function once(surprises: readonly Surprise[]): Surprise[] {
  return [...new Map(surprises.map((one) => [`${one.source} ${one.sentence}`, one])).values()]
}
