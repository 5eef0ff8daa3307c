/**
 * JSON schemas of the documents of MCP proxies: those of OpenAPI documents, with tools, resources and prompts.
 * Source: docs/reference/mcp-proxies.md#mcp-document-checks.
 */

import { isJson, type Json, objectOf } from '../../lib/json.ts'
import { documentSchemaFor, type SchemaForVersion } from '../openapi/document-schema.ts'

const flag = { type: 'boolean' }
const text = { type: 'string' }
const number = { type: 'number' }
const headers = {
  type: 'array',
  items: { type: 'object', required: ['name', 'value'], properties: { name: text, value: text } },
}

/** A part of a primitive; `enabled` is required. */
function part(properties: Json = {}): Json {
  return { type: 'object', required: ['enabled'], properties: { enabled: flag, ...properties } }
}

const headerRules = part({ add: headers, remove: { type: 'array', items: text } })

const primitive: Json = {
  type: 'object',
  properties: {
    allow: part({ ignoreCase: flag }),
    block: part({ ignoreCase: flag }),
    ignoreAuthentication: part({ ignoreCase: flag }),
    transformRequestBody: part({ format: text, body: text, path: text }),
    transformRequestHeaders: headerRules,
    transformResponseHeaders: headerRules,
    enforceTimeout: part({ value: number }),
    circuitBreaker: part({ threshold: number, sampleSize: number, coolDownPeriod: number, halfOpenStateEnabled: flag }),
    requestSizeLimit: part({ value: number }),
    rateLimit: part({ rate: number, per: text }),
    trackEndpoint: part(),
    doNotTrackEndpoint: part(),
  },
}
const primitives: Json = { type: 'object', additionalProperties: primitive }

/** The schema for an OpenAPI version such as `3.1.0`; `problem`: the version is unsupported or invalid. */
export function mcpSchemaFor(version: string, extensionKey: string): SchemaForVersion {
  const { schema, problem } = documentSchemaFor(version, extensionKey)
  // This message starts with a lower-case letter, unlike that of OpenAPI documents.
  if (problem !== undefined) return { problem: problem.replace(/^S/, 's') }
  // Documents of MCP proxies have neither web hooks nor a schema dialect.
  const { webhooks: _webhooks, jsonSchemaDialect: _dialect, ...members } = objectOf(schema['properties'])
  return { schema: { ...schema, properties: { ...members, [extensionKey]: withPrimitives(members[extensionKey]) } } }
}

function withPrimitives(extension: unknown): Json {
  const given = objectOf(extension)
  const properties = objectOf(given['properties'])
  const middleware = objectOf(properties['middleware'])
  return {
    ...given,
    properties: {
      ...properties,
      middleware: {
        ...middleware,
        type: 'object',
        properties: {
          ...(isJson(middleware['properties']) ? middleware['properties'] : {}),
          mcpTools: primitives,
          mcpResources: primitives,
          mcpPrompts: primitives,
        },
      },
    },
  }
}
