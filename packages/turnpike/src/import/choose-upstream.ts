/** Chooses the upstream of an OpenAPI document: a server that is reachable, or examples and the echo upstream. */
import type { Json } from '@turnpike/core/lib'
import { operationCount } from './convert-openapi.ts'
import { probeServers } from './probe-servers.ts'
import { operationsWithExample } from './with-mocks.ts'

export interface ChosenUpstream {
  /** `undefined`: the first server of the document. */
  readonly target: string | undefined
  /** Whether operations respond with their examples. */
  readonly mock: boolean
  /** What was chosen and why, for the user. */
  readonly lines: readonly string[]
}

/** Upstream of paths that the document does not contain, which have no mock. */
export const echoTarget = 'echo://openapi/'

/** Connects once to the servers of the document, unless the options name a target or mocks. */
export async function chooseUpstream(
  document: Json,
  options: { readonly target?: string | undefined; readonly mock?: boolean | undefined },
): Promise<ChosenUpstream> {
  if (options.target !== undefined) {
    return { target: options.target, mock: options.mock === true, lines: [`requests go to ${options.target}`] }
  }
  if (options.mock === true) return { target: echoTarget, mock: true, lines: [mockLine(document)] }
  const probed = await probeServers(document)
  const reachable = probed.find((server) => server.reachable)
  const unreachable = probed.filter((server) => !server.reachable)
  const lines = unreachable.map(({ url, reason }) => `server ${url} is not reachable: ${reason}`)
  if (reachable !== undefined) {
    return { target: reachable.url, mock: false, lines: [...lines, `requests go to ${reachable.url}`] }
  }
  if (probed.length === 0) lines.push('the document names no server with an absolute URL')
  return { target: echoTarget, mock: true, lines: [...lines, mockLine(document)] }
}

function mockLine(document: Json): string {
  const all = operationCount(document)
  const mocked = operationsWithExample(document)
  const examples = `${mocked} of ${all} operations respond with examples of the document`
  return mocked === all ? examples : `${examples}, the others with an empty body`
}
