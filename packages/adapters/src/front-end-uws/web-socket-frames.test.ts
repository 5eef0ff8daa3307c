import { describe, expect, it } from 'vitest'
import { clientFrame, FrameReader, opcodes } from './web-socket-frames.ts'

/** Reads bytes in pieces of the given length and returns the messages, control frames and errors. */
function readAll(bytes: Uint8Array, pieceLength: number) {
  const results: string[] = []
  let message = ''
  const reader = new FrameReader({
    piece(kind, piece, first, last) {
      message = (first ? `${kind}:` : message) + Buffer.from(piece).toString('latin1')
      if (last) results.push(message)
    },
    control: (opcode, payload) => results.push(`${opcode}:${Buffer.from(payload).toString('latin1')}`),
  })
  for (let at = 0; at < bytes.length; at += pieceLength) {
    const error = reader.read(bytes.subarray(at, at + pieceLength))
    if (error !== undefined) return [...results, `error: ${error}`]
  }
  return results
}

const frame = (first: number, payload: string) => {
  const bytes = Buffer.from(payload, 'latin1')
  const long = bytes.length > 125
  const head = long ? [first, 126, bytes.length >> 8, bytes.length & 0xff] : [first, bytes.length]
  return Buffer.concat([Buffer.from(head), bytes])
}

describe('frames of a server', () => {
  const longText = 'x'.repeat(300)
  const all = Buffer.concat([
    frame(0x81, 'hello'),
    frame(0x82, ''),
    frame(0x01, 'one '),
    frame(0x89, 'tick'),
    frame(0x00, ''),
    frame(0x80, 'two'),
    frame(0x82, longText),
    frame(0x88, '\u0003\u00e8bye'),
  ])

  it.each([1, 2, 3, 7, 64, 10_000])('are read from pieces of %i bytes', (length) => {
    expect(readAll(all, length)).toEqual([
      'text:hello',
      'binary:',
      '9:tick',
      'text:one two',
      `binary:${longText}`,
      '8:\u0003\u00e8bye',
    ])
  })

  it.each([
    ['masked', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65])],
    ['with an extension bit', frame(0xc1, 'x')],
    ['with an unknown opcode', frame(0x83, 'x')],
    ['with an unknown control opcode', frame(0x8b, 'x')],
    ['that fragment a control message', frame(0x09, 'x')],
    ['with a long control payload', frame(0x89, 'x'.repeat(126))],
    ['that continue no message', frame(0x80, 'x')],
    ['that begin a message inside another', Buffer.concat([frame(0x01, 'a'), frame(0x81, 'b')])],
    ['with a length above the safe integers', Buffer.from([0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ])('%s are rejected', (_name, bytes) => {
    expect(readAll(bytes, 1).at(-1)).toMatch(/^error: /)
  })
})

describe('frames of a client', () => {
  it.each([0, 5, 125, 126, 65_535, 65_536])('carry %i masked bytes', (length) => {
    const payload = Buffer.alloc(length, 3)
    const made = Buffer.from(clientFrame(opcodes.binary, payload))
    const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8
    expect(made[0]).toBe(0x82)
    expect((made[1] as number) & 0x80).toBe(0x80)
    const mask = made.subarray(2 + lengthBytes, 6 + lengthBytes)
    const body = made.subarray(6 + lengthBytes).map((byte, i) => byte ^ (mask[i & 3] as number))
    expect(Buffer.compare(body, payload)).toBe(0)
  })
})
