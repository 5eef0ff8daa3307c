/** Targets without sockets: templates, paths, JSON bodies, definitions as texts, cluster messages, upstream responses. */
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { makeRedisSignals } from '@turnpike/adapters/signals-redis'
import { lintDefinition, parseDefinition } from '@turnpike/core/definition'
import { loadGraphql, parseTextTemplate, readJson, utf8Bytes, utf8Text } from '@turnpike/core/lib'
import { defaultSettings, type Signal } from '@turnpike/core/ports'
import { cleanPath, makeListenPathTable } from '@turnpike/core/route'
import { makePathPatterns } from '@turnpike/core/session'
import { fuzzResponse } from '@turnpike/upstream/http1/fuzz'
import { readCorpus } from './corpus.ts'
import { FuzzFinding, type FuzzTarget, pureTarget } from './fuzz-target.ts'
import { hostileValue, jsonText, makeRandom, mutateJson, mutateText, pick, type Random } from './generate.ts'

const { definitions, calls } = readCorpus()
await loadGraphql()

const templatePieces: readonly string[] = [
  '{{',
  '}}',
  '{{- ',
  ' -}}',
  '{{range ',
  '{{end}}',
  '{{if ',
  '{{else}}',
  '{{with ',
  '{{define "a"}}',
  '{{template "a" .}}',
  '{{block "b" .}}',
  '.',
  '$',
  '$x := ',
  '|',
  'printf ',
  '"%s"',
  '"%9999999d"',
  'index ',
  'slice ',
  'len ',
  'html',
  'js',
  'urlquery',
  'jsonMarshal',
  'xmlMarshal',
  'repeat 9999999 ',
  '(',
  ')',
  '`',
  '/*',
  '*/',
  '\\',
  "'",
  '1e99',
  '._svc_meta.x',
  'and ',
  'or ',
  'not ',
  'eq ',
  'lt ',
  '🙂',
]
const templates: readonly string[] = [
  '{"a":"{{.a}}","list":[{{range $i, $e := .list}}{{if $i}},{{end}}{{$e}}{{end}}]}',
  '{{define "t"}}{{.}}{{end}}{{range .list}}{{template "t" .}}{{else}}none{{end}}',
  '{{with .a}}{{printf "%s-%d" . 3}}{{end}}{{ .deep.er.est | jsonMarshal }}',
]
const templateData: readonly unknown[] = [
  {},
  { a: 'x', list: [1, 2, 3], deep: { er: { est: [true] } } },
  { list: { a: 1 } },
  [],
  'text',
  7,
  null,
]

const template = pureTarget('template', (seed) => {
  const random = makeRandom(seed)
  const source = mutateText(random, pick(random, templates), templatePieces, 8)
  const parsed = parseTextTemplate(source)
  if (parsed.problem !== undefined) return
  const data = random(3) === 0 ? hostileValue(random) : pick(random, templateData)
  const rendered = parsed.render(data)
  if (rendered.problem === undefined && rendered.text.length > 20_000_000) throw new FuzzFinding('a bomb', source)
})

const pathPieces: readonly string[] = [
  '/',
  '//',
  '/.',
  '/..',
  '/../',
  '.',
  '%2e',
  '%2E%2e',
  '%2f',
  '%5c',
  '\\',
  '%',
  '%zz',
  '%00',
  ';',
  'a',
  'listen',
  '{id}',
  '{id:[0-9]+}',
  '\u00e4',
  '%ff',
]

function anyPath(random: Random): string {
  let path = '/'
  for (let i = random(9); i > 0; i--) path += pick(random, pathPieces)
  return path
}

