/**
 * The files of the page, read once from the package's folder `page/`: markup, a style sheet and plain modules, which need
 * no build and load nothing from other hosts. They contain no data of the gateway, so they need no session.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Resolved by name, since this module may be part of a bundle in another package.
const folder = join(dirname(createRequire(import.meta.url).resolve('@turnpike/dashboard-sso/package.json')), 'page')
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The page may only run its own modules, use its own style sheet and call its own gateway. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const safety = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export interface PageFiles {
  /** The page with a session, the sign-in page without one. */
  page(signedOn: boolean): Response
  /** A module, the style sheet or the icon; `undefined`: the file does not exist. */
  file(name: string, request: Request): Response | undefined
}

/** Throws if files of the package are missing. */
export function readPageFiles(): PageFiles {
  const read = (name: string) => readFileSync(join(folder, name))
  const [index, door] = [read('index.html'), read('signed-out.html')]
  const files = new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[name.slice(name.lastIndexOf('.') + 1)]
      if (type === undefined) return []
      const bytes = read(name)
      const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      return [[name, { bytes, type, tag }] as const]
    }),
  )
  return {
    page: (signedOn) =>
      new Response(new Uint8Array(signedOn ? index : door), {
        status: signedOn ? 200 : 401,
        headers: { ...safety, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      }),
    file(name, request) {
      const file = files.get(name)
      if (file === undefined) return undefined
      const headers = { ...safety, 'content-type': file.type, 'cache-control': 'no-cache', etag: file.tag }
      if (request.headers.get('if-none-match') === file.tag) return new Response(null, { status: 304, headers })
      return new Response(new Uint8Array(file.bytes), { headers })
    },
  }
}
