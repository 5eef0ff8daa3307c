/** Reads an OpenAPI document from a file or a URL, in JSON or YAML. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isJson, type Json } from '@turnpike/core/lib'
import { parseDocumentText, wrongOpenApiMember } from '@turnpike/mgmt-api'
import { bundleDocument, type UnreadReference } from '../formats/bundle-document.ts'
import { convertSwagger } from '../formats/open-api-2.ts'

export type ReadOpenApi =
  /** `unread`: references to other documents that were not followed, with their places. */
  | { readonly document: Json; readonly unread: readonly UnreadReference[]; readonly problem?: undefined }
  /** `notFound`: there is no such file or no response, so the command line is wrong and not the document. */
  | { readonly problem: string; readonly notFound: boolean }

/** Maximum bytes of a document. */
const maxBytes = 16 * 1024 * 1024
const downloadTimeoutMs = 10_000

/** Private networks are allowed, because the user of the command names the URL. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** Reads and parses the document. `source` is a URL or a file relative to `cwd`. Never rejects. */
export async function readOpenApi(source: string, cwd: string): Promise<ReadOpenApi> {
  const read = isUrl(source) ? await download(source) : readFile(resolve(cwd, source))
  if (read.problem !== undefined) return { problem: read.problem, notFound: true }
  const parsed = await parseDocumentText(read.text.replace(/^\ufeff/, ''))
  const invalid = (problem: string): ReadOpenApi => ({ problem, notFound: false })
  if (parsed.problem !== undefined) return invalid(parsed.problem)
  if (!isJson(parsed.value)) return invalid('is not an OpenAPI document: it must be an object')
  if (parsed.value['openapi'] === undefined && parsed.value['swagger'] === undefined) {
    return invalid(otherKind(parsed.value))
  }
  const whole = bundleDocument(parsed.value, isUrl(source) ? undefined : resolve(cwd, source))
  const converted = parsed.value['swagger'] === undefined ? whole : await convertSwagger(whole.document)
  if (converted.problem !== undefined) return invalid(converted.problem)
  const { document } = converted
  const wrong = wrongOpenApiMember(document)
  if (wrong !== undefined) {
    const isText = /^(openapi|info\..*)$/.test(wrong)
    return invalid(`${wrong} ${isText ? 'must be text: put it in quotes' : 'has a wrong type for an OpenAPI document'}`)
  }
  return { document, unread: whole.unread }
}

/** Says what a file probably is that is no OpenAPI document. */
function otherKind(value: Json): string {
  if (value['listen_port'] !== undefined || value['app_path'] !== undefined) {
    return 'is a configuration, not an OpenAPI document; name it with --conf'
  }
  if (value['proxy'] !== undefined) return 'is an API definition, not an OpenAPI document; it needs no import'
  return 'is not an OpenAPI document: it has no member "openapi"'
}

type ReadText = { readonly text: string; readonly problem?: undefined } | { readonly problem: string }

function readFile(file: string): ReadText {
  try {
    const { size } = statSync(file)
    return size > maxBytes ? tooLong(size) : { text: readFileSync(file, 'utf8') }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOENT') return { problem: 'does not exist' }
    if (code === 'EISDIR') return { problem: 'is a folder, not a file' }
    return { problem: `cannot be read: ${messageOf(cause)}` }
  }
}

async function download(url: string): Promise<ReadText> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(downloadTimeoutMs),
      headers: { accept: 'application/json, application/yaml, text/yaml, */*' },
    })
    if (!response.ok) return { problem: `cannot be downloaded: the server responded with ${response.status}` }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxBytes) return tooLong(size)
      chunks.push(chunk)
    }
    return { text: Buffer.concat(chunks).toString('utf8') }
  } catch (cause) {
    // `fetch` reports every connection failure as "fetch failed"; the reason is its cause.
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
    return { problem: `cannot be downloaded: ${messageOf(reason)}` }
  }
}

function tooLong(size: number): ReadText {
  return { problem: `is too long: ${size} bytes or more, at most ${maxBytes}` }
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
