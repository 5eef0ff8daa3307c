/** Opens and closes the TCP ports of a gateway: one for everything, or one for APIs and one for the management API. */
import type { FrontEnd, Handle, Listening } from '@turnpike/core'
import type { GatewayAddress } from './gateway.ts'

export interface PortPlan {
  readonly host: string
  readonly port: number
  /** 0: the management API shares the port of the APIs. */
  readonly controlPort: number
  readonly engine: Handle
  readonly management: Handle
  /** Handlers on further ports, such as the dashboard and metrics. */
  readonly separate?: readonly SeparatePort[]
  /** Returns true if a path belongs to the management API. */
  owns(path: string): boolean
}

export interface SeparatePort {
  /** Default: the gateway's host. Empty means every address. */
  readonly host?: string
  readonly port: number
  readonly handle: Handle
}

export interface OpenPorts {
  readonly address: GatewayAddress
  /** URLs of the separate ports, in the order of the plan. */
  readonly separateUrls: readonly string[]
  close(graceMs: number): Promise<void>
}

/** Opens all ports. If one fails, closes the others and rejects with a message that names address and reason. */
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

/** An empty host means every address. */
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

/** Returns a URL that a client on this machine can call. */
function urlOf(host: string, port: number, secure = false): string {
  const any = host === '' || host === '0.0.0.0' || host === '::'
  const name = any ? '127.0.0.1' : host
  return `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
