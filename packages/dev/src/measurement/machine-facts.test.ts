import { describe, expect, it } from 'vitest'
import { loadWarning, machineDifferences, machineFacts, machineLine } from './machine-facts.ts'

const machine = {
  ...machineFacts(),
  cpu: 'X 100',
  cores: 2,
  memoryGiB: 8,
  kernel: '6.1',
  node: 'v22.1.0',
  platform: 'linux x64',
}

describe('facts about the machine', () => {
  it('are one line', () => {
    expect(machineLine({ ...machine, load: 0.25 })).toBe(
      'X 100, 2 cores, 8 GiB, Linux 6.1, Node v22.1.0, load 0.3 at the start',
    )
  })

  it('name what differs between two machines, but not their load', () => {
    expect(machineDifferences({ ...machine, load: 1 }, { ...machine, load: 2 })).toEqual([])
    expect(machineDifferences(machine, { ...machine, node: 'v24.0.0', cores: 4 })).toEqual([
      'cores: 2 before, 4 now',
      'Node: v22.1.0 before, v24.0.0 now',
    ])
  })

  it('warn about a busy machine', () => {
    expect(loadWarning({ ...machine, load: 1 })).toBeUndefined()
    expect(loadWarning({ ...machine, load: 1.1 })).toMatch(
      /^the machine was busy at the start \(load 1\.1 on 2 cores\)/,
    )
  })
})
