/**
 * Where windows of an unknown phase may begin, as ranges of ms after whole multiples of the period. A model starts with
 * ranges that cover the whole period and keeps those that explain what it saw.
 */
import type { Range } from './model.ts'

const parts = 64
const minPartMs = 2

export function allPhases(periodMs: number): readonly Range[] {
  return split([{ min: 0, max: periodMs }], periodMs / parts)
}

/** The phases of windows that begin between `from` and `to`, in small parts. `undefined` is a state without a window. */
export function phasesOf(
  windows: readonly ({ readonly from: number; readonly to: number } | undefined)[],
  periodMs: number,
): readonly Range[] {
  const wrapped = windows.flatMap((window) => {
    if (window === undefined) return []
    const phase = ((window.from % periodMs) + periodMs) % periodMs
    return [{ min: phase, max: phase + (window.to - window.from) }]
  })
  const merged = merge(wrapped)
  const total = merged.reduce((sum, { min, max }) => sum + max - min, 0)
  return split(merged, Math.max(minPartMs, total / parts))
}

/** The one range that contains all phases, unless they are in several places. */
export function singlePhase(phases: readonly Range[]): Range | undefined {
  const merged = merge(phases)
  return merged.length === 1 ? merged[0] : undefined
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.min - b.min)) {
    const last = merged.at(-1)
    if (last !== undefined && range.min <= last.max + 0.001)
      merged[merged.length - 1] = { min: last.min, max: Math.max(last.max, range.max) }
    else merged.push(range)
  }
  return merged
}

function split(ranges: readonly Range[], partMs: number): readonly Range[] {
  return ranges.flatMap(({ min, max }) => {
    const count = Math.max(1, Math.ceil((max - min) / partMs - 0.001))
    const step = (max - min) / count
    return Array.from({ length: count }, (_, i) => ({ min: min + i * step, max: min + (i + 1) * step }))
  })
}
