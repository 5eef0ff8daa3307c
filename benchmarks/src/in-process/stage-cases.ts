/**
 * One case per pipeline stage: a definition that activates the stage, and a request that the stage admits. A test checks
 * that every stage is covered.
 */
import type { RequestSpan } from '@turnpike/core/pipeline'
import { defaultSettings, silentLog } from '@turnpike/core/ports'
import { paths, template } from '../subjects/definition.ts'
import { json, rule, type StageCase } from './stage-case.ts'
import { answerCases } from './stage-cases-answers.ts'
import { graphqlCases } from './stage-cases-graphql.ts'
import { identityCases } from './stage-cases-identity.ts'
import { scriptCases } from './stage-cases-scripts.ts'
import { tokenCases } from './stage-cases-tokens.ts'
import { upstreamCases } from './stage-cases-upstream.ts'

const versioned = {
  definition: { location: 'header', key: 'X-Version' },
  version_data: {
    not_versioned: false,
    default_version: 'v1',
    versions: { v1: { name: 'v1' }, v2: { name: 'v2' } },
  },
}
const orgLimits = { ...defaultSettings.limits, enforceOrgQuotas: true }
const roomyOrg = { rate: 1e9, per: 60, quota_max: 1e9, quota_renewal_rate: 3600 }

const acceptCases: readonly StageCase[] = [
  {
    name: 'organisation with limits',
    fields: {},
    engine: { settings: { limits: orgLimits } },
    prepare: ({ putOrg }) => putOrg('bench', roomyOrg),
  },
  { name: 'version by header', fields: versioned },
  { name: 'expiry announced in a header', fields: { expiration: '2999-01-01 00:00' } },
  { name: 'ignored path', fields: paths({ ignored: [rule] }) },
  {
    name: 'allow list of 20 paths',
    fields: paths({
      white_list: Array.from({ length: 20 }, (_, i) => ({ path: i === 19 ? '/x' : `/p${i}/{id}`, method: 'GET' })),
    }),
  },
  { name: 'CORS', fields: { CORS: { enable: true } }, request: { headers: ['origin', 'https://page.test'] } },
  { name: 'CORS left to the upstream', fields: { CORS: { enable: true, options_passthrough: true } } },
  {
    name: 'IP block list of 100',
    fields: {
      enable_ip_blacklisting: true,
      blacklisted_ips: Array.from({ length: 100 }, (_, i) => `10.0.${i}.0/24`),
    },
  },
  {
    name: 'paths closed because their plugin cannot run',
    fields: paths({ go_plugin: [{ path: '/closed', method: 'GET', plugin_path: 'p.so', func_name: 'Run' }] }),
    engine: { parts: { log: silentLog } },
  },
  { name: 'size limit', fields: paths({ size_limits: [{ path: '/x', method: 'POST', size_limit: 100 }] }) },
]

const shapeCases: readonly StageCase[] = [
  { name: 'global rate', fields: { global_rate_limit: { rate: 1e9, per: 60 } } },
  { name: 'path rate', fields: paths({ rate_limit: [{ ...rule, rate: 1e9, per: 60 }] }) },
  {
    name: 'fields of a form as variables',
    fields: {
      enable_context_vars: true,
      ...paths({}, { global_headers: { 'X-Name': '$svc_context.request_data_name' } }),
    },
    request: { method: 'POST', headers: ['content-type', 'application/x-www-form-urlencoded'], body: 'name=anna' },
  },
  {
    name: 'request headers added',
    fields: paths({ transform_headers: [{ ...rule, add_headers: { 'X-A': '1' }, delete_headers: ['X-B'] }] }),
  },
  {
    name: 'request body template',
    fields: paths({ transform: [{ path: '/x', method: 'POST', template_data: template('{"n":{{.n}}}') }] }),
    request: { method: 'POST', headers: json, body: '{"n":1}' },
  },
  {
    name: 'body against a JSON schema',
    fields: paths({
      validate_json: [{ path: '/x', method: 'POST', schema: { type: 'object', required: ['n'] } }],
    }),
    request: { method: 'POST', headers: json, body: '{"n":1}' },
  },
  {
    name: 'URL rewrite',
    fields: paths({ url_rewrites: [{ ...rule, match_pattern: '/x(.*)', rewrite_to: '/y$1' }] }),
  },
  { name: 'method transform', fields: paths({ method_transforms: [{ ...rule, to_method: 'POST' }] }) },
]

/** A span that keeps nothing, so that the case measures the stage and not the export. */
const recordedSpan: RequestSpan = {
  traceId: '1'.repeat(32),
  spanId: '1'.repeat(16),
  isRecorded: true,
  needsEnd: true,
  entered() {},
  describe() {},
  startCall: () => undefined,
  end: (response) => response,
}

const recordCases: readonly StageCase[] = [
  {
    name: 'query of a recorded span',
    fields: {},
    engine: { parts: { tracing: { start: () => recordedSpan, nowMicros: () => performance.now() * 1000 } } },
    request: { path: '/x?color=red&key=secret' },
  },
]

export const stageCases: readonly StageCase[] = [
  ...acceptCases,
  ...identityCases,
  ...tokenCases,
  ...shapeCases,
  ...answerCases,
  ...graphqlCases,
  ...upstreamCases,
  ...scriptCases,
  ...recordCases,
]
