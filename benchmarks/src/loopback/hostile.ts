/**
 * Requests and responses that are made to block the event loop: no input may block it for more than 50 ms
 * (docs/security.md#defaults). Each case runs in a process of its own, whose probe reports the longest stall.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stall } from '../measure/stall-probe.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startTurnpike } from '../subjects/turnpike.ts'

const budgetMs = 50
const mebibyte = 1024 * 1024

interface HostileCase {
  readonly name: string
  readonly config?: object
  readonly definition?: object
  readonly request?: RequestInit
  /** Writes the response. */
  respond?(socket: Socket): void | Promise<void>
}

export async function measureHostileInput(rounds: number, log: (text: string) => void): Promise<Row[]> {
  const rows: Row[] = []
  for (const hostile of hostileCases()) {
    const stalls = await measureCase(hostile, rounds)
    const own = spreadOf(stalls.map(({ ownMs }) => ownMs))
    const wall = spreadOf(stalls.map(({ wallMs }) => wallMs))
    const note = `worst of ${rounds} requests, median ${own.median.toFixed(1)} ms, wall time ${wall.max.toFixed(1)} ms`
    rows.push(rowOf(`longest stall: ${hostile.name}`, own.max, ' ms', budgetMs, note))
    log(`${hostile.name}: ${own.max.toFixed(1)} ms`)
  }
  return rows
}

async function measureCase(hostile: HostileCase, rounds: number): Promise<Stall[]> {
  const upstream = await startRawUpstream(hostile.respond ?? respondShortly)
  const api = definition('h', upstream.url, hostile.definition)
  const subject = await startTurnpike({ apis: [api], stallProbe: true, config: hostile.config ?? {} })
  try {
    const send = () => fetch(`${subject.url}/h/x`, hostile.request).then((response) => response.arrayBuffer())
    const stalls: Stall[] = []
    // The first request compiles code, which is no stall that a client can repeat.
    await send()
    for (let round = 0; round < rounds; round++) {
      await sleep(50)
      await subject.ask()
      await send()
      stalls.push((await subject.ask()) as Stall)
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

function transformed(inputType: string): Pick<HostileCase, 'definition'> {
  const template_data = {
    template_mode: 'blob',
    input_type: inputType,
    template_source: Buffer.from('{{ . | jsonMarshal }}').toString('base64'),
  }
  return {
    definition: {
      response_processors: [{ name: 'response_body_transform', options: {} }],
      version_data: versionWith({ transform_response: [{ path: '/', method: 'GET', template_data }] }),
    },
  }
}

function validated(body: string): Pick<HostileCase, 'definition' | 'request'> {
  const schema = { type: 'array', items: { type: 'integer' } }
  const rule = { path: '/', method: 'POST', schema, error_response_code: 422 }
  return {
    definition: { version_data: versionWith({ validate_json: [rule] }) },
    request: { method: 'POST', body, headers: { 'content-type': 'application/json' } },
  }
}

function versionWith(extended_paths: object): object {
  return { not_versioned: true, versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths } } }
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

/** Responds once per connection. It is no HTTP server, because none sends such responses. */
async function startRawUpstream(respond: (socket: Socket) => void | Promise<void>) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let received = ''
    socket.on('data', (chunk) => {
      received = (received + chunk.toString('latin1')).slice(-mebibyte)
      if (!received.includes('\r\n\r\n')) return
      received = ''
      void respond(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
