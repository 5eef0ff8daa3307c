/**
 * IP addresses and ranges, parsed with ipaddr.js. Both families are stored as IPv6, IPv4 as ::ffff:a.b.c.d (RFC 4291
 * section 2.5.5.2), so that an IPv4 range also matches a client connected over IPv6.
 */
import ipaddr, { type IPv6 } from 'ipaddr.js'

export type IpAddress = IPv6

export interface IpRange {
  readonly address: IpAddress
  /** Leading bits that count, of 128. */
  readonly bits: number
}

/** Parses an address; `undefined` for any other text. Zones (`%eth0`) are rejected: they name interfaces of one host. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.includes('%')) return undefined
  const tailAt = text.lastIndexOf(':') + 1
  const tail = text.slice(tailAt)
  if (!tail.includes('.')) return parseV6(text)
  // ipaddr.js also accepts `10.1` and `010.1.1.1`, which other programs interpret as different addresses.
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return undefined
  const [a, b, c, d] = ipaddr.IPv4.parse(tail).octets as [number, number, number, number]
  const [high, low] = [(a << 8) | b, (c << 8) | d]
  if (tailAt === 0) return new ipaddr.IPv6([0, 0, 0, 0, 0, 0xffff, high, low])
  // In hexadecimal, because ipaddr.js treats `::10.0.0.1` as the mapped address `::ffff:10.0.0.1`.
  return parseV6(`${text.slice(0, tailAt)}${high.toString(16)}:${low.toString(16)}`)
}

function parseV6(text: string): IpAddress | undefined {
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

/** Parses an address or a range in CIDR form (RFC 4632); `undefined` for any other text. */
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
  return address.match(range.address, range.bits)
}

/** Returns a predicate on address texts. Entries that are no address and no network match nothing. */
export function makeAddressSet(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries.map((entry) => parseIpRange(entry.trim())).filter((range) => range !== undefined)
  return (text) => {
    const address = parseIpAddress(text)
    return address !== undefined && ranges.some((range) => isWithin(address, range))
  }
}

/**
 * Whether the address belongs to a public network. Loopback, private, link-local, shared, multicast and reserved
 * addresses do not (RFC 6890), nor do IPv6 forms that embed an IPv4 address for a translator or a tunnel.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === undefined) return false
  return (address.isIPv4MappedAddress() ? address.toIPv4Address() : address).range() === 'unicast'
}

/** The canonical text of an address (RFC 5952): IPv4 dotted, IPv6 shortened. */
export function formatIpAddress(address: IpAddress): string {
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String()
}

/**
 * What an address counts as where guesses are counted: a client of IPv6 usually has a whole /64 network, so its addresses
 * count together. Other texts count as themselves.
 */
export function networkOf(text: string): string {
  const address = parseIpAddress(text)
  if (address === undefined) return text
  return address.isIPv4MappedAddress() ? formatIpAddress(address) : address.parts.slice(0, 4).join(':')
}
