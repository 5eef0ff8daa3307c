/** The requests of the callers during a scenario: about twice what their limits admit, with bursts during faults. */
import type { PlannedLimit, ScenarioSubject } from '@turnpike/cluster-sim'
import type { Caller, CallerTarget, CountedLimit } from './callers.ts'

type MakeLoad = ScenarioSubject['load']

/** Requests per second of all callers together; more would only make runs slower. */
const maxPerSecond = 60
const minPerSecond = 0.2
/** Requests of one burst. */
const maxBurst = 60

export function loadOfCallers(callers: readonly Caller[]): MakeLoad {
  const all = callers.flatMap(({ name, targets }) => targets.map((target, i) => ({ key: name, target: i, of: target })))
  const share = maxPerSecond / Math.max(1, all.length)
  return ({ duration, faults }, nodes, prng) => {
    const moments = [duration / 6, ...(faults ?? []).map(({ at }) => at + 200)].filter((at) => at < duration)
    return all.flatMap(({ key, target, of }) => {
      const request = (at: number) => ({ at, kind: 'request' as const, node: prng.oneOf(nodes), key, target })
      const count = Math.round((perSecond(of, share) * duration) / 1000)
      const spread = Array.from({ length: count }, () => request(prng.between(0, duration - 1)))
      const bursts = moments.flatMap((at) => Array.from({ length: burst(of) }, () => request(at)))
      return [...spread, ...bursts]
    })
  }
}

function perSecond({ limits }: CallerTarget, share: number): number {
  const rates = [...limits.values()].filter(({ what }) => what === 'rate')
  const tightest = Math.min(share, ...rates.map(({ count, seconds }) => (2 * count) / seconds))
  return Math.max(tightest, minPerSecond)
}

function burst({ limits }: CallerTarget): number {
  return Math.min(maxBurst, 2 * Math.min(...[...limits.values()].map(({ count }) => count)))
}

/** The limits of all callers, each with the requests that it counts. */
export function limitsOfCallers(callers: readonly Caller[]): PlannedLimit[] {
  const byCounter = new Map<string, CountedLimit & { readonly members: { key: string; target: number }[] }>()
  for (const { name, targets } of callers) {
    for (const [i, { limits }] of targets.entries()) {
      for (const [counter, limit] of limits) {
        const known = byCounter.get(counter) ?? { ...limit, members: [] }
        known.members.push({ key: name, target: i })
        byCounter.set(counter, known)
      }
    }
  }
  return [...byCounter.values()]
}
