/** Opens and closes the TCP ports of a gateway: one for everything, or one for APIs and one for the management API. */
import type { FrontEnd, Handle, Listening } from '@turnpike/core/ports'
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
  /** The configuration key of the port. */
  readonly setting?: string
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
  const { engine, management, owns, controlPort } = plan
  const opened: Listening[] = []
  const close = async (graceMs: number) => {
    await Promise.all(opened.map((port) => port.close(graceMs)))
  }
  const open = async ({ handle, port, host = plan.host, setting }: SeparatePort) => {
    try {
      const listening = await frontEnd.listen(handle, {
        ...{ host: hostOf({ host }), port },
        ...(setting === undefined ? {} : { setting }),
      })
      opened.push(listening)
      return { url: urlOf(host, listening.port, frontEnd.secure), port: listening.port }
    } catch (cause) {
      await close(0)
      throw cause
    }
  }
  const isShared = controlPort === 0 || controlPort === plan.port
  const both: Handle = (request) => (owns(request.path) ? management : engine)(request)
  const control = isShared
    ? undefined
    : await open({ handle: management, port: controlPort, setting: 'control_api_port' })
  const main = await open({ handle: isShared ? both : engine, port: plan.port })
  const separateUrls: string[] = []
  for (const port of plan.separate ?? []) separateUrls.push((await open(port)).url)
  const address = { ...main, controlUrl: (control ?? main).url, frontEnd: frontEnd.name }
  return { address, separateUrls, close }
}

/** An empty host means every address. */
export const hostOf = ({ host }: Pick<PortPlan, 'host'>) => (host === '' ? '0.0.0.0' : host)

/** Returns a URL that a client on this machine can call. */
export function urlOf(host: string, port: number, secure = false): string {
  const any = host === '' || host === '0.0.0.0' || host === '::'
  const name = any ? '127.0.0.1' : host
  return `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
