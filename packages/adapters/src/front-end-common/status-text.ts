/** Status lines, made once: nothing is concatenated per answer. */
import { STATUS_CODES } from 'node:http'

const lines: string[] = []
for (const [code, reason] of Object.entries(STATUS_CODES)) lines[Number(code)] = `${code} ${reason}`

/** `404 Not Found`; a status without a name has an empty one (RFC 9112, 4). */
export function statusText(status: number): string {
  return lines[status] ?? `${status} `
}

/** Whether an answer of this status never has a body (RFC 9110, 6.4.1). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304 || status < 200
}
