import { parseIpRange } from '../lib/ip-address.ts'

/** Whether a text is an IP address or a range in CIDR notation (RFC 4632, RFC 4291), without leading zeros. */
export function isAddressOrRange(text: string): boolean {
  return parseIpRange(text) !== undefined && !/\/0\d/.test(text)
}
