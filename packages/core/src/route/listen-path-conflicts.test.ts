import { describe, expect, it } from 'vitest'
import type { ApiDefinition } from '../definition/api-definition.ts'
import { classicShape } from '../definition/classic.ts'
import { normaliseDefinition } from '../definition/normalise.ts'
import { readShape } from '../lib/shape/shape.ts'
import { type RunningRoute, settleListenPaths } from './listen-path-conflicts.ts'

function api(id: string, listenPath: string, source = `${id}.json`, domain = ''): ApiDefinition {
  const { value } = readShape(classicShape, { api_id: id, domain, proxy: { listen_path: listenPath } })
  return normaliseDefinition(value, { source, hash: '1' })
}

/** Consecutive reloads of a gateway. */
function reloads(...rounds: readonly (readonly ApiDefinition[])[]) {
  let running: RunningRoute[] = []
  let settled = settleListenPaths([], running, { strictRoutes: false })
  for (const definitions of rounds) {
    settled = settleListenPaths(definitions, running, { strictRoutes: false })
    running = settled.routes.map(({ definition }) => ({
      apiId: definition.id,
      port: definition.port,
      domain: definition.domain,
      listenPath: definition.listenPath,
      source: definition.source,
    }))
  }
  return settled
}

const paths = (settled: ReturnType<typeof reloads>) => settled.routes.map((route) => route.definition.listenPath)
const shadowed = (settled: ReturnType<typeof reloads>) => settled.routes.map((route) => route.shadowed)

describe('one listen path in several definitions', () => {
  const first = api('first', '/x/')
  const second = api('second', '/x/')

  it('changes nothing without a conflict', () => {
    const settled = reloads([first, api('other', '/y/')])
    expect(settled.routes[0]?.definition).toBe(first)
    expect(settled.renames).toEqual([])
  })

  it('stays with the API that was served there; the other one moves below it and is shadowed until the next reload', () => {
    const settled = reloads([first], [second, first])
    expect(paths(settled)).toEqual(['/x/-second', '/x/'])
    expect(shadowed(settled)).toEqual([true, false])
    expect(settled.renames).toEqual([
      {
        apiId: 'second',
        source: 'second.json',
        domain: '',
        from: '/x/',
        to: '/x/-second',
        rivals: ['first.json'],
        keptBy: 'first.json',
      },
    ])
    const next = reloads([first], [second, first], [second, first])
    expect(paths(next)).toEqual(['/x/-second', '/x/'])
    expect(shadowed(next)).toEqual([false, false])
  })

  it('moves both when both are new, now and at every further reload', () => {
    for (const rounds of [1, 2, 3]) {
      const settled = reloads(...Array.from({ length: rounds }, () => [first, second]))
      expect(paths(settled)).toEqual(['/x/-first', '/x/-second'])
      expect(shadowed(settled)).toEqual([false, false])
      expect(settled.renames.map((rename) => rename.keptBy)).toEqual([undefined, undefined])
    }
  })

  it('gives the path to the only remaining API', () => {
    expect(paths(reloads([first, second], [second]))).toEqual(['/x/'])
    expect(paths(reloads([first], [first, second], [second]))).toEqual(['/x/'])
  })

  it('appends underscores until the new path is free', () => {
    expect(paths(reloads([api('x', '/a/'), api('y', '/a/'), api('z', '/a/-y')]))).toEqual(['/a/-x', '/a/-y_', '/a/-y'])
  })

  it('is no conflict on different ports', () => {
    const onPort = (id: string, listenPort: number) => ({ ...api(id, '/x/'), port: listenPort })
    const settled = reloads([api('a', '/x/'), onPort('b', 9001), onPort('c', 9002)])
    expect(paths(settled)).toEqual(['/x/', '/x/', '/x/'])
    expect(reloads([onPort('b', 9001)], [onPort('b', 9001), onPort('c', 9001)]).renames).toMatchObject([
      { apiId: 'c', to: '/x/-c' },
    ])
  })

  it('is no conflict on different domains', () => {
    expect(paths(reloads([api('a', '/x/', 'a.json', 'one.test'), api('b', '/x/', 'b.json', 'two.test')]))).toEqual([
      '/x/',
      '/x/',
    ])
  })

  it('moves both files of one new id', () => {
    expect(paths(reloads([api('dup', '/x/', 'a.json'), api('dup', '/x/', 'b.json')]))).toEqual(['/x/-dup', '/x/-dup_'])
    expect(paths(reloads([api('dup', '/x/', 'a.json'), api('dup', '/y/', 'b.json')]))).toEqual(['/x/', '/y/'])
  })

  it('keeps the file named after the id if a served id gets a second file', () => {
    const odd = api('odd', '/x/', 'oddname.json')
    expect(paths(reloads([odd], [odd, api('odd', '/x/', 'odd.json')]))).toEqual(['/x/-odd', '/x/'])
    expect(paths(reloads([odd], [odd, api('odd', '/x/', 'other.json')]))).toEqual(['/x/', '/x/-odd'])
  })

  it('shadows nothing with strict routes and no trailing slash', () => {
    const running = [{ apiId: 'a', port: 0, domain: '', listenPath: '/x', source: 'a.json' }]
    const settled = settleListenPaths([api('a', '/x'), api('b', '/x')], running, { strictRoutes: true })
    expect(settled.routes.map((route) => route.shadowed)).toEqual([false, false])
  })
})
