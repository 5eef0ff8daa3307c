/**
 * Formats in the manner of Go's fmt: verbs, flags, width, precision, argument indexes, and the output for a verb that
 * does not fit its value (`%!d(string=hi)`).
 */
import { plainNumber } from '../text/json-number.ts'
import type { Budget } from './budget.ts'
import { formatFloat, formatValue, signedExponent } from './print.ts'
import { isNil, typeName } from './value.ts'

interface Spec {
  readonly verb: string
  readonly minus: boolean
  readonly plus: boolean
  readonly sharp: boolean
  readonly zero: boolean
  readonly space: boolean
  readonly width: number | undefined
  readonly precision: number | undefined
}

const specAt = /%([-+# 0]*)(?:\[(\d+)\])?(\*|\d+)?(?:\.(?:\[(\d+)\])?(\*|\d*))?(?:\[(\d+)\])?([\s\S]|$)/uy
/** Maximum width of a field, which bounds the memory. */
const maxWidth = 100_000

export function sprintf(format: string, args: readonly unknown[], budget: Budget): string {
  let out = ''
  let at = 0
  let next = 0
  let reordered = false
  const size = (text: string | undefined): number | undefined => {
    if (text === undefined || text === '') return text === undefined ? undefined : 0
    const value = text === '*' ? Number(plainNumber(args[next++] ?? 0)) : Number(text)
    return Number.isInteger(value) && value >= 0 && value <= maxWidth ? value : undefined
  }
  const jump = (index: string | undefined) => {
    if (index === undefined) return
    next = Number(index) - 1
    reordered = true
  }
  while (at < format.length) {
    const percent = format.indexOf('%', at)
    if (percent === -1) break
    out += format.slice(at, percent)
    specAt.lastIndex = percent
    const [whole = '%', flags = '', first, widthText, second, precisionText, third, verb = ''] =
      specAt.exec(format) ?? []
    at = percent + whole.length
    jump(first)
    const width = size(widthText)
    jump(second)
    const precision = size(precisionText)
    jump(third)
    if (verb === '%') out += '%'
    else if (verb === '') out += '%!(NOVERB)'
    else if (next < 0 || next >= args.length) out += `%!${verb}(${reordered ? 'BADINDEX' : 'MISSING'})`
    else {
      const spec: Spec = {
        verb,
        width,
        precision,
        minus: flags.includes('-'),
        plus: flags.includes('+'),
        sharp: flags.includes('#'),
        zero: flags.includes('0') && !flags.includes('-'),
        space: flags.includes(' '),
      }
      budget.step()
      budget.spend(width ?? 0)
      out += formatOne(args[next++], spec, budget)
    }
  }
  out += format.slice(at)
  if (!reordered && next < args.length) {
    const extra = args.slice(next).map((arg) => (isNil(arg) ? '<nil>' : `${typeName(arg)}=${formatValue(arg, budget)}`))
    out += `%!(EXTRA ${extra.join(', ')})`
  }
  return out
}

function formatOne(given: unknown, spec: Spec, budget: Budget): string {
  const { verb } = spec
  const value = plainNumber(given)
  if (verb === 'T') return pad(typeName(value), spec)
  if (verb === 'v' && !spec.sharp && (typeof value !== 'number' || spec.precision === undefined)) {
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    return isNumber ? padNumber(formatValue(given, budget), spec) : pad(formatValue(value, budget), spec)
  }
  if (Array.isArray(value) && verb !== 'v') {
    return `[${value.map((item) => formatOne(item, spec, budget)).join(' ')}]`
  }
  const text =
    typeof value === 'string'
      ? formatString(value, spec, budget)
      : typeof value === 'bigint'
        ? formatWhole(value, spec)
        : typeof value === 'number'
          ? formatNumber(value, spec)
          : typeof value === 'boolean' && (verb === 't' || verb === 'v')
            ? pad(String(value), spec)
            : verb === 'v'
              ? pad(formatValue(value, budget), spec)
              : undefined
  if (text !== undefined) return text
  return isNil(value) ? `%!${verb}(<nil>)` : `%!${verb}(${typeName(value)}=${formatValue(value, budget)})`
}

function formatString(value: string, spec: Spec, budget: Budget): string | undefined {
  const cut = spec.precision === undefined ? value : Array.from(value).slice(0, spec.precision).join('')
  budget.spend(value.length * 6)
  switch (spec.verb) {
    case 's':
      return pad(cut, spec)
    case 'v':
    case 'q':
      return pad(quote(cut), spec)
    case 'x':
    case 'X': {
      const hex = encodeHex(cut)
      return pad(spec.verb === 'X' ? hex.toUpperCase() : hex, spec)
    }
    default:
      return undefined
  }
}

/** Go's quoted texts have the escapes of JSON, except for control characters. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/\\u00([01][0-9a-f])/g, '\\x$1')
}

function encodeHex(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%([0-9A-F]{2})|[\s\S]/g, (char, hex?: string) =>
    (hex ?? char.charCodeAt(0).toString(16).padStart(2, '0')).toLowerCase(),
  )
}

const bases: Readonly<Record<string, readonly [radix: number, prefix: string]>> = {
  b: [2, '0b'],
  o: [8, '0'],
  O: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
}

function formatWhole(value: bigint, spec: Spec): string | undefined {
  const { verb } = spec
  if (verb === 'd' || verb === 'v') return padNumber(value.toString(), spec)
  if (verb === 'c') return pad(value >= 0n && value <= 0x10ffffn ? String.fromCodePoint(Number(value)) : '\ufffd', spec)
  if (verb === 'U') return pad(`U+${value.toString(16).toUpperCase().padStart(4, '0')}`, spec)
  if (verb === 'q') return pad(`'${String.fromCodePoint(Number(value & 0xfffffn))}'`, spec)
  const base = bases[verb]
  if (base === undefined) return undefined
  const digits = (value < 0n ? -value : value).toString(base[0])
  const prefix = spec.sharp || verb === 'O' ? base[1] : ''
  return padNumber(`${value < 0n ? '-' : ''}${prefix}${verb === 'X' ? digits.toUpperCase() : digits}`, spec)
}

function formatNumber(value: number, spec: Spec): string | undefined {
  if (!'eEfFgGv'.includes(spec.verb)) return undefined
  if (!Number.isFinite(value)) return pad(formatFloat(value), spec)
  const precision = spec.precision === undefined ? undefined : Math.min(spec.precision, 100)
  const upper = spec.verb === 'E' || spec.verb === 'G'
  const text = upper ? digitsOf(value, spec.verb, precision).toUpperCase() : digitsOf(value, spec.verb, precision)
  return padNumber(text, spec)
}

function digitsOf(value: number, verb: string, precision: number | undefined): string {
  if (verb === 'e' || verb === 'E') return scientific(value, precision ?? 6)
  if (verb === 'f' || verb === 'F') return decimal(value, precision ?? 6)
  if (precision === undefined) return formatFloat(value)
  const places = Math.max(precision, 1)
  const power = Number(value.toExponential(places - 1).split('e')[1])
  if (power < -4 || power >= places) return trimZeros(scientific(value, places - 1))
  return trimZeros(decimal(value, Math.max(places - 1 - power, 0)))
}

function scientific(value: number, places: number): string {
  const [digits = '', exponent = ''] = value.toExponential(places).split('e')
  return `${digits}e${signedExponent(Number(exponent))}`
}

function decimal(value: number, places: number): string {
  if (Math.abs(value) < 1e21) return value.toFixed(places)
  return BigInt(value).toString() + (places > 0 ? `.${'0'.repeat(places)}` : '')
}

function trimZeros(text: string): string {
  return text.replace(/(\.\d*?)0+(?=e|$)/, '$1').replace(/\.(?=e|$)/, '')
}

function pad(text: string, { width, minus, zero }: Spec): string {
  const missing = (width ?? 0) - Array.from(text).length
  if (missing <= 0) return text
  return minus ? text + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + text
}

/** Zeros are inserted between the sign and the digits. */
function padNumber(text: string, spec: Spec): string {
  const negative = text.startsWith('-')
  const sign = negative ? '-' : spec.plus ? '+' : spec.space ? ' ' : ''
  const digits = negative ? text.slice(1) : text
  const missing = (spec.width ?? 0) - sign.length - digits.length
  return spec.zero && missing > 0 ? sign + '0'.repeat(missing) + digits : pad(sign + digits, { ...spec, zero: false })
}
