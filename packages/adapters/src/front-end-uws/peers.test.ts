import { describe, expect, it } from 'vitest'
import { makePeers } from './peers.ts'

describe('the one address of all connections', () => {
  it('is known while all come from it', () => {
    const peers = makePeers()
    expect(peers.only).toBeUndefined()
    peers.met('10.0.0.1')
    peers.met('10.0.0.1')
    expect(peers.only).toBe('10.0.0.1')
  })

  it('is unknown as soon as another one comes, and stays so until nobody is left', () => {
    const peers = makePeers()
    peers.met('10.0.0.1')
    peers.met('10.0.0.2')
    expect(peers.only).toBeUndefined()
    peers.left()
    expect(peers.only).toBeUndefined()
    peers.met('10.0.0.2')
    expect(peers.only).toBeUndefined()
    peers.left()
    peers.left()
    peers.met('10.0.0.3')
    expect(peers.only).toBe('10.0.0.3')
  })
})
