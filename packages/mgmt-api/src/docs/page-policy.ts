/** Content security policy: own script, own style, and calls to this gateway only. */
import { createHash } from 'node:crypto'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src '${hashOf(pageScript)}'`,
  `style-src '${hashOf(pageStyle)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
