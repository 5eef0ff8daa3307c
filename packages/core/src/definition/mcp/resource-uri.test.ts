import { describe, expect, it } from 'vitest'
import { foldPatternHost, readResourceUri } from './resource-uri.ts'

describe('the URI of a resource', () => {
  it.each([
    ['file:///private/a', 'file:///private/a'],
    ['FILE:///private/%61', 'file:///private/a'],
    ['file://LocalHost/private/a', 'file:///private/a'],
    ['file:/private/a', 'file:///private/a'],
    ['file:///a%20b/%C3%A4', 'file:///a b/ä'],
    ['file:///a%3Bb%3a', 'file:///a;b:'],
    ['file:///a%3fb', 'file:///a%3Fb'],
    ['HTTP://Example.COM:80', 'http://example.com/'],
    ['https://example.com.:00443/a?b=//c', 'https://example.com/a?b=//c'],
    ['http://127.0.0.1/a', 'http://127.0.0.1/a'],
    ['https://[::1]:8443/a', 'https://[::1]:8443/a'],
    ['db://Rows?all=1', 'db://rows?all=1'],
    ['postgres://User@DB:5432/t', 'postgres://User@db:5432/t'],
    ['user://{id}/mail', 'user://{id}/mail'],
    ['urn:ISBN:1', 'urn:ISBN:1'],
    ['doc:', 'doc:'],
    ['notes.txt', 'notes.txt'],
    ['custom://Host', 'custom://host'],
  ])('%s is compared as %s', (uri, canonical) => {
    expect(readResourceUri(uri)).toEqual({ canonical, problem: undefined })
  })

  it.each([
    '',
    'a/b',
    '/private/a',
    '..',
    '//host/a',
    'file:///public/../private/a',
    'file:///public/%2e%2E/private/a',
    'file:///public/..;x/private/a',
    'file:///public/./a',
    'file:///public/..%3Bx/private/a',
    'file:///public%2f..%2fprivate/a',
    'file:///public/%252e%252e/private',
    'doc://../private/a',
    'doc:../private/a',
    'doc://h/a?x/../../b',
    'file:////private/a',
    'file:///public//private/a',
    'file:///private%2Fa',
    'file:///public\\..\\private',
    'file:///public/%5c..%5Cprivate',
    'file:///pri\tvate/a',
    'file:///pri\nvate/a',
    'file:///pri%0avate/a',
    'file:///private/a%00',
    ' file:///private/a',
    'file:///private/a ',
    'file:///private/a%20',
    'file:///pri\u00advate/a',
    'file:///private/\ud800',
    'file:///private/%ff',
    'file:///private/%zz',
    'file://127.0.0.1/private/a',
    'file:private/a',
    'file:///private/a?x',
    'file:///private/a#x',
    'http:example.com/a',
    'http:///example.com/a',
    'https://example.com@other.test/a',
    'https://example.com/a#b',
    'https://0x7f.1/a',
    'https://[0:0:0:0:0:0:0:1]/a',
    'https://[::01]/a',
    'https://a..b/c',
    'https://127.0.1/a',
    'https://2130706433/a',
    'https://ex%61mple.com/a',
    'https://ｅxample.com/a',
    'db://a@b@c/d',
  ])('%j has more than one reading', (uri) => {
    expect(readResourceUri(uri).problem).toBeTypeOf('string')
  })
})

it('a long URI takes time in proportion to its length', () => {
  for (const piece of ['0', ':', '%41', '@', '/a', '%', ';', '\\', ' ', '.']) {
    const uri = `http://h:${piece.repeat(500_000)}x`
    const before = process.cpuUsage().user
    readResourceUri(uri)
    expect((process.cpuUsage().user - before) / 1000, piece).toBeLessThan(1_000)
  }
})

it('patterns for URIs have scheme and host in lower case, classes of characters as they are', () => {
  expect(foldPatternHost('FILE://Host\\.Test/A.*')).toBe('file://host\\.test/A.*')
  expect(foldPatternHost('db://\\D/A')).toBe('db://\\D/A')
  expect(foldPatternHost('.*SECRET')).toBe('.*SECRET')
})
