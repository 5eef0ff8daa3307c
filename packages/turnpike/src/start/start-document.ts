/** `turnpike start openapi.yaml`: what a gateway needs to serve an OpenAPI document without a configuration. */
import { randomBytes } from 'node:crypto'
import { type ChosenUpstream, chooseUpstream } from '../import/choose-upstream.ts'
import { type ConvertedApi, convertOpenApi } from '../import/convert-openapi.ts'
import { readOpenApi } from '../import/read-openapi.ts'
import { sampleRequest } from '../import/sample-request.ts'
import type { Seed } from './seed.ts'

export interface ServedDocument {
  readonly files: ConvertedApi['files']
  /** Which upstream was chosen, for the user. */
  readonly lines: ChosenUpstream['lines']
  /** The configuration of the gateway, which keeps everything in memory. */
  readonly config: Readonly<Record<string, unknown>>
  /** Commands to try. */
  readonly seed: Seed
}

export interface DocumentOptions {
  readonly target?: string | undefined
  readonly mock?: boolean | undefined
}

export type PreparedDocument =
  | ServedDocument
  | {
      readonly problem: string
      /** The document does not exist, so the command line is wrong. */
      readonly notFound: boolean
    }

/** Reads and converts the document. Connects once to its servers to choose the upstream. */
export async function prepareDocument(
  source: string,
  options: DocumentOptions,
  cwd: string,
): Promise<PreparedDocument> {
  const read = await readOpenApi(source, cwd)
  if (read.problem !== undefined) return { problem: `${source}: ${read.problem}`, notFound: read.notFound }
  const { target, mock, lines } = await chooseUpstream(read.document, options)
  const converted = await convertOpenApi(read.document, {
    source,
    target,
    mock,
    auth: 'none',
    validate: true,
    listenPath: '/',
    vendor: 'svc',
    compact: true,
  })
  if (converted.problem !== undefined) return { problem: `${source}: ${converted.problem}`, notFound: false }
  const { path } = sampleRequest(converted.api.document)
  return {
    files: converted.api.files,
    lines: [...lines, 'requests that do not match the document are rejected with 422'],
    config: {
      listen_address: '127.0.0.1',
      // Nobody needs the management API of a gateway without files; SVC_GW_SECRET sets a known key.
      secret: randomBytes(32).toString('base64url'),
      hash_keys: true,
      hash_key_function: 'sha256',
      storage: { type: 'memory' },
      echo: { enabled: true, listen_port: 0 },
    },
    seed: {
      organisations: null,
      keys: null,
      tour: [{ says: 'an operation of the document', command: `curl -i '{{url}}${path.replaceAll("'", '%27')}'` }],
    },
  }
}
