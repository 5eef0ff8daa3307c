/**
 * Arithmetic. Functions compute with 64 bit integers, and those whose names end in `f` with floats; texts are parsed as
 * numbers. Division by zero is an error.
 */
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, floatOf, onText, variadic, wholeOf } from '../function-table.ts'
import { TemplateError } from '../template-problem.ts'

const fit = (value: bigint) => BigInt.asIntN(64, value)

/** Folds integers from left to right. */
const whole = (step: (a: bigint, b: bigint) => bigint) =>
  variadic(1, (values) => values.map(wholeOf).reduce((sum, value) => fit(step(sum, value))))

const float = (step: (a: number, b: number) => number) => variadic(1, (values) => values.map(floatOf).reduce(step))

const floating = (run: (value: number) => number) => fixed(1, ([value]) => run(floatOf(value)))

function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new TemplateError('integer divide by zero')
  return a / b
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new TemplateError('integer divide by zero')
  return a % b
}

/** Rounds half away from zero, to `places` decimals. */
function round(value: number, places: number): number {
  const factor = 10 ** Math.min(Math.max(places, -300), 300)
  const scaled = Math.abs(value) * factor
  return Number.isFinite(scaled) ? (Math.sign(value) * Math.floor(scaled + 0.5)) / factor : value
}

function count(from: bigint, to: bigint, step: bigint, budget: Budget): bigint[] {
  if (step === 0n || (to - from) / step < 0n) return []
  budget.spend(Number((to - from) / step) * 16)
  const numbers: bigint[] = []
  for (let i = from; step > 0n ? i < to : i > to; i += step) numbers.push(i)
  return numbers
}

/** `seq 3`, `seq 0 2`, `seq 0 2 10`: numbers up to and with the last one, separated by spaces. */
function seq(args: readonly unknown[], budget: Budget): string {
  const [first = 0n, second, third] = args.map(wholeOf)
  if (args.length === 0 || args.length > 3) return ''
  const from = second === undefined ? 1n : first
  const to = third ?? second ?? first
  const direction = to < from ? -1n : 1n
  const step = third === undefined ? direction : (second ?? 0n)
  const numbers = count(from, to + direction, step, budget)
  budget.spend(numbers.length * 4)
  return numbers.join(' ')
}

/** Reads an octal number, such as the mode of a file. */
function toDecimal(text: string): bigint {
  return /^[0-7]{1,21}$/.test(text) ? fit(BigInt(`0o${text}`)) : 0n
}

// biome-ignore lint/complexity/useMathMinMax: Math.max does not accept bigint
const max = whole((a, b) => (a > b ? a : b))

export const numberFunctions: FunctionTable = {
  int: fixed(1, ([value]) => wholeOf(value)),
  int64: fixed(1, ([value]) => wholeOf(value)),
  float64: fixed(1, ([value]) => floatOf(value)),
  atoi: fixed(1, ([value]) => wholeOf(value)),
  add: whole((a, b) => a + b),
  add1: fixed(1, ([value]) => fit(wholeOf(value) + 1n)),
  sub: whole((a, b) => a - b),
  mul: whole((a, b) => a * b),
  div: whole(divide),
  mod: whole(remainder),
  max,
  biggest: max,
  // biome-ignore lint/complexity/useMathMinMax: Math.min does not accept bigint
  min: whole((a, b) => (a < b ? a : b)),
  floor: floating(Math.floor),
  ceil: floating(Math.ceil),
  round: variadic(1, ([value, places = 0n]) => round(floatOf(value), Number(wholeOf(places))), 3),
  addf: float((a, b) => a + b),
  subf: float((a, b) => a - b),
  mulf: float((a, b) => a * b),
  divf: float((a, b) => a / b),
  add1f: floating((value) => value + 1),
  maxf: float((a, b) => Math.max(a, b)),
  minf: float((a, b) => Math.min(a, b)),
  seq: variadic(0, seq),
  toDecimal: onText(toDecimal),
  until: fixed(1, ([end], budget) => count(0n, wholeOf(end), wholeOf(end) < 0n ? -1n : 1n, budget)),
  untilStep: fixed(3, ([from, to, step], budget) => count(wholeOf(from), wholeOf(to), wholeOf(step), budget)),
}
