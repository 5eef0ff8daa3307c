/** Compares two results of `npm run bench`: a verdict for each row. */
import {
  type ComparedValue,
  type Comparison,
  compareValues,
  machineDifferences,
  metricOf,
} from '@turnpike/dev/measurement'
import type { BenchResult } from './bench-result.ts'

/** Differences below these are noise in every part. */
const resolutions: Readonly<Record<string, number>> = { µs: 0.02, ms: 0.5, s: 0.05, '×': 0.02, MiB: 1 }
/** Values in these units depend on the speed of the machine; ratios and memory do not. */
const timeUnits = new Set(['µs', 'ms', 's'])

/** Memory layout and compiled code differ between processes, which rounds within one process do not show. */
const toleranceOfOneProcess = 0.15

/** `tolerance`: changes up to this share do not count. Parts that `now` did not measure are left out. */
export function compareResults(before: BenchResult, now: BenchResult, tolerance: number): Comparison {
  const parts = Object.keys(now.calibration).filter((part) => part in before.calibration)
  const [earlier, later] = [before, now].map(({ calibration }) =>
    metricOf(parts.flatMap((part) => calibration[part] ?? [])),
  )
  const measured = new Set(now.rows.map(({ part }) => part))
  const lengths = before.quick === now.quick ? [] : [`--quick: ${before.quick} before, ${now.quick} now`]
  const nginx =
    before.machine.nginx === now.machine.nginx ? [] : [`${before.machine.nginx} before, ${now.machine.nginx} now`]
  return {
    pace: parts.length === 0 ? 1 : (later?.median ?? 1) / (earlier?.median ?? 1),
    machines: [...machineDifferences(before.machine, now.machine), ...nginx, ...lengths],
    changes: compareValues(
      valuesOf(before).filter(({ part }) => measured.has(part)),
      valuesOf(now),
      tolerance,
    ),
  }
}

function valuesOf({ rows, calibration }: BenchResult): (ComparedValue & { readonly part: string })[] {
  const seen = new Map<string, number>()
  return rows.flatMap(({ part, name, unit = '', rounds, oneProcess = false }) => {
    // Throughput depends on what the load generator leaves over; CPU time per request has the same information.
    if (rounds === undefined || unit === '/s') return []
    // Some parts have several rows of one name, such as the stall below each reload.
    const count = (seen.get(`${part} ${name}`) ?? 0) + 1
    seen.set(`${part} ${name}`, count)
    const speed = calibration[part]
    const series = timeUnits.has(unit) && speed !== undefined ? { calibration: [speed] } : {}
    return {
      part,
      key: `${part} ${name} ${count}`,
      name: `${part}: ${name.trim()}${count === 1 ? '' : ` (${count})`}`,
      unit,
      series: { rounds: [rounds], ...series },
      resolution: resolutions[unit] ?? 0,
      minTolerance: oneProcess ? toleranceOfOneProcess : 0,
      conditions: { unit },
    }
  })
}
