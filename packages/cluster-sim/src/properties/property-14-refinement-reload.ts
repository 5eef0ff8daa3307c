/**
 * Property 14 over several nodes: a reload that changes no limit is invisible, a changed limit governs what starts after the
 * reload was acknowledged, and nobody is answered by two configurations at once.
 */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import type { History } from '../run/history.ts'
import { type Allowance, type Plan, type Step, sortSteps } from '../run/plan.ts'
import { showPlan } from '../run/show-plan.ts'
import type { ClusterSubject } from './cluster-subject.ts'
import { mixedConfigurations } from './history-checks.ts'
import { burstsOn, plainAllowance, planFor, requestsIn } from './plan-cases.ts'

interface Reloads {
  readonly plan: Plan
  /** The same plan without the reloads and their changes. */
  readonly undisturbed: Plan
  readonly changesLimit: boolean
}

/** Pause between two bursts: longer than a request that has to read its key again. */
const apartMs = 200

const isReload = ({ kind }: Step) => kind === 'files' || kind === 'reload' || kind === 'reload-group'

const reloads: fc.Arbitrary<Reloads> = fc
  .record({
    nodes: fc.integer({ min: 1, max: 4 }),
    max: fc.integer({ min: 1, max: 10 }),
    newMax: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
    delay: fc.integer({ min: 0, max: 10 }),
    at: fc.array(fc.nat(8_000), { minLength: 1, maxLength: 3 }),
    group: fc.boolean(),
  })
  .chain(({ nodes, max, newMax, delay, at, group }) =>
    burstsOn(nodes, 9_000 / apartMs, 6).map((bursts) => {
      const requests = bursts.map((step): Step => ({ ...step, at: step.at * apartMs }))
      const allowanceOf = (quotaMax: number): Allowance => ({ ...plainAllowance, quotaMax, quotaRenewalRate: 3600 })
      const changes = at
        .toSorted((a, b) => a - b)
        .flatMap((instant, i): Step[] => [
          { at: instant, kind: 'files', files: { version: i + 2, policies: { gold: allowanceOf(newMax ?? max) } } },
          ...(group
            ? [{ at: instant, kind: 'reload-group', node: 'node-1' } as const]
            : Array.from(
                { length: nodes },
                (_, n) => ({ at: instant, kind: 'reload', node: `node-${n + 1}` }) as const,
              )),
        ])
      const plan = planFor(plainAllowance, nodes, {
        keys: [{ name: 'k1', allowance: undefined, policy: 'gold' }],
        files: { version: 1, policies: { gold: allowanceOf(max) } },
        network: { delayMs: [delay, delay], loss: 0, doubling: 0, reordering: false },
        steps: sortSteps([...changes, ...requests]),
        endsAt: 12_000,
      })
      const undisturbed = { ...plan, steps: plan.steps.filter((step) => !isReload(step)) }
      return { plan, undisturbed, changesLimit: newMax !== undefined && newMax !== max }
    }),
  )

export const reloadRefinementProperty = makeProperty<ClusterSubject, Reloads>({
  number: 14,
  name: 'refinement, reload in a cluster',
  statement:
    'A reload that changes no limit is invisible in decisions; a changed limit governs every request that starts after it was acknowledged; each request sees one configuration.',
  cases: reloads,
  requestsOf: ({ plan }) => requestsIn(plan),
  show: ({ plan }) => showPlan(plan),
  async check(subject, { plan, undisturbed, changesLimit }) {
    const history = await subject.run(plan)
    const mixed = mixedConfigurations(history)
    if (mixed !== undefined) return mixed
    if (changesLimit) return staleLimit(history, plan)
    const before = await subject.run(undisturbed)
    return differenceOf(history, before)
  },
})

/** Requests of one burst run concurrently, so a reload need not keep their order. */
function differenceOf(history: History, before: History): string | undefined {
  for (const at of new Set(history.exchanges.map(({ startedAt }) => startedAt))) {
    const [now, then] = [history, before].map(({ exchanges }) =>
      exchanges
        .filter(({ startedAt }) => startedAt === at)
        .map(({ status }) => status)
        .sort()
        .join(', '),
    )
    if (now !== then) return `the requests at ${at} ms are answered ${now}, without the reloads ${then}`
  }
  return undefined
}

/** A request that began after a node acknowledged the last reload and has the old limit in its response. */
function staleLimit({ exchanges, done }: History, { steps }: Plan): string | undefined {
  const last = steps.findLast((step) => step.kind === 'files')
  if (last?.kind !== 'files') return undefined
  const max = last.files.policies['gold']?.quotaMax
  for (const one of exchanges) {
    const acknowledged = done.some(
      ({ step, startedAt, endedAt = Number.POSITIVE_INFINITY }) =>
        step.kind === 'reload' && step.node === one.node && startedAt >= last.at && endedAt < one.startedAt,
    )
    if (acknowledged && !Number.isNaN(one.limit) && one.limit !== max) {
      return `request ${one.id} began after the reload was acknowledged and got the limit ${one.limit} instead of ${max}`
    }
  }
  return undefined
}
