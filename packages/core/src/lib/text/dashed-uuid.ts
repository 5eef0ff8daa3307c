/** Writes a UUID of 32 hexadecimal digits with dashes, its usual form (RFC 9562 section 4). */
export function dashedUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
