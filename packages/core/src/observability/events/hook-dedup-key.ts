/**
 * The dedup key of a sent web hook, compatible with the original gateway: MD5 of the request in HTTP/1.1 format with only
 * its required headers. Source: docs/reference/redis-records.md#sent-web-hooks.
 */
import { md5 } from '@noble/hashes/legacy.js'
import type { TargetUrl } from '../../definition/target-url.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

export function hookDedupKey(method: string, target: TargetUrl, body: string): string {
  const length = utf8Bytes(body).length
  const head = `${method} ${requestTarget(target)} HTTP/1.1\r\nHost: ${target.authority}\r\n`
  const bytes = utf8Bytes(`${head}User-Agent: Go-http-client/1.1\r\nContent-Length: ${length}\r\n\r\n${body}`)
  let hex = ''
  for (const byte of md5(bytes)) hex += byte.toString(16).padStart(2, '0')
  return `webhook.cache.${hex}`
}

/** Path and query as sent. */
export function requestTarget({ path, query }: TargetUrl): string {
  return `${path === '' ? '/' : path}${query === '' ? '' : `?${query}`}`
}
