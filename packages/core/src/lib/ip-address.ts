/**
 * IP addresses and ranges as numbers. Both families live in one space of 128 bits, IPv4 as ::ffff:a.b.c.d (RFC 4291,
 * 2.5.5.2), so that a list of either family judges a client that came over either.
 */

/** Eight groups of 16 bits. */
export type IpAddress = readonly number[]

export interface IpRange {
  readonly address: IpAddress
  /** Leading bits that count, of 128. */
  readonly bits: number
}

/** Reads an address in text form; `undefined` when it is none. Zones (`%eth0`) are no addresses. */
export function parseIpAddress(text: string): IpAddress | undefined {
  return text.includes(':') ? parseV6(text) : fromV4(parseV4(text))
}

/** Reads an address or a range in CIDR form (RFC 4632); `undefined` when it is neither. */
export function parseIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/')
  const address = parseIpAddress(slash === -1 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  if (slash === -1) return { address, bits: 128 }
  const prefix = text.slice(slash + 1)
  const isV4 = !text.includes(':')
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (isV4 ? 32 : 128)) return undefined
  return { address, bits: Number(prefix) + (isV4 ? 96 : 0) }
}

export function isWithin(address: IpAddress, range: IpRange): boolean {
  let left = range.bits
  for (let i = 0; left > 0; i++, left -= 16) {
    const shift = left >= 16 ? 0 : 16 - left
    if ((address[i] as number) >> shift !== (range.address[i] as number) >> shift) return false
  }
  return true
}

/** One text for each address, whatever its notation was (RFC 5952): IPv4 dotted, IPv6 shortened. */
export function formatIpAddress(address: IpAddress): string {
  if (isV4Mapped(address)) {
    const [high, low] = [address[6] as number, address[7] as number]
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const { start, length } = longestZeros(address)
  const hex = (from: number, to: number) =>
    address
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':')
  return length < 2 ? hex(0, 8) : `${hex(0, start)}::${hex(start + length, 8)}`
}

function parseV4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return undefined
  let value = 0
  for (let i = 1; i <= 4; i++) {
    const part = match[i] as string
    // A leading zero would mean octal to some readers and decimal to others.
    if (Number(part) > 255 || (part.length > 1 && part[0] === '0')) return undefined
    value = value * 256 + Number(part)
  }
  return value
}

function fromV4(value: number | undefined): IpAddress | undefined {
  return value === undefined ? undefined : [0, 0, 0, 0, 0, 0xffff, value >>> 16, value & 0xffff]
}

function parseV6(text: string): IpAddress | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] as string, halves.length === 1)
  if (halves.length === 1) return head?.length === 8 ? head : undefined
  const tail = parseGroups(halves[1] as string, true)
  if (head === undefined || tail === undefined || head.length + tail.length > 7) return undefined
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** Groups between colons; the last one may be a dotted IPv4 address, where it ends the whole address. */
function parseGroups(text: string, endsAddress: boolean): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (const [i, part] of parts.entries()) {
    if (endsAddress && i === parts.length - 1 && part.includes('.')) {
      const v4 = parseV4(part)
      if (v4 === undefined) return undefined
      groups.push(v4 >>> 16, v4 & 0xffff)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined
      groups.push(Number.parseInt(part, 16))
    }
  }
  return groups
}

function isV4Mapped(address: IpAddress): boolean {
  for (let i = 0; i < 5; i++) if (address[i] !== 0) return false
  return address[5] === 0xffff
}

function longestZeros(address: IpAddress): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < 8; start++) {
    let end = start
    while (end < 8 && address[end] === 0) end++
    if (end - start > best.length) best = { start, length: end - start }
    start = Math.max(start, end - 1)
  }
  return best
}
