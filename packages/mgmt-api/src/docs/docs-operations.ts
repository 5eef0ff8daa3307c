/** GET /svc/docs for people and GET /svc/docs/openapi.json for programs. Both are public, because they contain no secrets. */

import { createHash } from 'node:crypto'
import { json } from '../http/reply.ts'
import { keyHeaderOf } from '../http/secret.ts'
import type { Operation } from '../operation.ts'
import { makeOpenApi } from './openapi.ts'
import { makePage } from './page.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

export const getDocsPage: Operation = {
  id: 'getDocsPage',
  method: 'GET',
  path: '/svc/docs',
  summary: 'This page',
  open: true,
  responses: { 200: { description: 'A page that needs nothing else', schema: { type: 'string' }, type: 'text/html' } },
  enabled: ({ options }) => options.docs,
  handle({ routes, management }) {
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
      body: makePage(makeOpenApi(routes, management), keyHeaderOf(management.settings.vendor)),
    }
  },
}

export const getOpenApi: Operation = {
  id: 'getOpenApi',
  method: 'GET',
  path: '/svc/docs/openapi.json',
  summary: 'This API as an OpenAPI 3.1 document',
  open: true,
  responses: { 200: { description: 'The document', schema: { type: 'object' } } },
  enabled: ({ options }) => options.docs,
  handle: ({ routes, management }) => json(makeOpenApi(routes, management)),
}

/** Own script, own style, and calls to this gateway only. */
const contentSecurityPolicy = [
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
