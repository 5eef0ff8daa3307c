/**
 * A grammar of HTTP/1.1 responses (RFC 9112) with wrong alternatives for every rule, as text of one character per byte.
 * The first alternative is right and is chosen half of the time, so that errors also occur deep inside of a response.
 */
import type { Random } from './random.ts'

const versions = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2', 'http/1.1', 'HTTP/1.', 'HTTP/11', '']
const statuses = ['200', '204', '304', '404', '100', '101', '103', '99', '1000', '2OO', '-20', '']
const reasons = [' OK', '', ' ', ' \xff', ' \0', '\tOK', ' a\rb']
const lineEnds = ['\r\n', '\n', '\r', '\r\r\n', '\n\r', '']
const names = [
  'X-A',
  'Date',
  'Set-Cookie',
  'Keep-Alive',
  'X A',
  '',
  ' X',
  'X\t',
  'X\0',
  '\xc5',
  'Content-Length ',
  '\r',
]
const values = ['', 'a', 'timeout=5', 'timeout=99999999999999999999', '\0', 'a\rb', '\x7f', '\t a \t', 'x'.repeat(1100)]
const lengths = ['5', '0', '3', '05', '+5', '-1', '5, 5', '5, 6', '0x5', '5 ', '99999999999999999999', '', '4294967296']
const codings = [
  'chunked',
  'Chunked',
  'chunked, chunked',
  'gzip, chunked',
  'chunked;q=1',
  'identity',
  ' chunked',
  '\x0bchunked',
]
const sizes = ['5', '0', '1', 'a', 'A', '005', 'fffffffff', 'ffffffffffffffffffff', '-1', '0x5', ' 5', '5 ', '', 'g']
const extensions = ['', ';a', ';a=b', ';a="\r\n"', ';\0', `;${'x'.repeat(1100)}`]

export function hostileResponse(random: Random): string {
  const interim = random(6) === 0 ? `HTTP/1.1 ${pick(random, ['100', '103', '101'])} Wait\r\n${fields(random)}\r\n` : ''
  const response = `${interim}${statusLine(random)}${fields(random)}${framed(random)}`
  return mutate(random(4) === 0 ? response + response : response, random)
}

function statusLine(random: Random): string {
  return `${pick(random, versions)} ${pick(random, statuses)}${pick(random, reasons)}${pick(random, lineEnds)}`
}

function fields(random: Random): string {
  let text = ''
  for (let i = random(4); i > 0; i--) {
    text += `${pick(random, names)}:${pick(random, ['', ' ', '\t', '\r\n '])}${pick(random, values)}${pick(random, lineEnds)}`
  }
  return text
}

/** The framing headers, the end of the head and a body, which need not fit together. */
function framed(random: Random): string {
  let head = ''
  if (random(3) > 0) head += `Content-Length: ${pick(random, lengths)}${pick(random, lineEnds)}`
  if (random(2) === 0) head += `Transfer-Encoding: ${pick(random, codings)}${pick(random, lineEnds)}`
  if (random(5) === 0) head += `Connection: ${pick(random, ['close', 'keep-alive', 'upgrade, close', ''])}\r\n`
  if (random(8) === 0) head += `Content-Length: ${pick(random, lengths)}\r\n`
  const body = random(2) === 0 ? chunks(random) : 'hello'.slice(0, random(6)) + 'x'.repeat(random(3))
  return `${head}${pick(random, lineEnds)}${body}`
}

function chunks(random: Random): string {
  let text = ''
  for (let i = random(4); i > 0; i--) {
    const size = pick(random, sizes)
    const data = 'd'.repeat(random(4) === 0 ? random(12) : Math.min(Math.abs(Number.parseInt(size, 16) || 0), 64))
    text += `${size}${pick(random, extensions)}${pick(random, lineEnds)}${data}${pick(random, lineEnds)}`
  }
  return `${text}0${pick(random, extensions)}${pick(random, lineEnds)}${fields(random)}${pick(random, lineEnds)}`
}

/** Cuts, repeats or replaces a few bytes. */
function mutate(text: string, random: Random): string {
  let mutated = text
  for (let i = random(3); i > 0; i--) {
    const at = random(mutated.length + 1)
    const kept = random(2) === 0 ? at : at + random(5)
    mutated = mutated.slice(0, at) + (random(2) === 0 ? '' : String.fromCharCode(random(256))) + mutated.slice(kept)
  }
  return mutated
}

function pick(random: Random, choices: readonly string[]): string {
  return choices[random(2) === 0 ? 0 : random(choices.length)] ?? ''
}
