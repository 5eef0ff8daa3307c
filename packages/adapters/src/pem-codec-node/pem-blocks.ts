/** Reads and writes PEM blocks (RFC 7468), with the headers of RFC 1421 that encrypted private keys use. */
export interface PemBlock {
  /** For example `CERTIFICATE` or `PRIVATE KEY`. */
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly der: Uint8Array
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----/g
const header = /^([A-Za-z-]+):[ \t]*(.*)$/

/** Returns the blocks of a text. Text between blocks and blocks with invalid base64 are ignored. */
export function readPemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  for (const [, type = '', inside = ''] of text.matchAll(block)) {
    const headers: Record<string, string> = {}
    const lines: string[] = []
    for (const line of inside.split(/\r?\n/)) {
      const [, name, value] = header.exec(line) ?? []
      if (name !== undefined) headers[name.toLowerCase()] = (value ?? '').trim()
      else lines.push(line.trim())
    }
    const base64 = lines.join('')
    if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) continue
    blocks.push({ type, headers, der: Buffer.from(base64, 'base64') })
  }
  return blocks
}

/** Returns one block with a trailing line break. */
export function writePemBlock(type: string, der: Uint8Array, headers: readonly string[] = []): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  const head = headers.length === 0 ? [] : [...headers, '']
  return [`-----BEGIN ${type}-----`, ...head, ...lines, `-----END ${type}-----`, ''].join('\n')
}
