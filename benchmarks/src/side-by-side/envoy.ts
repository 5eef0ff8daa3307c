import { installedVersion } from '../measure/installed-version.ts'
import { key, type ProxySubject, type Settings, startInFolder } from './proxy.ts'

export const envoy: ProxySubject = {
  name: 'Envoy',
  limiter:
    'route that matches the header (other requests get 404); `local_ratelimit` (token bucket) for all clients together',
  version: () => installedVersion('envoy', '--version', /version: [0-9a-f]+\/([^/]+)/),
  files,
  start: (settings) =>
    startInFolder(envoy, settings, ['envoy', '-c', 'envoy.yaml', '--concurrency', '1', '-l', 'error']),
}

function files({ port, upstream, mode, perSecond }: Settings): Record<string, string> {
  const [host, upstreamPort] = upstream.split(':')
  const match =
    mode === 'limited'
      ? `{ prefix: /, headers: [{ name: authorization, string_match: { exact: ${key} } }] }`
      : '{ prefix: / }'
  const always = '{ default_value: { numerator: 100, denominator: HUNDRED } }'
  const limit = `
          - name: envoy.filters.http.local_ratelimit
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
              stat_prefix: limit
              token_bucket: { max_tokens: ${perSecond}, tokens_per_fill: ${perSecond}, fill_interval: 1s }
              filter_enabled: ${always}
              filter_enforced: ${always}`
  return {
    'envoy.yaml': `static_resources:
  listeners:
  - address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes: [{ match: ${match}, route: { cluster: one } }]
          http_filters:${mode === 'limited' ? limit : ''}
          - name: envoy.filters.http.router
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
  clusters:
  - name: one
    type: STATIC
    load_assignment:
      cluster_name: one
      endpoints:
      - lb_endpoints:
        - endpoint: { address: { socket_address: { address: ${host}, port_value: ${upstreamPort} } } }
`,
  }
}
