/** Cost of the decision path in process: authentication, access rights, rate and quota, together and step by step. */
import { isPromise } from '@turnpike/core/lib'
import { type Row, rowOf } from '../report/table.ts'
import { definition, keyed } from '../subjects/definition.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { makeBenchEngine, requestFor } from './bench-engine.ts'
import { requestsPerSample, timeTasks } from './time-tasks.ts'

const keyless = 'keyless'
const full = 'auth + rights + rate + quota'

export async function measureDecisions(milliseconds: number): Promise<Row[]> {
  const { engine, putKey } = await makeBenchEngine([
    definition('open', 'http://unused.test'),
    definition('auth', 'http://unused.test', { ...keyed, disable_rate_limit: true, disable_quota: true }),
    definition('rate', 'http://unused.test', { ...keyed, disable_quota: true }),
    definition('full', 'http://unused.test', keyed),
  ])
  for (const id of ['auth', 'rate', 'full']) await putKey(`bench${id}`, roomySession(id))
  const cases: readonly { readonly name: string; readonly path: string; readonly key?: string }[] = [
    { name: keyless, path: '/open/x' },
    { name: 'auth + rights', path: '/auth/x', key: 'benchauth' },
    { name: 'auth + rights + rate', path: '/rate/x', key: 'benchrate' },
    { name: full, path: '/full/x', key: 'benchfull' },
  ]
  const microsOf = await timeTasks(milliseconds, (bench) => {
    for (const { name, path, key } of cases) {
      const request = requestFor(path, key)
      const response = engine.handle(request)
      if (isPromise(response) || response.status !== 200) throw new Error(`${name}: the response is not 200 at once`)
      bench.add(name, () => {
        for (let i = 0; i < requestsPerSample; i++) engine.handle(request)
      })
    }
  })
  return cases.map(({ name }) => {
    const each = microsOf(name)
    const ratio = each.median / microsOf(keyless).median
    const budget = name === full ? 2 : undefined
    return rowOf(`in process: ${name}`, each, ' µs', budget, `${ratio.toFixed(2)} × a keyless request`)
  })
}
