/** Bodies of calls, bounded. */

/** Longest body that is read, bytes. Source: docs/reference/dashboard-sso.md#create-a-single-sign-on-token. */
export const maxBodyBytes = 64 * 1024

/** Longest document that is read, bytes. */
export const maxDocumentBytes = 1024 * 1024

/** The body as text; `undefined`: it is longer than `maxBodyBytes`, or no UTF-8. */
export function readText(request: Request): Promise<string | undefined> {
  return read(request, maxBodyBytes)
}

/** The document as text; `undefined`: it is longer than `maxDocumentBytes`, or no UTF-8. */
export function readLongText(request: Request): Promise<string | undefined> {
  return read(request, maxDocumentBytes)
}

async function read(request: Request, maxBytes: number): Promise<string | undefined> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > maxBytes) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
