/** A set of characters (Unicode code points) as sorted, separate ranges. */
const last = 0x10ffff

type Range = readonly [from: number, to: number]

export class CharSet {
  static readonly empty = new CharSet([])
  static readonly digits = CharSet.of([0x30, 0x39])
  static readonly word = CharSet.of([0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a])
  /** RE2's `\s`: tab, line feed, form feed, carriage return, space. */
  static readonly blank = CharSet.of([0x09, 0x0a], [0x0c, 0x0d], [0x20, 0x20])
  static readonly newline = CharSet.of([0x0a, 0x0a])

  readonly ranges: readonly Range[]

  private constructor(ranges: readonly Range[]) {
    this.ranges = ranges
  }

  /** From ranges in any order, which may overlap. */
  static of(...ranges: readonly Range[]): CharSet {
    const sorted = ranges.toSorted((a, b) => a[0] - b[0])
    const merged: [number, number][] = []
    for (const [from, to] of sorted) {
      const before = merged.at(-1)
      if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
      else merged.push([from, to])
    }
    return new CharSet(merged)
  }

  with(other: CharSet): CharSet {
    return CharSet.of(...this.ranges, ...other.ranges)
  }

  negated(): CharSet {
    const out: Range[] = []
    let next = 0
    for (const [from, to] of this.ranges) {
      if (from > next) out.push([next, from - 1])
      next = to + 1
    }
    if (next <= last) out.push([next, last])
    return new CharSet(out)
  }

  /** Whether both have a character in common. */
  meets(other: CharSet): boolean {
    return this.ranges.some(([from, to]) => other.ranges.some((range) => from <= range[1] && range[0] <= to))
  }

  /** With the other case of each ASCII letter. */
  withBothCases(): CharSet {
    const more: Range[] = []
    for (const [from, to] of this.ranges) {
      addShifted(more, from, to, 0x41, 0x5a, 0x20)
      addShifted(more, from, to, 0x61, 0x7a, -0x20)
    }
    return more.length === 0 ? this : CharSet.of(...this.ranges, ...more)
  }

  /** Whether all of it is ASCII. */
  isAscii(): boolean {
    return (this.ranges.at(-1)?.[1] ?? 0) < 0x80
  }

  /** The inside of a character class, for a RegExp with the `u` flag. */
  toClassBody(): string {
    return this.ranges.map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`)).join('')
  }
}

function addShifted(out: Range[], from: number, to: number, low: number, high: number, by: number): void {
  const start = Math.max(from, low)
  const end = Math.min(to, high)
  if (start <= end) out.push([start + by, end + by])
}

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`
}
