import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const other = (network: string) => ({ network, isTrusted: false })

function drain(queue: FairQueue<string>): string[] {
  const jobs: string[] = []
  for (let job = queue.next(); job !== undefined; job = queue.next()) jobs.push(job)
  return jobs
}

it('serves networks in turn, each in the order of its jobs', () => {
  const queue = new FairQueue<string>(100)
  for (const job of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(job, other(job[0] ?? ''))
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it('serves those first who signed in before', () => {
  const queue = new FairQueue<string>(100)
  for (const job of ['a1', 'a2', 'b1']) queue.add(job, other(job[0] ?? ''))
  queue.add('a trusted', { network: 'a', isTrusted: true })
  expect(queue.next()).toBe('a trusted')
})

it('drops the newest job of the network with the most jobs', () => {
  const queue = new FairQueue<string>(3)
  for (const job of ['a1', 'a2', 'a3']) expect(queue.add(job, other('a'))).toBeUndefined()
  expect(queue.add('b1', other('b'))).toBe('a3')
  expect(queue.add('a4', other('a'))).toBe('a4')
  expect(queue.add('t1', { network: 'a', isTrusted: true })).toBe('a2')
  expect(drain(queue)).toEqual(['t1', 'a1', 'b1'])
})