const paths = pureTarget('path', (seed) => {
  const random = makeRandom(seed)
  const path = anyPath(random)
  const clean = cleanPath(path) ?? path
  if (cleanPath(clean) !== undefined) throw new FuzzFinding('a cleaned path is not clean', path)
  if (/^\/\/|\/\.{1,2}(\/|$)/.test(clean)) throw new FuzzFinding('a cleaned path has empty or dot segments', path)
  const patterns = makePathPatterns({ ...defaultSettings.routing, pathPrefixMatching: random(2) === 0 })
  patterns.compile(
    mutateText(random, anyPath(random), ['(.*)', '[a-z]{1,999}', '(a|b)*', '\\d', '^', '$', '(?i)', ...pathPieces]),
  )
  const listenPaths = Array.from({ length: 1 + random(4) }, () => anyPath(random))
  const table = makeListenPathTable(
    listenPaths.map((listenPath, i) => ({
      slot: listenPath,
      apiId: `${i}`,
      listenPath,
      isRoutedById: false,
      domain: '',
    })),
    { strictRoutes: random(2) === 0, customDomains: false, hostname: '' },
  )
  const found = table.resolve('a.test', path)
  const isPlain = found !== undefined && !/[{%]/.test(found.slot + path)
  if (isPlain && !path.startsWith(found.slot))
    throw new FuzzFinding('routed to another listen path', [path, found.slot])
})

const json = pureTarget('json', (seed) => {
  const random = makeRandom(seed)
  const text = jsonText(random, mutateJson(random, pick(random, calls).body))
  const bytes = utf8Bytes(text)
  const read = readJson(bytes)
  if (read.problem !== undefined) return
  if (JSON.stringify(read.value) !== JSON.stringify(JSON.parse(utf8Text(bytes))))
    throw new FuzzFinding('read another value', text)
})

const definition = pureTarget('definition', (seed) => {
  const random = makeRandom(seed)
  const text = jsonText(random, mutateJson(random, pick(random, definitions), pick(random, definitions)))
  const secret = () => undefined
  const parsed = parseDefinition(text, 'fuzzed.json', 'hash', { secret: secret as never })
  if ((parsed.definition === undefined) === (parsed.problem === undefined))
    throw new FuzzFinding('neither or both', text)
  const findings = lintDefinition(text)
  if (parsed.problem !== undefined && parsed.problem.message === '')
    throw new FuzzFinding('a problem without text', text)
  for (const { reason } of findings) if (reason === '') throw new FuzzFinding('a finding without text', text)
})

const signalPieces: readonly string[] = [
  'KeySpaceUpdateNotification',
  'TurnpikeSignal',
  'kind',
  'storedName',
  ',',
  ':',
  '"',
  '{',
  '}',
]
const commands: readonly string[] = [
  'KeySpaceUpdateNotification',
  'TurnpikeSignal',
  'DeleteAPICache',
  'InvalidateJWKSCacheForAPI',
  'GroupReload',
  'OAuthPurgeLapsedTokens',
  'NoticeGatewayDRLNotification',
  'NoticeConfigUpdated',
  '__proto__',
  '',
]
const ownSignals: readonly unknown[] = [
  { kind: 'certificate-changed', id: 'a' },
  { kind: 'key-changed', storedName: 'a' },
  { kind: 'gap' },
  { kind: 'reload', x: 1 },
]

/** Names of each kind of signal must be texts, because caches use them as keys. */
function checkSignal(signal: Signal, text: string): void {
  const names: Readonly<Record<string, string>> = {
    'key-changed': 'storedName',
    'org-changed': 'orgId',
    'cache-invalidated': 'apiId',
    'key-sets-changed': 'apiId',
    'certificate-changed': 'id',
  }
  const name = names[signal.kind]
  const isKnown = name !== undefined || ['reload', 'purge-expired-tokens'].includes(signal.kind)
  if (!isKnown) throw new FuzzFinding(`delivered a signal of kind ${signal.kind}`, text)
  if (name !== undefined && typeof (signal as Record<string, unknown>)[name] !== 'string') {
    throw new FuzzFinding(`delivered a signal without ${name}`, text)
  }
}

/** Cluster messages with a valid signature, and messages whose signature is wrong: those must have no effect. */
const signals: FuzzTarget = {
  name: 'signals',
  weight: 1,
  keepsState: true,
  async open() {
    const secret = 'node-secret'
    const client = Object.assign(new EventEmitter(), {
      status: 'ready',
      subscribe: async () => 1,
      ping: async () => 'PONG',
      disconnect: () => undefined,
    })
    const delivered: Signal[] = []
    const made = makeRedisSignals({ connection: {} as never, redis: client as never, signing: { secret } })
    made.subscribe((signal) => delivered.push(signal))
    return {
      run(seed) {
        const random = makeRandom(seed)
        const command =
          random(8) === 0 ? mutateText(random, pick(random, commands), signalPieces) : pick(random, commands)
        const payload =
          random(2) === 0
            ? jsonText(random, mutateJson(random, pick(random, ownSignals)))
            : mutateText(random, 'key', signalPieces)
        const isSigned = random(3) > 0
        const signature = createHash('sha256')
          .update(command + payload + (isSigned ? secret : 'guess'))
          .digest('hex')
        const message = {
          command,
          payload,
          signature,
          algorithm: 5,
          ...(random(4) === 0 ? { about: 'organisation' } : {}),
        }
        const text = isSigned ? JSON.stringify(message) : jsonText(random, mutateJson(random, message))
        delivered.length = 0
        client.emit('message', 'svc.cluster.notifications', text)
        if (!isSigned && delivered.length > 0)
          throw new FuzzFinding('a message without a valid signature had an effect', text)
        for (const signal of delivered) checkSignal(signal, text)
        if (made.nodes() > 1_000_000) throw new FuzzFinding('counts too many nodes', text)
      },
      close: async () => made.close(),
    }
  },
}

const upstreamParser = pureTarget('upstream-parser', fuzzResponse)

export const parserTargets: readonly FuzzTarget[] = [template, paths, json, definition, signals, upstreamParser]
