/**
 * Requests and responses that are made to block the event loop: no input may block it for more than 50 ms
 * (docs/security.md#defaults). Each case runs in a process of its own, whose probe reports the longest stall.
 */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSelected } from '../measure/is-selected.ts'
import type { Stall } from '../measure/process-probe.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition, paths, template } from '../subjects/definition.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import { hostileHttp2Cases } from './hostile-http2.ts'
import { type RawUpstream, startRawUpstream } from './raw-upstream.ts'

const budgetMs = 50
const mebibyte = 1024 * 1024

interface HostileCase {
  readonly name: string
  readonly config?: object
  readonly definition?: object
  readonly request?: RequestInit
  /** Writes the response of an HTTP/1.1 upstream. */
  respond?(socket: Socket): void | Promise<void>
  /** Starts another kind of upstream. */
  startUpstream?(): Promise<RawUpstream>
}

interface Measured extends Stall {
  /** The client received the whole response. */
  readonly complete: boolean
}

export const hostileNames = () => hostileCases().map(({ name }) => name)

/** Compares the longest stall of each case with the budget. */
export async function measureHostileInput({ rounds, log, scenario }: RunOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const hostile of hostileCases().filter(({ name }) => isSelected(name, scenario))) {
    const stalls = await measureCase(hostile, rounds)
    const own = spreadOf(stalls.map(({ ownMs }) => ownMs))
    const wall = spreadOf(stalls.map(({ wallMs }) => wallMs))
    const incomplete = stalls.filter(({ complete }) => !complete).length
    const note =
      `worst of ${rounds} requests, median ${own.median.toFixed(1)} ms, wall time ${wall.max.toFixed(1)} ms` +
      (incomplete === 0 ? '' : `, ${incomplete} responses broken off`)
    rows.push(rowOf(`longest stall: ${hostile.name}`, own.max, ' ms', budgetMs, note))
    log(`${hostile.name}: ${own.max.toFixed(1)} ms`)
  }
  return rows
}

async function measureCase(hostile: HostileCase, rounds: number): Promise<Measured[]> {
  const upstream = await (hostile.startUpstream?.() ?? startRawUpstream(hostile.respond ?? respondShortly))
  const api = definition('h', upstream.url, hostile.definition)
  const subject = await startTurnpike({ apis: [api], hasProbe: true, config: hostile.config ?? {} })
  try {
    // A response that the gateway breaks off fails the request, which is what some of these upstreams deserve.
    const send = () =>
      fetch(`${subject.url}/h/x`, hostile.request)
        .then((response) => response.arrayBuffer())
        .then(
          () => true,
          () => false,
        )
    const stalls: Measured[] = []
    // The first request compiles code, which is no stall that a client can repeat.
    await send()
    for (let round = 0; round < rounds; round++) {
      await sleep(50)
      await subject.ask('sample')
      const complete = await send()
      stalls.push({ complete, ...((await subject.ask('sample')) as Stall) })
    }
    return stalls
  } finally {
    await subject.stop()
    await upstream.stop()
  }
}

function hostileCases(): HostileCase[] {
  const clients = ['auto', 'undici'] as const
  const bytes = mebibyte
  const chunks = Buffer.from(`${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`)
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
  const whole = (body: string) => (socket: Socket) => {
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  }
  const values = `[${'0,'.repeat(99_998)}0]`
  const elements = `<l>${'<i>1</i>'.repeat(29_990)}</l>`
  return [
    ...hostileHttp2Cases(),
    ...clients.flatMap((client): HostileCase[] => [
      {
        name: `upstream sends 1 MiB in chunks of one byte (${client} client)`,
        config: { upstream_client: client },
        respond: (socket) => void socket.write(Buffer.concat([chunkedHead(head), chunks])),
      },
      {
        name: `upstream writes each byte on its own, with Content-Length (${client} client)`,
        config: { upstream_client: client },
        respond: (socket) => trickle(socket, `${head}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`),
      },
      {
        name: `upstream writes each byte on its own, in chunks (${client} client)`,
        config: { upstream_client: client },
        respond: (socket) => trickle(socket, `${chunkedHead(head)}${'1\r\nx\r\n'.repeat(4000)}0\r\n\r\n`),
      },
    ]),
    { name: 'response transform of 100,000 JSON values', ...transformed('json'), respond: whole(values) },
    { name: 'response transform of 30,000 XML elements', ...transformed('xml'), respond: whole(elements) },
    {
      name: 'response transform of 1 MiB of brackets, over the limits',
      ...transformed('json'),
      respond: whole('[]'.repeat(mebibyte / 2)),
    },
    {
      name: 'response transform of 1 MiB of tags, over the limits',
      ...transformed('xml'),
      respond: whole('<i/>'.repeat(mebibyte / 4)),
    },
    { name: 'request of 100,000 JSON values that is validated', ...validated(values) },
    { name: 'request of 1 MiB of brackets that is validated', ...validated(`${'['.repeat(mebibyte)}`) },
  ]
}

function chunkedHead(head: string): Buffer {
  return Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)
}

function transformed(inputType: 'json' | 'xml'): Pick<HostileCase, 'definition'> {
  const template_data = template('{{ . | jsonMarshal }}', inputType)
  return {
    definition: {
      response_processors: [{ name: 'response_body_transform', options: {} }],
      ...paths({ transform_response: [{ path: '/', method: 'GET', template_data }] }),
    },
  }
}

function validated(body: string): Pick<HostileCase, 'definition' | 'request'> {
  const schema = { type: 'array', items: { type: 'integer' } }
  const rule = { path: '/', method: 'POST', schema, error_response_code: 422 }
  return {
    definition: paths({ validate_json: [rule] }),
    request: { method: 'POST', body, headers: { 'content-type': 'application/json' } },
  }
}

/** Each byte is a TCP segment of its own, as far as the kernel does not join them. */
async function trickle(socket: Socket, text: string): Promise<void> {
  socket.setNoDelay(true)
  for (let i = 0; i < text.length && !socket.destroyed; i++) {
    socket.write(text.charAt(i), 'latin1')
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

function respondShortly(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
}
