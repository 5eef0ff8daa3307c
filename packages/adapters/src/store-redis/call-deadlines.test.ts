import { expect, it } from 'vitest'
import { makeCallDeadlines } from './call-deadlines.ts'

const late = () => new Error('late')
const never = () => new Promise<never>(() => undefined)

it('settles as the call does', async () => {
  const deadlines = makeCallDeadlines(60_000, late)
  await expect(deadlines.watch(Promise.resolve(7))).resolves.toBe(7)
  await expect(deadlines.watch(Promise.reject(new Error('no')))).rejects.toThrow('no')
  deadlines.endAll()
})

it('rejects calls without a reply in the order of their start', async () => {
  const deadlines = makeCallDeadlines(40, late)
  const ended: number[] = []
  const calls = [1, 2, 3].map((n) => deadlines.watch(never()).catch(() => ended.push(n)))
  await Promise.all(calls)
  expect(ended).toEqual([1, 2, 3])
})

it('a process that was blocked reads waiting replies before it rejects calls', async () => {
  const deadlines = makeCallDeadlines(50, late)
  let reply = (_: string) => {}
  const call = deadlines.watch(new Promise<string>((resolve) => (reply = resolve)))
  const until = performance.now() + 300
  while (performance.now() < until);
  setImmediate(() => reply('was there all the time'))
  await expect(call).resolves.toBe('was there all the time')
})

it('rejects all waiting calls with endAll', async () => {
  const deadlines = makeCallDeadlines(60_000, late)
  const call = deadlines.watch(never())
  deadlines.endAll()
  await expect(call).rejects.toThrow('late')
})
