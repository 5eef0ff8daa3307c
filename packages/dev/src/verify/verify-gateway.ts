/**
 * Verifies a gateway from its files: reports the guarantees, warns about unexpected effects, and tests whether the
 * engine keeps the guarantees. This file runs the steps: `warnings/` reads the files, `trace-subjects.ts` and
 * `generate-traces.ts` generate traces, `search-traces.ts` searches for one that breaks a guarantee, `shrink-trace.ts`
 * shrinks it, `run-trace.ts` runs one and compares it with the model, which is `limit-model.ts`.
 */
import { type Finding, type Seed, toSettings } from 'turnpike/embedding'
import { type Coverage, isExercised } from './coverage.ts'
import { type FilePosition, makeLocator } from './field-positions.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from './gateway-sandbox.ts'
import { type Guarantee, guaranteesOf } from './guarantees.ts'
import { keyPlans } from './key-plan.ts'
import { limitsOfKey } from './limits-of-key.ts'
import { type Broken, type SearchOptions, searchTraces } from './search-traces.ts'
import { findTraceSubjects } from './trace-subjects.ts'
import type { Warning } from './warning.ts'
import { expiredKeys } from './warnings/expired-keys.ts'
import { fieldsWithoutEffect } from './warnings/fields-without-effect.ts'
import { limitsNeverReached, quotasNeverRenewed } from './warnings/limits-never-reached.ts'
import { limitsNotCounted } from './warnings/limits-not-counted.ts'
import { loopsSkipLimits } from './warnings/loops-skip-limits.ts'
import { withoutLimit } from './warnings/no-limit.ts'
import { pathWarnings } from './warnings/path-warnings.ts'
import { patternsCoverAll } from './warnings/patterns-cover-all.ts'
import { policiesWiden } from './warnings/policies-widen.ts'
import type { Facts } from './warnings/warning-facts.ts'
import type { Untried } from './why-not-tested.ts'

export interface VerifyOptions extends SearchOptions, Omit<SandboxOptions, 'seed'> {
  readonly seedFile: Seed | undefined
  /** Whether to report warnings as well; a run for a single property does not. */
  readonly warnings: boolean
  /** The date on which the files are verified, in Unix milliseconds; keys that expired before it are reported. */
  readonly today: number
  /** What `turnpike check` found in the files. Default: nothing. */
  readonly findings?: readonly Finding[] | undefined
}

export interface TestedGuarantee extends Guarantee {
  /** `undefined` if no trace sent a request that counts. */
  readonly coverage: Coverage | undefined
  readonly at: FilePosition | undefined
}

export interface VerifyReport {
  readonly apis: number
  readonly policies: number
  readonly limiter: ReturnType<typeof toSettings>['limits']['algorithm']
  readonly guarantees: readonly TestedGuarantee[]
  readonly untried: readonly Untried[]
  readonly warnings: readonly Warning[]
  /** Fields without effect that change nothing; they do not count as warnings. */
  readonly notes: readonly Warning[]
  readonly traces: number
  readonly requests: number
  readonly seed: number
  readonly broken: Broken | undefined
  /** The position of the field that sets the broken limit. */
  readonly brokenAt: FilePosition | undefined
}

/**
 * `nothing`: no trace exercised any guarantee, so that the run verified nothing. `warnings`: the guarantees hold, but
 * there are warnings.
 */
export type Outcome = 'verified' | 'warnings' | 'broken' | 'nothing'

export function outcomeOf({ broken, guarantees, warnings }: VerifyReport): Outcome {
  if (broken !== undefined) return 'broken'
  if (!guarantees.some(({ coverage }) => isExercised(coverage))) return 'nothing'
  return warnings.length > 0 ? 'warnings' : 'verified'
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
    const { findings = [] } = options
    const warnings = options.warnings
      ? [...(await findWarnings(sandbox, facts, options.today)), ...fieldsWithoutEffect(findings, false)]
      : []
    const { locate } = makeLocator(loaded, facts.apis)
    const { keyKinds, untried } = await findTraceSubjects(sandbox, plans, facts)
    const run = await searchTraces({ ...parts, settings, keyKinds }, options)
    const limit = run.broken?.violation.limit
    return {
      apis: facts.apis.length,
      policies: sandbox.engine.policies().size,
      limiter: settings.limits.algorithm,
      guarantees: guaranteesOf(keyKinds).map((guarantee) => ({
        ...guarantee,
        coverage: run.coverage.get(guarantee.words),
        at: locate(guarantee.place),
      })),
      untried,
      warnings: once(warnings).map((one) => (one.place === undefined ? one : { ...one, at: locate(one.place) })),
      notes: options.warnings ? fieldsWithoutEffect(findings, true) : [],
      traces: run.traces,
      requests: run.requests,
      seed: options.seed,
      broken: run.broken,
      brokenAt: limit === undefined ? undefined : locate(limit.place),
    }
  } finally {
    await sandbox.close()
  }
}

async function findWarnings(sandbox: Sandbox, facts: Facts, today: number): Promise<Warning[]> {
  const { policies } = sandbox.engine.policies()
  return [
    ...withoutLimit(facts),
    ...expiredKeys({ ...facts, policies, today }),
    ...limitsNeverReached(facts),
    ...quotasNeverRenewed(facts),
    ...limitsNotCounted(facts),
    ...policiesWiden(facts),
    ...loopsSkipLimits(facts),
    ...(await patternsCoverAll(sandbox, facts)),
    ...(await pathWarnings(sandbox, facts)),
  ]
}

/** Removes duplicates, since versions and keys of one kind repeat the same sentence. */
function once(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((one) => [`${one.source} ${one.sentence}`, one])).values()]
}
