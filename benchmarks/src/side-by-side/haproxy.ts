import { installedVersion } from '../measure/installed-version.ts'
import { key, type ProxySubject, type Settings, startInFolder } from './proxy.ts'

export const haproxy: ProxySubject = {
  name: 'HAProxy',
  limiter: 'comparison of the header; `http_req_rate` of a stick table (sliding window) per header',
  version: () => installedVersion('haproxy', '-v', /version (\S+)/),
  files,
  start: (settings) => startInFolder(haproxy, settings, ['haproxy', '-db', '-q', '-f', 'haproxy.cfg']),
}

function files({ port, upstream, mode, perSecond }: Settings): Record<string, string> {
  const check = `
  http-request deny deny_status 401 unless { req.hdr(authorization) -m str ${key} }
  stick-table type string len 64 size 100k expire 60s store http_req_rate(1s)
  http-request track-sc0 req.hdr(authorization)
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt ${perSecond} }`
  return {
    'haproxy.cfg': `global
  nbthread 1
  maxconn 1024
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend in
  bind 127.0.0.1:${port}${mode === 'limited' ? check : ''}
  default_backend out
backend out
  http-reuse always
  server one ${upstream}
`,
  }
}
