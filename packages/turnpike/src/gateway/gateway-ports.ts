/** Opens and closes the ports of a gateway: one for all, or one for APIs and one for the management API. */
import type { FrontEnd, Handle, Listening } from '@turnpike/core'
import type { GatewayAddress } from './gateway.ts'

export interface PortPlan {
  readonly host: string
  readonly port: number
  /** 0: the management API shares the port. */
  readonly controlPort: number
  readonly engine: Handle
  readonly management: Handle
  /** Served on ports of their own. */
  readonly separate?: readonly SeparatePort[]
  /** Whether a path is the management API's. */
  owns(path: string): boolean
}

export interface SeparatePort {
  /** Default: the gateway's. Empty: every address. */
  readonly host?: string
  readonly port: number
  readonly handle: Handle
}

export interface OpenPorts {
  readonly address: GatewayAddress
  /** Of those that listen apart, in their order. */
  readonly separateUrls: readonly string[]
  close(graceMs: number): Promise<void>
}

/** Rejects with a message that names address and reason when a port cannot be opened; then none stays open. */
export async function openPorts(frontEnd: FrontEnd, plan: PortPlan): Promise<OpenPorts> {
  const ports = await openMainPorts(frontEnd, plan)
  const opened: Listening[] = []
  const close = async (graceMs: number) => {
    await Promise.all([ports, ...opened].map((port) => port.close(graceMs)))
  }
  const separateUrls: string[] = []
  for (const { handle, port, host = plan.host } of plan.separate ?? []) {
    try {
      const listening = await frontEnd.listen(handle, { host: hostOf({ host }), port })
      opened.push(listening)
      separateUrls.push(urlOf(host, listening.port, frontEnd.secure))
    } catch (cause) {
      await close(0)
      throw cause
    }
  }
  return { address: ports.address, separateUrls, close }
}

/** An empty address is every one. */
export const hostOf = ({ host }: Pick<PortPlan, 'host'>) => (host === '' ? '0.0.0.0' : host)

async function openMainPorts(frontEnd: FrontEnd, plan: PortPlan): Promise<Omit<OpenPorts, 'separateUrls'>> {
  const { engine, management, owns } = plan
  const host = hostOf(plan)
  if (plan.controlPort === 0 || plan.controlPort === plan.port) {
    const handle: Handle = (request) => (owns(request.path) ? management(request) : engine(request))
    const main = await frontEnd.listen(handle, { host, port: plan.port })
    const url = urlOf(plan.host, main.port, frontEnd.secure)
    return {
      address: { url, port: main.port, controlUrl: url, frontEnd: frontEnd.name },
      close: (ms) => main.close(ms),
    }
  }
  const control = await frontEnd.listen(management, { host, port: plan.controlPort })
  let main: Listening
  try {
    main = await frontEnd.listen(engine, { host, port: plan.port })
  } catch (cause) {
    await control.close(0)
    throw cause
  }
  return {
    address: {
      url: urlOf(plan.host, main.port, frontEnd.secure),
      port: main.port,
      controlUrl: urlOf(plan.host, control.port, frontEnd.secure),
      frontEnd: frontEnd.name,
    },
    async close(graceMs) {
      await Promise.all([main.close(graceMs), control.close(graceMs)])
    },
  }
}

/** An address that a client on this machine can call. */
function urlOf(host: string, port: number, secure = false): string {
  const any = host === '' || host === '0.0.0.0' || host === '::'
  const name = any ? '127.0.0.1' : host
  return `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
