/**
 * Opens the TCP ports that APIs have of their own, before the next snapshot is built. An API whose port cannot be opened
 * keeps its last good version or is left out; other APIs are not affected.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { ApiPort, ApiPorts } from '../ports/api-ports.ts'
import { byPort, findPortClashes } from '../route/port-clashes.ts'

export interface PortFailure {
  readonly definition: ApiDefinition
  /** A sentence whose subject is `listen_port`. */
  readonly message: string
  readonly keptOld: boolean
}

export interface SettledPorts {
  /** The definitions to serve, in the given order; some are replaced by their last good version. */
  readonly served: readonly ApiDefinition[]
  readonly failures: readonly PortFailure[]
}

export interface PortsInput {
  readonly definitions: readonly ApiDefinition[]
  readonly running: readonly ApiDefinition[]
  /** The last good version of the definition from a source; `undefined` if none may be served. */
  readonly lastGood: (source: string) => ApiDefinition | undefined
  /** Absent: nothing is opened, as in an engine without sockets. */
  readonly ports: ApiPorts | undefined
}

/** Each iteration discards at least one definition or one version of a definition, so the loop terminates. */
export async function settlePorts({ definitions, running, lastGood, ports }: PortsInput): Promise<SettledPorts> {
  let served = definitions
  const failures = new Map<string, PortFailure>()
  for (;;) {
    const problems = await problemsOf(served, running, ports)
    if (problems.size === 0) return { served, failures: [...failures.values()] }
    served = served.flatMap((definition) => {
      const message = problems.get(definition)
      if (message === undefined) return [definition]
      const before = lastGood(definition.source)
      const keptOld = before !== undefined && before !== definition && !failures.has(definition.source)
      failures.set(definition.source, { ...(failures.get(definition.source) ?? { definition, message }), keptOld })
      return keptOld ? [before] : []
    })
  }
}

async function problemsOf(
  served: readonly ApiDefinition[],
  running: readonly ApiDefinition[],
  ports: ApiPorts | undefined,
): Promise<ReadonlyMap<ApiDefinition, string>> {
  const clashes = findPortClashes(served, running)
  if (clashes.size > 0 || ports === undefined) return clashes
  const unopened = await ports.open(portsOf(served))
  if (unopened.size === 0) return clashes
  const problems = new Map<ApiDefinition, string>()
  for (const definition of served) {
    const reason = unopened.get(definition.port)
    if (reason !== undefined) problems.set(definition, `cannot be opened: ${reason}`)
  }
  return problems
}

/** The distinct ports of the definitions. */
export function portsOf(definitions: readonly ApiDefinition[]): readonly ApiPort[] {
  return [...byPort(definitions)].flatMap(([port, [first]]) =>
    first === undefined ? [] : [{ port, protocol: first.protocol }],
  )
}
