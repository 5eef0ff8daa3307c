/** Cases of stages that find the upstream and prove the gateway to it. */
import type { Fetch } from '@turnpike/core/ports'
import type { StageCase } from './stage-case.ts'

const document = { status: 200, body: new TextEncoder().encode('{"at":"http://found.test"}') }
const fetch: Fetch = { get: async () => document, postForm: async () => document }

const signing = { is_enabled: true, key_id: 'bench', secret: 'low-tide', algorithm: 'hmac-sha256' }

export const upstreamCases: readonly StageCase[] = [
  {
    name: 'target from a discovery service',
    fields: {
      proxy: {
        listen_path: '/case/',
        strip_listen_path: true,
        target_url: 'http://unused.test',
        service_discovery: { use_discovery_service: true, query_endpoint: 'http://names.test/', data_path: 'at' },
      },
    },
    engine: { parts: { fetch } },
  },
  { name: 'signature for the upstream, HMAC', fields: { request_signing: { ...signing, header_list: ['accept'] } } },
  {
    name: 'basic authentication to the upstream',
    fields: { upstream_auth: { enabled: true, basic_auth: { enabled: true, username: 'u', password: 'p' } } },
  },
]
