/** Cost of the decision path in process: authentication, access rights, rate and quota, together and step by step. */

import { Bench } from 'tinybench'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { roomySession } from '../subjects/sessions.ts'
import { makeBenchEngine, medianMicros, requestFor, requestsPerSample } from './bench-engine.ts'

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
const full = 'auth + rights + rate + quota'

export async function measureDecisions(milliseconds: number): Promise<Row[]> {
  const { engine, putKey } = await makeBenchEngine([
    definition('open', 'http://unused.test'),
    definition('auth', 'http://unused.test', { ...keyed, disable_rate_limit: true, disable_quota: true }),
    definition('rate', 'http://unused.test', { ...keyed, disable_quota: true }),
    definition('full', 'http://unused.test', keyed),
  ])
  for (const id of ['auth', 'rate', 'full']) await putKey(`bench${id}`, roomySession(id))
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 2 })
  const add = (name: string, path: string, key?: string) => {
    const request = requestFor(path, key)
    const answer = engine.handle(request)
    if (answer instanceof Promise || answer.status !== 200) throw new Error(`${name}: the answer is not 200 at once`)
    bench.add(name, () => {
      for (let i = 0; i < requestsPerSample; i++) engine.handle(request)
    })
  }
  add('keyless', '/open/x')
  add('auth + rights', '/auth/x', 'benchauth')
  add('auth + rights + rate', '/rate/x', 'benchrate')
  add(full, '/full/x', 'benchfull')
  await bench.run()
  const micros = new Map(bench.tasks.map((task) => [task.name, medianMicros(task.result)]))
  const base = micros.get('keyless') ?? Number.NaN
  return [...micros].map(([name, each]) => {
    const budget = name === full ? 2 : undefined
    return rowOf(`in process: ${name}`, each, ' µs', budget, `${(each / base).toFixed(2)} × a keyless request`)
  })
}
