/**
 * What each feature of a definition costs a request in process: the same keyless API with and without it. A definition
 * that does not use a feature must cost what the plain one does.
 */
import { Bench } from 'tinybench'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { makeBenchEngine, medianMicros, requestFor, requestsPerSample } from './bench-engine.ts'

const paths = (extended: object) => ({
  version_data: {
    not_versioned: true,
    versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: extended } },
  },
})
const versioned = {
  definition: { location: 'header', key: 'X-Version' },
  version_data: {
    not_versioned: false,
    default_version: 'v1',
    versions: { v1: { name: 'v1' }, v2: { name: 'v2' } },
  },
}

/** Features by name, each as fields laid over the plain definition. */
const features: Readonly<Record<string, object>> = {
  'version by header': versioned,
  'ignored path': paths({ ignored: [{ path: '/x', method: 'GET' }] }),
  'allow list of 20 paths': paths({
    white_list: Array.from({ length: 20 }, (_, i) => ({ path: i === 19 ? '/x' : `/p${i}/{id}`, method: 'GET' })),
  }),
  CORS: { CORS: { enable: true } },
  'IP block list of 100': {
    enable_ip_blacklisting: true,
    blacklisted_ips: Array.from({ length: 100 }, (_, i) => `10.0.${i}.0/24`),
  },
  'size limit': paths({ size_limits: [{ path: '/x', method: 'POST', size_limit: 100 }] }),
  'global rate': { global_rate_limit: { rate: 1e9, per: 60 } },
  'path rate': paths({ rate_limit: [{ path: '/x', method: 'GET', rate: 1e9, per: 60 }] }),
  'request headers added': paths({
    transform_headers: [{ path: '/x', method: 'GET', add_headers: { 'X-A': '1' }, delete_headers: ['X-B'] }],
  }),
  'URL rewrite': paths({
    url_rewrites: [{ path: '/x', method: 'GET', match_pattern: '/x(.*)', rewrite_to: '/y$1' }],
  }),
  'method transform': paths({ method_transforms: [{ path: '/x', method: 'GET', to_method: 'POST' }] }),
  'response header injector': {
    response_processors: [{ name: 'header_injector', options: { add_headers: { 'X-Out': '1' } } }],
  },
}

export async function measureStages(milliseconds: number): Promise<Row[]> {
  const names = Object.keys(features)
  const { engine } = await makeBenchEngine([
    definition('plain', 'http://unused.test'),
    ...names.map((name, i) => definition(`f${i}`, 'http://unused.test', features[name])),
  ])
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 2 })
  const add = (name: string, path: string) => {
    const request = requestFor(path)
    const answer = engine.handle(request)
    if (answer instanceof Promise || answer.status !== 200) throw new Error(`${name}: the answer is not 200 at once`)
    bench.add(name, () => {
      for (let i = 0; i < requestsPerSample; i++) engine.handle(request)
    })
  }
  add('plain', '/plain/x')
  for (const [i, name] of names.entries()) add(name, `/f${i}/x`)
  await bench.run()
  const micros = new Map(bench.tasks.map((task) => [task.name, medianMicros(task.result)]))
  const plain = micros.get('plain') ?? Number.NaN
  return names.map((name) => {
    const each = micros.get(name) ?? Number.NaN
    const more = Math.max(0, each - plain)
    return rowOf(`  stage: ${name}`, more, ' µs', undefined, `${(each / plain).toFixed(2)} × a plain keyless request`)
  })
}
