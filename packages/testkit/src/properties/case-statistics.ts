/** How often the generator of a property draws each shape of cases that bugs hide in, as `fc.statistics` does. */
import fc from 'fast-check'
import { aWholeNumber, checkInput, checkOptions, InputError } from '../check-input.ts'
import type { PropertyDefinition } from './property.ts'

export interface StatisticsOptions {
  /** Number of cases to draw. Default 1,000. */
  readonly cases?: number | undefined
  /** Default: random. The statistics contain the seed that repeats them. */
  readonly seed?: number | undefined
}

export interface CaseStatistics {
  readonly property: string
  readonly seed: number
  readonly cases: number
  /** Requests of all cases. */
  readonly requests: number
  /** The most frequent first. `share` is from 0 to 1. */
  readonly shapes: readonly { readonly shape: string; readonly cases: number; readonly share: number }[]
}

/** Draws cases and counts their shapes; the subject of the property is not needed. Throws if it names no shapes. */
export function caseStatistics<S, C>(
  property: PropertyDefinition<S, C>,
  options: StatisticsOptions = {},
): CaseStatistics {
  checkOptions('caseStatistics', options, { cases: aWholeNumber(1), seed: aWholeNumber(-(2 ** 31)) })
  checkInput('caseStatistics', 'the property', property, (value) =>
    typeof value === 'object' && value !== null && 'cases' in value
      ? undefined
      : 'a property with a generator of cases',
  )
  const { shapes } = property
  if (shapes === undefined)
    throw new InputError(`caseStatistics: property ${property.number}, ${property.name}, names no shapes of its cases`)
  const seed = options.seed ?? Math.floor(Math.random() * 0x7fff_ffff)
  const drawn = fc.sample(property.cases, { numRuns: options.cases ?? 1000, seed })
  const counted = Object.entries(shapes).map(([shape, isOf]) => {
    const cases = drawn.filter((one) => isOf(one)).length
    return { shape, cases, share: cases / drawn.length }
  })
  return {
    property: `property ${property.number}, ${property.name}`,
    seed,
    cases: drawn.length,
    requests: drawn.reduce((sum, one) => sum + property.requestsOf(one), 0),
    shapes: counted.toSorted((a, b) => b.cases - a.cases),
  }
}

/** Formats statistics for a terminal. */
export function showStatistics({ property, cases, requests, seed, shapes }: CaseStatistics): string {
  const lines = shapes.map(({ shape, share }) => `  ${(100 * share).toFixed(1).padStart(5)} %  ${shape}`)
  return [`${property}: ${cases} cases with ${requests} requests, seed ${seed}`, ...lines].join('\n')
}
