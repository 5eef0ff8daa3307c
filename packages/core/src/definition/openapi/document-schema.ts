/**
 * JSON schemas of OpenAPI 3.0 and 3.1 documents with the extension. Parts that the gateway does not read are not
 * described. Source: docs/reference/openapi-documents.md#schema-failures.
 */
import { isJson, type Json, objectOf } from '../../lib/json.ts'
import { extensionShape } from './extension-shape/extension-shape.ts'
import { operationMethods } from './operations.ts'

const text = { type: 'string' }
const filled = { type: 'string', pattern: '\\S+' }
const texts = { type: 'array', items: text }
const anyObject = { type: 'object' }

/** What the members of the extension must have beside the types of `extensionShape`. */
const rules = {
  required: ['info', 'upstream', 'server'],
  properties: {
    info: {
      required: ['name', 'state'],
      properties: { name: filled, state: { required: ['active'] } },
    },
    upstream: { anyOf: [{ required: ['url'] }, { required: ['loadBalancing'] }] },
    server: {
      required: ['listenPath'],
      properties: {
        listenPath: { required: ['value'], properties: { value: filled } },
        authentication: { properties: { securityProcessingMode: { enum: ['legacy', 'compliant'] } } },
      },
    },
    errorOverrides: { required: ['enabled'] },
  },
}

/** The extension. Unknown members are allowed. */
const extension = withRules(strict({ ...extensionShape.schema }), rules)

/** Readers accept `null` for lists and objects; the schema of documents does not. */
function strict(schema: Json): Json {
  const { type, properties, items, additionalProperties } = schema
  const { enabled } = objectOf(properties)
  return {
    ...schema,
    ...(Array.isArray(type) ? { type: type.find((name) => name !== 'null') } : {}),
    ...(isJson(properties) ? { properties: mapMembers(properties, strict) } : {}),
    ...(isJson(items) ? { items: strict(items) } : {}),
    ...(isJson(additionalProperties) ? { additionalProperties: strict(additionalProperties) } : {}),
    // A part without `enabled` has no effect, which nobody expects of a part that is written.
    ...(isJson(enabled) ? { required: ['enabled'] } : {}),
  }
}

function mapMembers(members: Json, map: (member: Json) => Json): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(objectOf(member))]))
}

function withRules(schema: Json, { properties, ...others }: Json): Json {
  if (!isJson(properties)) return { ...schema, ...others }
  const members = objectOf(schema['properties'])
  const ruled = Object.entries(properties).map(([name, member]): [string, Json] => [
    name,
    withRules(objectOf(members[name]), objectOf(member)),
  ])
  return { ...schema, ...others, properties: { ...members, ...Object.fromEntries(ruled) } }
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
