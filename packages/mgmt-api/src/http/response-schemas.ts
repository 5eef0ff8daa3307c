/**
 * Schemas of JSON responses whose serialisers are faster than `JSON.stringify`; the other responses are listed in
 * docs/decisions/0019-json-serialisers.md. scripts/json-serialisers.mjs generates a serialiser for each.
 */
import { type JsonSchema, policyShape, sessionShape } from '@turnpike/core'
import { certificateSchema } from '../certs/certificate-wire.ts'
import { probeReportSchema } from '../docs/openapi.ts'
import { apiHealthSchema } from '../health/get-health.ts'
import { clientSchema } from '../oauth-clients/client-wire.ts'
import { tokensSchema } from '../oauth-clients/token-operations.ts'
import { nodesSchema } from '../reload/list-nodes.ts'
import { reportSchema } from '../reload/reload-report.ts'
import { doneSchema, statusSchema } from './reply.ts'

const text: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }

const done: JsonSchema = {
  ...doneSchema,
  properties: { ...doneSchema.properties, key_hash: text, warnings: { type: 'array', items: text } },
}

const check: JsonSchema = {
  type: 'object',
  properties: { status: text, output: text, componentType: text, time: text },
}
const probeReport: JsonSchema = {
  ...probeReportSchema,
  properties: {
    ...probeReportSchema.properties,
    details: { type: 'object', properties: { redis: check, definitions: check, features: check } },
  },
}

const oAuthTokenPage: JsonSchema = {
  type: 'object',
  properties: {
    Pagination: { type: 'object', properties: { page_num: integer, page_total: integer, page_size: integer } },
    Tokens: tokensSchema,
  },
}

/** RFC 6749, section 5.1. */
const issuedTokens: JsonSchema = {
  type: 'object',
  properties: {
    access_token: text,
    token_type: text,
    expires_in: { type: 'number' },
    refresh_token: text,
    scope: text,
  },
}

/** The response to an approved authorization, with its members in the recorded order. */
const approval: JsonSchema = {
  type: 'object',
  properties: {
    access_token: text,
    code: text,
    expires_in: { type: 'number' },
    redirect_to: text,
    scope: text,
    state: text,
    token_type: text,
  },
}

const texts: JsonSchema = { type: 'array', items: text }

/** Authorization server metadata (RFC 8414, section 2). */
const authorizationServer: JsonSchema = {
  type: 'object',
  properties: {
    issuer: text,
    authorization_endpoint: text,
    token_endpoint: text,
    revocation_endpoint: text,
    response_types_supported: texts,
    grant_types_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    code_challenge_methods_supported: texts,
  },
}

/** RFC 6749, section 5.2; the response to a rejected authorization has `state` and `redirect_to` as well. */
const oAuthError: JsonSchema = {
  type: 'object',
  properties: { error: text, error_description: text, state: text, redirect_to: text },
}

export const responseSchemas = {
  status: statusSchema,
  done,
  session: sessionShape.schema,
  policy: policyShape.schema,
  apiHealth: apiHealthSchema,
  probeReport,
  reloadReport: reportSchema,
  nodes: nodesSchema,
  oAuthClient: clientSchema,
  oAuthTokens: tokensSchema,
  oAuthTokenPage,
  issuedTokens,
  approval,
  authorizationServer,
  oAuthError,
  certificate: certificateSchema,
}
