/** Cost of a request to an OpenAPI document with many operations, as a multiple of one with few. */
import { classicShape, toClassic } from '@turnpike/core/definition'
import { isPromise } from '@turnpike/core/lib'
import { type Row, rowOf } from '../report/table.ts'
import { makeBenchEngine, requestFor } from './bench-engine.ts'
import { requestsPerSample, timeTasks } from './time-tasks.ts'

const sizes = [10, 1223] as const

/** Each operation is on the allow list and validates its requests. */
export async function measureOperations(milliseconds: number): Promise<Row[]> {
  const apis = sizes.map((size) => ({
    size,
    id: `operations${size}`,
    path: `/operations${size}/owners/me/part7/items/7`,
  }))
  const documents = Object.fromEntries(apis.map(({ id, size }) => [id, documentWith(id, size)]))
  const { engine } = await makeBenchEngine(Object.values(documents).map(definitionOf), { documents })
  const microsOf = await timeTasks(milliseconds, async (bench) => {
    for (const { id, path } of apis) {
      const request = requestFor(path)
      // The first request loads the schema compiler.
      await engine.handle(request)
      const response = engine.handle(request)
      if (isPromise(response) || response.status !== 200) throw new Error(`${id}: the response is not 200 at once`)
      bench.add(id, () => {
        for (let i = 0; i < requestsPerSample; i++) engine.handle(request)
      })
    }
  })
  const [few, many] = sizes.map((size) => microsOf(`operations${size}`))
  if (few === undefined || many === undefined) throw new Error('there are two sizes')
  const note = `${many.median.toFixed(1)} µs against ${few.median.toFixed(1)} µs with ${sizes[0]} operations`
  const name = `in process: document of ${sizes[1]} operations, allow list and validation`
  return [rowOf(name, many.median / few.median, '×', 1.3, note)]
}

function documentWith(id: string, size: number) {
  const parameters = [
    { name: 'owner', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'item', in: 'path', required: true, schema: { type: 'integer' } },
  ]
  const ids = Array.from({ length: size }, (_, i) => `get${i}`)
  const paths = ids.map((operationId, i) => [
    `/owners/{owner}/part${i}/items/{item}`,
    { get: { operationId, parameters, responses: { 200: { description: 'ok' } } } },
  ])
  const on = { enabled: true }
  return {
    openapi: '3.0.3',
    info: { title: id, version: '1' },
    paths: Object.fromEntries(paths),
    'x-svc-api-gateway': {
      info: { id, name: id, state: { active: true } },
      server: { listenPath: { value: `/${id}/`, strip: true } },
      upstream: { url: 'http://unused.test' },
      middleware: { operations: Object.fromEntries(ids.map((one) => [one, { allow: on, validateRequest: on }])) },
    },
  }
}

function definitionOf(document: ReturnType<typeof documentWith>): object {
  const derived = toClassic(document, document['x-svc-api-gateway'])
  if (derived.problem !== undefined) throw new Error(derived.problem)
  return classicShape.writeSparse(derived.value) as object
}
