/** Calls of the management API that the dashboard makes in process, after it has checked the user. */
import { vendorForms } from '@turnpike/core/lib'
import type { WatchedGateway } from '@turnpike/dashboard-sso'
import type { ManagementApi } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'

export function makeManageCall(
  management: Pick<ManagementApi, 'fetch'>,
  { vendor, secret }: Pick<GatewayConfig, 'vendor' | 'secret'>,
): WatchedGateway['manage'] {
  const { lower, title } = vendorForms(vendor)
  return async (method, path, body) => {
    const request = new Request(`http://gateway/${lower}${path}`, {
      method,
      headers: { [`X-${title}-Authorization`]: secret },
      ...(body === undefined ? {} : { body }),
    })
    const response = await management.fetch(request)
    return { status: response.status, body: parse(await response.text()) }
  }
}

/** Responses to unknown paths are plain text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text.trim() }
  }
}
