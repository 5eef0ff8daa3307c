/** GET /svc/docs: the documentation, for people. */

import { keyHeaderOf } from '../http/secret.ts'
import type { Operation } from '../operation.ts'
import { makeOpenApi } from './openapi.ts'
import { makePage } from './page.ts'
import { contentSecurityPolicy } from './page-policy.ts'

export const getDocsPage: Operation = {
  id: 'getDocsPage',
  method: 'GET',
  path: '/svc/docs',
  tag: 'docs',
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
