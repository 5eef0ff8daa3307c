import { expect, it } from 'vitest'
import type { Json } from '../../lib/json.ts'
import { lintOpenApiDocument } from './openapi-document-lint.ts'

/** A path with dots only, to be compared with. */
const dotted = (field: string) => field.replace(/\["?([^\]"]*)"?\]/g, '.$1')

async function findings(operation: Json, schemas: Json = {}, enabled = true) {
  const document = {
    openapi: '3.0.3',
    info: { title: 'v', version: '1' },
    paths: { '/a': { post: { operationId: 'a', responses: {}, ...operation } } },
    components: { schemas },
    'x-svc-api-gateway': {
      info: { name: 'v', state: { active: true } },
      server: { listenPath: { value: '/v/' } },
      upstream: { url: 'http://up.test' },
      middleware: { operations: { a: { validateRequest: { enabled } } } },
    },
  }
  const found = await lintOpenApiDocument(JSON.stringify(document), 'svc')
  return found.map(({ severity, field, reason, fix }) => `${severity} ${dotted(field)} ${reason} (${fix})`)
}

const body = (schema: Json, type = 'application/json') => ({ requestBody: { content: { [type]: { schema } } } })
const parameter = (more: Json) => ({ parameters: [{ name: 'p', in: 'query', ...more }] })
const at = 'paths./a.post.requestBody.content.application/json.schema'

it.each<[Json, string]>([
  [
    body({ unevaluatedProperties: false }),
    `warning ${at}.unevaluatedProperties the keyword unevaluatedProperties is not checked`,
  ],
  [
    body({ properties: { m: { format: 'uuid' } } }),
    `note ${at}.properties.m.format the format "uuid" is not checked; a pattern is`,
  ],
  [body({ items: { pattern: '(?<=a)b' } }), `warning ${at}.items.pattern (?<=a)b is not valid, so values are rejected`],
  [body({ discriminator: { propertyName: 'k' } }), `warning ${at}.discriminator selects no schema`],
  [body({ $ref: 'other.yaml#/A' }), `warning ${at} refers to other.yaml#/A, which is not in the document`],
  [
    body({ allOf: [{ $ref: '#/components/schemas/S', minLength: 1 }] }),
    `warning ${at}.allOf.0 minLength has no effect beside $ref`,
  ],
  [body({ $ref: '#/components/schemas/S' }), 'note components.schemas.S.format the format "ipv4" is not checked'],
  [body({ type: 'object' }, 'application/xml'), 'values of the type application/xml are rejected'],
  [{ requestBody: { content: { 'text/csv': {} } } }, 'has no schema, so values of the type text/csv are not checked'],
  [parameter({}), 'note paths./a.post.parameters.0 the parameter p has no schema'],
  [
    parameter({ content: { 'application/xml': { schema: { type: 'object' } } } }),
    'values of the type application/xml are rejected',
  ],
  [{ parameters: [{ name: 'Accept', in: 'header', schema: {} }] }, 'although OpenAPI ignores parameters named Accept'],
])('%j is reported', async (operation, message) => {
  const schemas = { S: { type: 'string', format: 'ipv4' } }
  const found = await findings(operation, schemas)
  expect(found.filter((line) => line.includes(message))).toHaveLength(1)
  // References to other documents are not read by anything, so they are reported without validation too.
  const isOther = JSON.stringify(operation).includes('other.yaml')
  const unread = expect.stringContaining('$ref refers to other.yaml#/A, which is in another document')
  expect(await findings(operation, schemas, false)).toEqual(isOther ? [unread] : [])
})

it('reports nothing that is checked', async () => {
  const schema = {
    oneOf: [{ $ref: '#/components/schemas/S' }],
    discriminator: { propertyName: 'k' },
    properties: { day: { type: 'string', format: 'date', nullable: true } },
  }
  expect(await findings({ ...body(schema), ...parameter({ style: 'deepObject', schema }) }, { S: {} })).toEqual([])
})

it('reports settings of the security that surprise', async () => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'v', version: '1' },
    paths: {},
    security: [{ k: [], j: [] }],
    components: {
      securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'X-Doc' }, j: { type: 'http', scheme: 'bearer' } },
    },
    'x-svc-api-gateway': {
      info: { name: 'v', state: { active: true } },
      server: {
        listenPath: { value: '/v/' },
        port: 0,
        authentication: {
          enabled: true,
          securitySchemes: {
            k: { enabled: true, header: { enabled: true, name: 'X-Ext' } },
            j: { enabled: true, header: { enabled: true } },
          },
        },
      },
      upstream: { url: 'http://up.test' },
    },
  }
  const found = await lintOpenApiDocument(JSON.stringify(document), 'svc')
  expect(found.map(({ severity, field }) => `${severity} ${dotted(field).replace(/^[^.]*\./, '')}`).sort()).toEqual([
    'note server.authentication.securitySchemes.j',
    'warning server.authentication.securitySchemes.k.header.name',
    'warning server.port',
  ])
})
