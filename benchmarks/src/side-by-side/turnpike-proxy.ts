import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { definition, keyed } from '../subjects/definition.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import type { Mode, ProxySubject, Settings } from './proxy.ts'

export const turnpikeProxy: ProxySubject = {
  name: 'Turnpike',
  limiter: 'stored key with access rights; default rate limiter per key',
  version: () =>
    JSON.parse(readFileSync(createRequire(import.meta.url).resolve('turnpike/package.json'), 'utf8')).version,
  files: (settings) => ({
    'apps/bench.json': `${JSON.stringify(definitionOf(settings), null, 1)}\n`,
    ...(settings.mode === 'limited'
      ? { 'session of the key benchone': `${JSON.stringify(sessionOf(settings), null, 1)}\n` }
      : {}),
  }),
  async start(settings) {
    const subject = await startTurnpike({ apis: [definitionOf(settings)] })
    if (settings.mode === 'limited') await subject.manage('POST', '/svc/keys/one', sessionOf(settings))
    return subject
  },
}

function definitionOf({ upstream, mode }: { readonly upstream: string; readonly mode: Mode }): object {
  const limited = { ...keyed, disable_quota: true }
  const proxy = { listen_path: '/', target_url: `http://${upstream}`, strip_listen_path: true }
  return definition('bench', upstream, { proxy, ...(mode === 'limited' ? limited : {}) })
}

const sessionOf = ({ perSecond }: Settings) => ({
  org_id: 'bench',
  rate: perSecond,
  per: 1,
  quota_max: -1,
  access_rights: { bench: { api_id: 'bench', api_name: 'bench', versions: ['Default'] } },
})
