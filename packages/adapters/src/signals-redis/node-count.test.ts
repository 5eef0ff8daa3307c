import { expect, it } from 'vitest'
import { makeNodeCount, printNotice } from './node-count.ts'

const own = { id: 'solo-1', hostName: 'a', tagHash: '' }
const notice = (id: string, tagHash = '') => printNotice({ id, hostName: 'a', requestsPerSecond: 0.2, tagHash })

it('a notice has the recorded format and a load of at least 1', () => {
  expect(notice('solo-1')).toBe('{"HostName":"a","ID":"solo-1","LoadPerSec":1,"Percentage":0,"TagHash":""}')
})

it('counts nodes with an unexpired notice', () => {
  let now = 0
  const nodes = makeNodeCount(own, 4000, () => now)
  expect(nodes.count()).toBe(1)
  nodes.receive(notice('solo-1'))
  nodes.receive(notice('solo-2'))
  nodes.receive(notice('solo-3'))
  nodes.receive(notice('solo-3'))
  expect(nodes.count()).toBe(3)
  now = 2000
  nodes.receive(notice('solo-1'))
  nodes.receive(notice('solo-2'))
  now = 4000
  expect(nodes.count()).toBe(2)
  now = 100_000
  expect(nodes.count()).toBe(1)
})

it('ignores other nodes before its own notice, nodes of another group, and invalid notices', () => {
  const nodes = makeNodeCount(own, 4000, () => 0)
  nodes.receive(notice('solo-2'))
  expect(nodes.count()).toBe(1)
  nodes.receive(notice('solo-1'))
  nodes.receive(notice('solo-4', 'tagged'))
  for (const text of ['', 'null', '[]', '{}', '{"ID":7,"HostName":"x"}']) nodes.receive(text)
  expect(nodes.count()).toBe(1)
  nodes.receive(notice('solo-2'))
  expect(nodes.count()).toBe(2)
})

it('counts at most 10,000 nodes, so that invented ones do not fill the memory', () => {
  let now = 0
  const nodes = makeNodeCount(own, 4000, () => now)
  nodes.receive(notice('solo-1'))
  for (let i = 0; i < 10_100; i++) nodes.receive(notice(`invented-${i}`))
  expect(nodes.count()).toBe(10_000)
  now = 3000
  nodes.receive(notice('solo-1'))
  now = 5000
  expect(nodes.count()).toBe(1)
})
