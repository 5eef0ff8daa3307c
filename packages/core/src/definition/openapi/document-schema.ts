/**
 * JSON schemas of OpenAPI 3.0 and 3.1 documents with the extension. Parts that the gateway does not read are not
 * described. Source: docs/reference/openapi-documents.md#schema-failures.
 */
import type { Json } from '../../lib/json.ts'
import { operationMethods } from './operations.ts'

const text = { type: 'string' }
const flag = { type: 'boolean' }
const filled = { type: 'string', pattern: '\\S+' }
const texts = { type: 'array', items: text }
const anyObject = { type: 'object' }
const switched = { type: 'object', properties: { enabled: flag } }

/** The extension. Unknown members are allowed. */
const extension = {
  type: 'object',
  required: ['info', 'upstream', 'server'],
  properties: {
    info: {
      type: 'object',
      required: ['name', 'state'],
      properties: {
        id: text,
        orgId: text,
        name: filled,
        expiration: text,
        state: { type: 'object', required: ['active'], properties: { active: flag, internal: flag } },
        versioning: anyObject,
      },
    },
    upstream: {
      type: 'object',
      properties: { url: text, loadBalancing: switched, rateLimit: switched },
      anyOf: [{ required: ['url'] }, { required: ['loadBalancing'] }],
    },
    server: {
      type: 'object',
      required: ['listenPath'],
      properties: {
        listenPath: { type: 'object', required: ['value'], properties: { value: filled, strip: flag } },
        authentication: {
          ...switched,
          properties: {
            enabled: flag,
            securitySchemes: anyObject,
            securityProcessingMode: { type: 'string', enum: ['legacy', 'compliant'] },
            security: { type: 'array', items: texts },
          },
        },
        ipAccessControl: { ...switched, properties: { enabled: flag, allow: texts, block: texts } },
        batchProcessing: switched,
        customDomain: switched,
      },
    },
    errorOverrides: { type: 'object', required: ['enabled'], properties: { enabled: flag, value: anyObject } },
    middleware: {
      type: 'object',
      properties: {
        global: anyObject,
        operations: {
          type: 'object',
          additionalProperties: { type: 'object', additionalProperties: { type: ['object', 'array'] } },
        },
      },
    },
  },
}

const infoOf = (more: object) => ({
  type: 'object',
  required: ['title', 'version'],
  properties: {
    title: text,
    version: text,
    description: text,
    termsOfService: text,
    contact: anyObject,
    license: anyObject,
    ...more,
  },
  patternProperties: { '^x-': {} },
  additionalProperties: false,
})
const parameters = { type: 'array', items: anyObject }
const operation = {
  type: 'object',
  properties: {
    operationId: text,
    tags: texts,
    parameters,
    requestBody: anyObject,
    responses: { ...anyObject, additionalProperties: anyObject },
    security: { type: 'array', items: anyObject },
  },
}
const pathItem = (one: object) => ({
  type: 'object',
  properties: { parameters, ...Object.fromEntries(operationMethods.map((method) => [method, one])) },
})

const members = {
  info: infoOf({}),
  servers: { type: 'array', items: { type: 'object', required: ['url'], properties: { url: text } } },
  components: { ...anyObject, properties: { schemas: anyObject, securitySchemes: anyObject, parameters: anyObject } },
  security: { type: 'array', items: { type: 'object', additionalProperties: texts } },
  tags: { type: 'array', items: { type: 'object', required: ['name'] } },
  externalDocs: anyObject,
}

function schemaOf(extensionKey: string, openapi: string, paths: object, more: object): Json {
  return {
    type: 'object',
    required: ['openapi', 'info', 'paths'],
    properties: {
      // For editors.
      $schema: text,
      openapi: { type: 'string', pattern: openapi },
      ...members,
      paths,
      ...more,
      [extensionKey]: extension,
    },
    patternProperties: { '^x-': {} },
    additionalProperties: false,
  }
}

/** A schema; `problem`: the version is unsupported or invalid. */
export type SchemaForVersion =
  | { readonly schema: Json; readonly problem?: undefined }
  | { readonly schema?: undefined; readonly problem: string }

/** The schema for an OpenAPI version such as `3.0.3`; the oldest schema if the version is empty. */
export function documentSchemaFor(version: string, extensionKey: string): SchemaForVersion {
  if (version !== '' && !/^v?\d+(?:\.\d+)*(?:-?[\w.~-]+)?(?:\+[\w.~-]+)?$/.test(version)) {
    return { problem: `malformed version: ${version}` }
  }
  const [, minor] = version === '' ? ['', '0'] : (/^v?3\.([01])(?:\.\d+)?(?:[-.].*)?$/.exec(version) ?? [])
  if (minor === '0') {
    const paths = { type: 'object', additionalProperties: pathItem({ ...operation, required: ['responses'] }) }
    return { schema: schemaOf(extensionKey, '^3\\.0\\.\\d(-.+)?$', paths, {}) }
  }
  if (minor === '1') {
    const paths = { type: 'object', additionalProperties: pathItem(operation) }
    const more = { info: infoOf({ summary: text }), webhooks: anyObject, jsonSchemaDialect: text }
    return { schema: schemaOf(extensionKey, '^3\\.1\\.\\d+(-.+)?$', paths, more) }
  }
  return { problem: `Schema not found for version ${JSON.stringify(version)}` }
}
