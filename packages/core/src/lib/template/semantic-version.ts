/** Semantic versions (semver.org) and ranges of them, for `semver` and `semverCompare`. */
import { Method, Struct } from './struct.ts'
import { TemplateError } from './template-problem.ts'

interface Parts {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly prerelease: string
  readonly metadata: string
}

const suffixes = String.raw`(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?`
const version = new RegExp(String.raw`^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?${suffixes}$`)

export class Version extends Struct implements Parts {
  readonly typeName = '*semver.Version'
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly prerelease: string
  readonly metadata: string
  readonly members: Struct['members']

  /** Missing numbers are 0. Throws `TemplateError` if the text is not a version. */
  constructor(original: string) {
    super()
    const [, major, minor = '0', patch = '0', prerelease = '', metadata = ''] = version.exec(original) ?? []
    if (major === undefined) throw new TemplateError(`Invalid Semantic Version: ${JSON.stringify(original)}`)
    this.major = BigInt(major)
    this.minor = BigInt(minor)
    this.patch = BigInt(patch)
    this.prerelease = prerelease
    this.metadata = metadata
    this.members = {
      Major: () => this.major,
      Minor: () => this.minor,
      Patch: () => this.patch,
      Prerelease: () => prerelease,
      Metadata: () => metadata,
      Original: () => original,
      String: () => this.text(),
      Compare: () => new Method(([other]) => BigInt(compareVersions(this, versionOf(other)))),
    }
  }

  text(): string {
    const { major, minor, patch, prerelease, metadata } = this
    return `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`
  }

  jsonText(): string {
    return this.text()
  }
}

function versionOf(value: unknown): Version {
  if (value instanceof Version) return value
  throw new TemplateError('wrong type for value; expected a version of the function semver')
}

/** Returns -1, 0 or 1. Metadata is not compared. */
function compareVersions(a: Parts, b: Parts): number {
  const numbers = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch)
  if (numbers !== 0 || a.prerelease === b.prerelease) return numbers
  // A version without a prerelease follows its prereleases.
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1
  return comparePrereleases(a.prerelease.split('.'), b.prerelease.split('.'))
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (const [i, mine] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    const [isNumber, isOtherNumber] = [mine, other].map((part) => /^\d+$/.test(part))
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    const ordered = isNumber ? order(BigInt(mine), BigInt(other)) : order(mine, other)
    if (ordered !== 0) return ordered
  }
  return order(a.length, b.length)
}

function order<T extends bigint | string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const constraint = new RegExp(
  String.raw`^(=|==|!=|>|<|>=|=>|<=|=<|~|~>|\^)?\s*v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?${suffixes}$`,
)
/** One comparison of a list that commas or spaces separate. */
const piece = /(?:[=!<>~^]+\s*)?[^\s,=!<>~^]+/g

/** Whether the version satisfies the constraint. Throws `TemplateError` if one of the two is invalid. */
export function satisfies(given: string, text: string): boolean {
  const wanted = given.split('||').map((alternative) => readComparisons(alternative, given))
  const checked = new Version(text)
  return wanted.some((tests) => tests.every((test) => test(checked)))
}

type Test = (version: Version) => boolean

function readComparisons(text: string, whole: string): Test[] {
  const range = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text)
  const pieces = range === null ? text.match(piece) : [`>=${range[1]}`, `<=${range[2]}`]
  const left = text.replace(piece, '').replace(/[\s,]/g, '')
  if (pieces === null || (range === null && left !== '')) throw improper(whole)
  return pieces.map((one) => readComparison(one, whole))
}

const improper = (text: string) => new TemplateError(`improper constraint: ${JSON.stringify(text)}`)

function readComparison(text: string, whole: string): Test {
  const [, operator = '', ...numbers] = constraint.exec(text.trim()) ?? []
  const prerelease = numbers[3] ?? ''
  if (numbers[0] === undefined) throw improper(whole)
  // The numbers before the first wildcard or missing number.
  const known: bigint[] = []
  for (const number of numbers.slice(0, 3)) {
    if (number === undefined || !/^\d+$/.test(number)) break
    known.push(BigInt(number))
  }
  const low = lowOf(known, prerelease)
  const test = testOf(operator, known, low)
  // A prerelease satisfies only a constraint that names one.
  return (checked) => (checked.prerelease === '' || prerelease !== '' ? test(checked) : false)
}

const lowOf = ([major = 0n, minor = 0n, patch = 0n]: readonly bigint[], prerelease = ''): Parts => {
  return { major, minor, patch, prerelease, metadata: '' }
}

/** The first version after those that begin with the first `count` numbers; `undefined` if there is none. */
function highOf(known: readonly bigint[], count: number): Parts | undefined {
  if (count === 0) return undefined
  return lowOf(known.slice(0, count).map((number, i) => (i === count - 1 ? number + 1n : number)))
}

function testOf(operator: string, known: readonly bigint[], low: Parts): Test {
  const isPartial = known.length < 3
  const from: Test = (checked) => compareVersions(checked, low) >= 0
  const before = (high: Parts | undefined): Test => {
    return (checked) => high === undefined || compareVersions(checked, high) < 0
  }
  const within =
    (high: Parts | undefined): Test =>
    (checked) =>
      from(checked) && before(high)(checked)
  const all = highOf(known, known.length)
  const equal: Test = isPartial ? within(all) : (checked) => compareVersions(checked, low) === 0
  switch (operator) {
    case '!=':
      return (checked) => !equal(checked)
    case '>':
      return isPartial ? (checked) => !before(all)(checked) : (checked) => compareVersions(checked, low) > 0
    case '<':
      return before(low)
    case '>=':
    case '=>':
      return from
    case '<=':
    case '=<':
      return isPartial ? before(all) : (checked) => compareVersions(checked, low) <= 0
    case '~':
    case '~>':
      return within(highOf(known, Math.min(known.length, 2)))
    case '^':
      return within(highOf(known, caretCount(known)))
    default:
      return equal
  }
}

/** `^` keeps the first number that is not 0, or the last one that is given. */
function caretCount(known: readonly bigint[]): number {
  const first = known.findIndex((number) => number !== 0n)
  return first === -1 ? known.length : first + 1
}
