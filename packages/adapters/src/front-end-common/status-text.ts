/** Status codes with their reason phrases, built once at start. */
import { STATUS_CODES } from 'node:http'

const lines: string[] = []
for (const [code, reason] of Object.entries(STATUS_CODES)) lines[Number(code)] = `${code} ${reason}`

/** Returns, for example, `404 Not Found`. The reason phrase of an unknown status is empty (RFC 9112 section 4). */
export function statusText(status: number): string {
  return lines[status] ?? `${status} `
}
