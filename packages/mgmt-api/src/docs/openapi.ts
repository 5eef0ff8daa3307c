/**
 * The OpenAPI 3.1 document of the management API, generated from the operations. Its schemas are those that handlers parse
 * with, so documentation and behaviour agree.
 */
import { classicShape } from '@turnpike/core/definition'
import { type JsonSchema, vendorForms } from '@turnpike/core/lib'
import { sessionShape } from '@turnpike/core/ports'
import { policyShape } from '@turnpike/core/session'
import { doneSchema, statusSchema } from '../http/reply.ts'
import { keyHeaderOf } from '../http/secret.ts'
import type { Management } from '../management.ts'
import type { Operation, ResponseNote, Route, TaggedOperation } from '../operation.ts'

/** The part of OpenAPI that this document uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
  readonly security: readonly object[]
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: { readonly description?: string; readonly required: true; readonly content: OpenApiContent }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: OpenApiContent }>>
}

interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

type OpenApiContent = Readonly<Record<string, { readonly schema: SchemaOrRef }>>
type SchemaOrRef = JsonSchema | { readonly $ref: string }

/** Named schemas that several operations share. */
const named = new Map<JsonSchema, string>([
  [sessionShape.schema, 'Session'],
  [policyShape.schema, 'Policy'],
  [classicShape.schema, 'ApiDefinition'],
  [doneSchema, 'Done'],
  [statusSchema, 'StatusMessage'],
])

export function makeOpenApi(
  routes: readonly Route[],
  management: Pick<Management, 'settings' | 'options'>,
): OpenApiDocument {
  const { settings, options } = management
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const all = [...probes(options.livenessName, options.readinessName), ...routes]
  for (const { method, path, operation } of all) {
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = toOpenApi(path, operation)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${vendorForms(settings.vendor).title} management API`,
      version: settings.versionText,
      description: 'Keys, policies, definitions and the state of this gateway.',
    },
    tags: [...new Set(all.map(({ operation }) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries([...named].map(([schema, name]) => [name, schema])),
      securitySchemes: {
        managementKey: { type: 'apiKey', in: 'header', name: keyHeaderOf(settings.vendor) },
      },
    },
    security: [{ managementKey: [] }],
  }
}

const probeReportSchema: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['pass', 'warn', 'fail'] },
    version: { type: 'string' },
    description: { type: 'string' },
    details: { type: 'object' },
  },
}

/** Probes are not in the routes table: they need no key and have no trailing slash. */
function probes(livenessName: string, readinessName: string): Pick<Route, 'method' | 'path' | 'operation'>[] {
  const probe = (id: string, name: string, summary: string, responses: Operation['responses']): Route => ({
    method: 'GET',
    path: `/${name}`,
    operation: {
      id,
      method: 'GET',
      path: `/${name}`,
      tag: 'health',
      summary,
      open: true,
      responses,
      handle: () => Promise.reject(new Error('probes are handled by health/probes.ts')),
    },
  })
  const report: ResponseNote = { description: 'Status, version and what was checked', schema: probeReportSchema }
  return [
    probe('liveness', livenessName, 'Whether the process is alive', { 200: report }),
    probe('readiness', readinessName, 'Whether requests can be served', {
      200: report,
      503: 'The store does not respond, or nothing is loaded yet',
    }),
  ]
}

function toOpenApi(path: string, operation: TaggedOperation): OpenApiOperation {
  const { id, tag, summary, description, query, body, responses, open } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(open === true ? { security: [] } : {}),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]): OpenApiParameter => {
        return { name: name as string, in: 'path', required: true, schema: { type: 'string' } }
      }),
      ...(query ?? []).map(({ name, description: note }): OpenApiParameter => {
        return { name, in: 'query', required: false, description: note, schema: { type: 'string' } }
      }),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...(body.description === undefined ? {} : { description: body.description }),
            required: true as const,
            content: { [body.type ?? 'application/json']: { schema: refer(body.schema) } },
          },
        }),
    responses: Object.fromEntries(Object.entries(responsesOf(responses, open === true)).map(toResponseObject)),
  }
}

/** Responses that every call can have. */
function responsesOf(responses: Operation['responses'], open: boolean): Operation['responses'] {
  return open ? responses : { ...responses, 403: responses[403] ?? 'The management key is missing or wrong' }
}

function toResponseObject([status, given]: [string, ResponseNote | string]) {
  const note = typeof given === 'string' ? { description: given } : given
  const schema = refer(note.schema ?? statusSchema)
  return [
    status,
    { description: note.description, content: { [note.type ?? 'application/json']: { schema } } },
  ] as const
}

/** The schema with references to named schemas. */
function refer(schema: JsonSchema): SchemaOrRef {
  const name = named.get(schema)
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  return schema.items === undefined ? schema : { ...schema, items: refer(schema.items) as JsonSchema }
}
