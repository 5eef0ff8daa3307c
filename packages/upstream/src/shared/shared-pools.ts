/** The pools of an upstream adapter. All APIs with the same origin and options share a pool, also across reloads. */
import type { UpstreamError, UpstreamLink, UpstreamRequest, UpstreamResponse } from '@turnpike/core/ports'

export interface SharedPool {
  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError>
  /** The last user has released the pool. */
  retire(): void
  /** Aborts all calls. */
  destroy(): Promise<void>
}

interface Share<Pool> {
  readonly pool: Pool
  users: number
}

export class SharedPools<Pool extends SharedPool> {
  private readonly shares = new Map<string, Share<Pool>>()

  /** `name` identifies origin and options. `make` is called for the first user. */
  connect(name: string, make: () => Pool): UpstreamLink {
    const share = this.shares.get(name) ?? { pool: make(), users: 0 }
    this.shares.set(name, share)
    share.users++
    return new PoolLink(share.pool, () => {
      share.users--
      if (share.users > 0) return
      this.shares.delete(name)
      share.pool.retire()
    })
  }

  list(): Pool[] {
    return Array.from(this.shares.values(), ({ pool }) => pool)
  }

  async close(): Promise<void> {
    const pools = this.list()
    this.shares.clear()
    await Promise.all(pools.map((pool) => pool.destroy()))
  }
}

// A class, because each API has a link, and with thousands of APIs every additional object causes cache misses.
class PoolLink implements UpstreamLink {
  private readonly pool: SharedPool
  private readonly onRelease: () => void
  private released = false

  constructor(pool: SharedPool, onRelease: () => void) {
    this.pool = pool
    this.onRelease = onRelease
  }

  send(request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError> {
    return this.pool.send(request)
  }

  // A request from before a reload can still call `send` after `release`, so the pool only stops keeping connections.
  release(): void {
    if (this.released) return
    this.released = true
    this.onRelease()
  }
}
