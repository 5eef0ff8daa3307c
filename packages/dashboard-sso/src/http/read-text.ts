/** Bodies of calls, bounded. */

/** Longest body that is read if it is no document, bytes. Source: docs/reference/dashboard-sso.md#create-a-single-sign-on-token. */
export const maxBodyBytes = 64 * 1024

/** Longest document that is read, bytes. */
export const maxDocumentBytes = 1024 * 1024

/** The body as text; `undefined`: it is longer than `maxBytes`, or no UTF-8. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > maxBytes) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
