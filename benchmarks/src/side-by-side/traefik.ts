import { installedVersion } from '../measure/installed-version.ts'
import { key, type ProxySubject, type Settings, startInFolder } from './proxy.ts'

export const traefik: ProxySubject = {
  name: 'Traefik',
  limiter: 'routing rule on the header (other requests get 404); `rateLimit` (token bucket) per header',
  version: () => installedVersion('traefik', 'version', /Version:\s+v?(\S+)/),
  files,
  // One core for Go code, as one worker process of the others.
  start: (settings) => startInFolder(traefik, settings, ['traefik', '--configFile=traefik.yml'], { GOMAXPROCS: '1' }),
}

function files({ port, upstream, mode, perSecond }: Settings): Record<string, string> {
  const matcher = (traefik.version() ?? '3').startsWith('2') ? 'Headers' : 'Header'
  const rule = mode === 'limited' ? `${matcher}(\`Authorization\`, \`${key}\`)` : 'PathPrefix(`/`)'
  const middleware = `
  middlewares:
    limit:
      rateLimit:
        average: ${perSecond}
        burst: ${perSecond}
        sourceCriterion:
          requestHeaderName: Authorization`
  return {
    'traefik.yml': `global: { checkNewVersion: false, sendAnonymousUsage: false }
log: { level: ERROR }
entryPoints: { web: { address: "127.0.0.1:${port}" } }
providers: { file: { filename: dynamic.yml, watch: false } }
serversTransport: { maxIdleConnsPerHost: 64 }
`,
    'dynamic.yml': `http:
  routers:
    all:
      rule: "${rule}"
      entryPoints: [web]
      service: one${mode === 'limited' ? '\n      middlewares: [limit]' : ''}
  services:
    one:
      loadBalancer:
        servers: [{ url: "http://${upstream}" }]${mode === 'limited' ? middleware : ''}
`,
  }
}
