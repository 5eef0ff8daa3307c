/**
 * Sockets of the TCP ports that single APIs listen on. A reload opens the new ports before it builds the next routing
 * snapshot. Requests that arrive before the snapshot is active wait for it, so no port responds without its API.
 */
import type { ListenProtocol } from '@turnpike/core/http'
import type { ApiPort, ApiPorts, Listening, Log } from '@turnpike/core/ports'

export interface OpenApiPorts extends ApiPorts {
  /** Opens ports from now on. Before the gateway listens, `open` and `serve` open no sockets. */
  start(open: OpenPort): void
  /** Resolves when all ports are closed, including those that a reload is already closing. */
  close(graceMs: number): Promise<void>
}

/** Opens a port. `served` resolves when the snapshot with its APIs is active. Rejects with a readable reason. */
export type OpenPort = (wanted: ApiPort, served: Promise<void>) => Promise<Listening>

export interface ApiPortsOptions {
  readonly log: Log
  /** Milliseconds that running requests have to finish on a port that closes. */
  readonly graceMs: number
  /** Ports that other code opens, such as the management API's. They are left alone. */
  readonly shared: readonly number[]
}

interface OpenPortEntry {
  readonly protocol: ListenProtocol
  readonly listening: Listening
  readonly serve: () => void
}

export function makeApiPorts({ log, graceMs, shared }: ApiPortsOptions): OpenApiPorts {
  const entries = new Map<number, OpenPortEntry>()
  const closing = new Set<Promise<void>>()
  let opener: OpenPort | undefined
  let stopped = false

  const openOne = async (wanted: ApiPort, open: OpenPort): Promise<void> => {
    const { promise, resolve: serve } = withResolver()
    const listening = await open(wanted, promise)
    entries.set(wanted.port, { protocol: wanted.protocol, listening, serve })
    log.info('opened a TCP port of APIs', { ...wanted })
    if (stopped) closeOne(wanted.port, 0)
  }

  /** Stops accepting connections at once; the port can be bound again when this returns. */
  const closeOne = (port: number, ms: number): void => {
    const entry = entries.get(port)
    if (entry === undefined) return
    entries.delete(port)
    entry.serve()
    const closed = entry.listening
      .close(ms)
      .catch((cause: unknown) => log.error('a TCP port of APIs could not be closed', { port, reason: String(cause) }))
      .then(() => void closing.delete(closed))
    closing.add(closed)
    log.info('closing a TCP port of APIs', { port, protocol: entry.protocol })
  }

  /** Changes the protocol of a port. If that fails, restores the previous protocol. */
  const change = async (wanted: ApiPort, open: OpenPort): Promise<void> => {
    const before = entries.get(wanted.port)?.protocol ?? wanted.protocol
    closeOne(wanted.port, graceMs)
    try {
      await openOne(wanted, open)
    } catch (cause) {
      await openOne({ ...wanted, protocol: before }, open)
      throw cause
    }
  }

  return {
    start(open) {
      opener = open
    },
    async open(wanted) {
      const open = opener
      if (open === undefined || stopped) return new Map()
      const own = wanted.filter(({ port }) => !shared.includes(port))
      const isNew = ({ port }: ApiPort) => !entries.has(port)
      const problems = await attempt(own.filter(isNew), (one) => openOne(one, open))
      if (problems.size > 0) return problems
      const others = own.filter(({ port, protocol }) => entries.get(port)?.protocol !== protocol)
      return attempt(others, (one) => change(one, open))
    },
    serve(wanted) {
      const kept = new Set(wanted.map(({ port }) => port))
      for (const [port, { serve }] of [...entries]) {
        if (kept.has(port)) serve()
        else closeOne(port, graceMs)
      }
    },
    async close(ms) {
      stopped = true
      for (const port of [...entries.keys()]) closeOne(port, ms)
      await Promise.all(closing)
    },
  }
}

/** Runs `action` for each port; returns the reasons of failures by port. */
async function attempt(
  wanted: readonly ApiPort[],
  action: (one: ApiPort) => Promise<void>,
): Promise<ReadonlyMap<number, string>> {
  const problems = new Map<number, string>()
  for (const one of wanted) {
    try {
      await action(one)
    } catch (cause) {
      problems.set(one.port, reasonOf(cause))
    }
  }
  return problems
}

/** Front ends suggest the configuration keys of the gateway's own port. They do not apply to an API's port. */
function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.replace(/choose another with listen_port or --port$/, 'choose another, or stop the process that uses it')
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
