import { describe, expect, it } from 'vitest'
import { readCommandLine } from './read-command-line.ts'
import { faults } from './seeded-bugs.ts'

const read = (line: string) => readCommandLine(line === '' ? [] : line.split(' '))

describe('the command line of the HTTP gateways', () => {
  it.each([
    ['', { rate: { count: 10, periodMs: 2000 }, headers: ['x-ratelimit', 'retry-after'] }],
    ['--limit 10/2s --fault crowd --port 9000', { rate: { count: 10, periodMs: 2000 }, fault: 'crowd', port: 9000 }],
    ['--limit 100/m', { rate: { count: 100, periodMs: 60_000 } }],
    ['--limit 5/500ms --burst 2', { rate: { count: 5, periodMs: 500, burst: 2 } }],
    [
      '--quota 5/1h --quota-status 403',
      { rate: undefined, quota: { count: 5, periodMs: 3_600_000 }, quotaStatus: 403 },
    ],
    ['--headers= --keys a,b', { headers: [], keys: ['a', 'b'] }],
  ])('reads "%s"', (line, expected) => {
    expect(read(line)).toMatchObject({ options: expected })
  })

  it.each([
    ['--limit 10', '--limit 10 is not a limit; write it as COUNT/TIME, for example 10/2s'],
    ['--limit 10/', '--limit 10/ is not a limit'],
    ['--limit 0/1s', 'wrong option: rate: count is 0; it must be a whole number from 1 on'],
    ['--fault x', 'wrong option: fault is "x"; it must be one of: crowd, '],
    ['--kind x', 'kind is "x"; it must be one of: fixed-window'],
    ['--headers x', 'a style of headers is "x"'],
    ['--port x', '--port x is not a whole number'],
    ['--unknown', "Unknown option '--unknown'"],
  ])('reports "%s"', (line, problem) => {
    expect(read(line)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('lists every fault', () => {
    const { print } = read('--list') as { print: string }
    expect(print.split('\n').map((row) => row.split(' ', 1)[0])).toEqual(Object.keys(faults))
  })
})
