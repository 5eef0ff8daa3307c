/**
 * Formats an address of 4 or 16 bytes. IPv4 and IPv4-mapped IPv6 addresses become dotted IPv4, others IPv6 text as in
 * RFC 5952.
 */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`
  if (bytes.length !== 16) return ''
  if (isMappedIpv4(bytes)) return addressText(bytes.subarray(12))
  const groups: number[] = []
  for (let i = 0; i < 16; i += 2) groups.push(((bytes[i] as number) << 8) | (bytes[i + 1] as number))
  return compress(groups)
}

function isMappedIpv4(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (bytes[i] !== 0) return false
  return bytes[10] === 0xff && bytes[11] === 0xff
}

/** Replaces the longest run of two or more zero groups, the first of equal ones, with `::`. */
function compress(groups: readonly number[]): string {
  let start = -1
  let length = 1
  for (let i = 0; i < groups.length; i++) {
    let run = 0
    while (groups[i + run] === 0) run++
    if (run > length) {
      start = i
      length = run
    }
    i += run
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}
