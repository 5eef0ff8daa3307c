import { parseDefinition, printDefinition, toClassic } from '@turnpike/core/definition'
import type { Json } from '@turnpike/core/lib'
import { expect, it } from 'vitest'
import { checkAuthGroups } from './check-auth-groups.ts'

const documentOf = (authentication: Json, security: readonly Json[]): Json => ({
  openapi: '3.0.3',
  info: { title: 'a', version: '1' },
  paths: {},
  security,
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, login: { type: 'http', scheme: 'basic' } },
  },
  'x-svc-api-gateway': {
    info: { id: 'a', name: 'a', state: { active: true } },
    upstream: { url: 'http://up.test' },
    server: {
      listenPath: { value: '/a/' },
      authentication: { enabled: true, securityProcessingMode: 'compliant', ...authentication },
    },
  },
})

/** The reasons that are reported; `groups`: what the definition file has in place of the document's groups. */
function reported(document: Json, groups?: readonly (readonly string[])[] | null): string[] {
  const classic = toClassic(document, document['x-svc-api-gateway'] as Json)
  if (classic.problem !== undefined) throw new Error(classic.problem)
  const text = printDefinition(
    groups === undefined ? classic.value : { ...classic.value, securityRequirements: groups as string[][] | null },
  )
  const sidecar = { name: 'a-oas.json', hash: '', text: JSON.stringify(document), problem: undefined }
  const { definition, problem } = parseDefinition(text, 'a.json', '', { secret: () => '', sidecar })
  if (definition === undefined) throw new Error(problem?.message)
  const file = { file: 'a-oas.json', text: sidecar.text, problem: undefined }
  return checkAuthGroups(file, { file: 'a.json', text, definition }, 'svc').map(({ reason }) => reason)
}

const both = { securitySchemes: { key: { enabled: true }, login: { enabled: true } } }
const either = [{ key: [] }, { login: [] }]

it('reports nothing where the groups are served', () => {
  expect(reported(documentOf(both, either))).toEqual([])
  expect(reported(documentOf({ ...both, securityProcessingMode: 'legacy' }, either), null)).toEqual([])
})

it('reports groups that the definition file lacks', () => {
  expect(reported(documentOf(both, either), null)).toEqual([
    'has no effect: a.json has no security_requirements with several groups, so callers need all methods',
  ])
})

it('reports a scheme without a method', () => {
  expect(reported(documentOf({ securitySchemes: { key: { enabled: true } } }, either))).toEqual([
    'the scheme "login" has no configured method, so its groups reject every request with 500',
  ])
})

it('reports an enabled method that no group needs', () => {
  expect(reported(documentOf({ ...both, hmac: { enabled: true } }, either))).toEqual([
    'invalid multi-auth configuration: hmac auth enabled but not configured in a security requirement',
  ])
})

it.each(['{', '[]', '{}'])('reports nothing about %s, which is reported with its definition', (text) => {
  expect(checkAuthGroups({ file: 'a-oas.json', text, problem: undefined }, undefined, 'svc')).toEqual([])
})
