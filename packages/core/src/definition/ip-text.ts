/** Whether a text is an IP address or a range in CIDR notation (RFC 4632, RFC 4291). */
export function isAddressOrRange(text: string): boolean {
  const slash = text.indexOf('/')
  const address = slash === -1 ? text : text.slice(0, slash)
  const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1
  if (bits === -1) return false
  if (slash === -1) return true
  const length = text.slice(slash + 1)
  return /^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bits
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  let groups = 0
  for (const [h, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':')
    for (const [i, part] of parts.entries()) {
      // The last two groups can be written as an IPv4 address.
      const isLast = h === halves.length - 1 && i === parts.length - 1
      if (isLast && isIpv4(part)) groups += 2
      else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups++
      else return false
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8
}
