/**
 * Counters as bytes, for stores that several processes share. A decoded counter decides exactly as the encoded one. All
 * numbers are doubles in the byte order of the machine, because the bytes never leave it.
 */
import type { RateCounter } from '../rate-limit/decide-rate.ts'
import { TimeRing } from '../rate-limit/time-ring.ts'
import { CounterState } from './counter-operations.ts'

/** The numbers before the fields of the algorithm: quota, end of its period, algorithm. */
const headLength = 3
/** The longest list of fields. */
const fieldsLength = 4
const numberBytes = 8

type OtherRate = Exclude<RateCounter, { algorithm: 'local' }>

const algorithms = ['local', 'rolling', 'sentinel', 'fixed'] as const

/** Writes counters into one buffer, which each call reuses. */
export class CounterEncoder {
  private numbers = new Float64Array(512)

  /** Returns the bytes of the counter. They are valid until the next call. */
  encode(state: CounterState): Uint8Array {
    const rate = state.otherRate?.algorithm === 'local' ? undefined : state.otherRate
    const { generation } = state
    const logLength = rate === undefined || rate.algorithm === 'fixed' ? 0 : rate.times.length
    this.reserve(headLength + fieldsLength + logLength + generation.length)
    const { numbers } = this
    numbers[0] = state.used
    numbers[1] = state.renewsAt ?? Number.NaN
    numbers[2] = algorithms.indexOf(rate?.algorithm ?? 'local')
    const end = rate === undefined ? writeBucket(state, numbers) : writeRate(rate, numbers)
    if (rate !== undefined) return new Uint8Array(numbers.buffer, 0, end * numberBytes)
    const units = new Uint16Array(numbers.buffer, end * numberBytes, generation.length)
    for (let i = 0; i < generation.length; i += 1) units[i] = generation.charCodeAt(i)
    return new Uint8Array(numbers.buffer, 0, end * numberBytes + units.byteLength)
  }

  private reserve(length: number): void {
    if (length > this.numbers.length) this.numbers = new Float64Array(length * 2)
  }
}

/** Returns the counter of bytes that `CounterEncoder` wrote. Reads `length` of them, which LMDB sets on larger buffers. */
export function decodeCounter(bytes: Uint8Array): CounterState {
  const length = bytes.length >> 3
  const isAligned = bytes.byteOffset % numberBytes === 0
  const { buffer, byteOffset } = isAligned ? bytes : new Uint8Array(bytes.subarray(0, bytes.length))
  const numbers = new Float64Array(buffer as ArrayBuffer, byteOffset, length)
  const state = new CounterState()
  state.used = at(numbers, 0)
  state.renewsAt = optional(at(numbers, 1))
  const algorithm = algorithms[at(numbers, 2)] ?? 'local'
  if (algorithm !== 'local') {
    state.otherRate = readRate(algorithm, numbers)
    return state
  }
  state.startedAt = at(numbers, headLength)
  state.tokensUsed = at(numbers, headLength + 1)
  state.windowMs = at(numbers, headLength + 2)
  const textAt = (headLength + 3) * numberBytes
  const units = new Uint16Array(buffer as ArrayBuffer, byteOffset + textAt, (bytes.length - textAt) >> 1)
  state.generation = String.fromCharCode(...units)
  return state
}

function writeBucket(state: CounterState, numbers: Float64Array): number {
  numbers[headLength] = state.startedAt
  numbers[headLength + 1] = state.tokensUsed
  numbers[headLength + 2] = state.windowMs
  return headLength + 3
}

function writeRate(rate: OtherRate, numbers: Float64Array): number {
  if (rate.algorithm === 'fixed') {
    numbers[headLength] = rate.startedAt
    numbers[headLength + 1] = rate.count
    numbers[headLength + 2] = rate.windowMs
    return headLength + 3
  }
  numbers[headLength] = rate.endsAt
  numbers[headLength + 1] = rate.algorithm === 'sentinel' ? rate.blockedUntil : Number.NaN
  numbers[headLength + 2] = rate.smoothing?.allowance ?? Number.NaN
  numbers[headLength + 3] = rate.smoothing?.nextChangeAt ?? Number.NaN
  return rate.times.writeTo(numbers, headLength + fieldsLength)
}

function readRate(algorithm: OtherRate['algorithm'], numbers: Float64Array): OtherRate {
  const [first, second, third, fourth] = [0, 1, 2, 3].map((i) => at(numbers, headLength + i)) as Four
  if (algorithm === 'fixed') return { algorithm, startedAt: first, count: second, windowMs: third }
  const smoothing = Number.isNaN(third) ? undefined : { allowance: third, nextChangeAt: fourth }
  const times = TimeRing.from(numbers.subarray(headLength + fieldsLength))
  const log = { times, smoothing, endsAt: first }
  return algorithm === 'rolling' ? { algorithm, ...log } : { algorithm, ...log, blockedUntil: second }
}

type Four = [number, number, number, number]

const at = (numbers: Float64Array, index: number) => numbers[index] ?? Number.NaN

const optional = (value: number) => (Number.isNaN(value) ? undefined : value)
