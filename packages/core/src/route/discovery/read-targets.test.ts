import { describe, expect, it } from 'vitest'
import { classicShape } from '../../definition/classic.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { makeReadTargets } from './read-targets.ts'

/** Reads a response, given as text or as a value, with settings in wire form. */
function read(settings: object, response: unknown, protocol = 'http') {
  const wire = { data_path: 'at', use_discovery_service: true, ...settings }
  const { value } = readShape(classicShape, { proxy: { service_discovery: wire } })
  const text = typeof response === 'string' ? response : JSON.stringify(response)
  const found = makeReadTargets(value.proxy.serviceDiscovery, protocol)(utf8Bytes(text))
  return found.kind === 'targets' ? found.targets : found.kind
}

const list = { endpoint_returns_list: true, use_target_list: true }
const below = { use_target_list: true, parent_data_path: 'hosts' }

describe('the path of targets', () => {
  it.each([
    ['tp', ['http://a:80/tp']],
    ['/tp', ['http://a:80/tp']],
    ['?q=1', ['http://a:80?q=1']],
  ])('%s follows the port', (targetPath, targets) => {
    const settings = { port_data_path: 'port', target_path: targetPath }
    expect(read(settings, { at: 'http://a', port: 80 })).toEqual(targets)
  })
})

describe('the targets of a response', () => {
  it.each([
    ['the response', {}, { at: 'http://a' }, ['http://a']],
    ['the response, not what is at the parent path', { parent_data_path: 'x' }, { at: 'http://a' }, ['http://a']],
    [
      'an object in a text',
      { use_nested_query: true, parent_data_path: 'x.y' },
      { x: { y: '{"at":"http://a"}' } },
      ['http://a'],
    ],
    ['a list below', below, { hosts: [{ at: 'http://a' }, { at: 'http://b' }] }, ['http://a', 'http://b']],
    ['the members of an object below', below, { hosts: { x: { at: 'http://a' } } }, ['http://a']],
    ['a list in a text', { ...below, use_nested_query: true }, { hosts: '[{"at":"http://a"}]' }, ['http://a']],
    ['the first entry', { endpoint_returns_list: true }, [{ at: 'http://a' }, { at: 'http://b' }], ['http://a']],
    ['all entries', list, [{ at: 'http://a' }, { at: 'http://b' }], ['http://a', 'http://b']],
    [
      'objects in texts of entries',
      { ...list, use_nested_query: true, parent_data_path: 'v' },
      [{ v: '{"at":"http://a"}' }, { v: 'no JSON' }, { v: { at: 'http://b' } }],
      ['http://a', '', ''],
    ],
  ])('are %s', (_, settings, response, targets) => {
    expect(read(settings, response)).toEqual(targets)
  })

  it.each([
    ['a missing member', {}, ''],
    ['a number', { at: 80 }, ''],
    ['a list', { at: ['http://a'] }, ''],
    ['a text with blanks around', { at: ' http://a/b ' }, 'http://a/b'],
    ['a text without a scheme', { at: 'a:81/b' }, 'h2c://a:81/b'],
  ])('with %s', (_, response, target) => {
    expect(read({}, response, 'h2c')).toEqual([target])
  })

  it.each([
    ['a text', '81', 'http://a:81/x'],
    ['a number', 81, 'http://a:81/x'],
    ['a list', [81, 82], 'http://a:81/x'],
    ['missing', undefined, ''],
    ['an empty list', [], ''],
    ['an object', {}, ''],
  ])('with a port that is %s', (_, port, target) => {
    expect(read({ port_data_path: 'p', target_path: '/x' }, { at: 'a', p: port })).toEqual([target])
  })

  it.each([
    ['list.1.at', { list: [{}, { at: 'http://b' }] }, 'http://b'],
    ['a~1b', { 'a.b': 'http://a' }, 'http://a'],
    ['At', { at: 'http://a' }, ''],
    ['*.at', { x: { at: 'http://a' } }, ''],
    ['list.x', { list: ['http://a'] }, ''],
    ['constructor.name', {}, ''],
    ['', { '': 'http://a' }, ''],
  ])('at the path %s', (path, response, target) => {
    expect(read({ data_path: path }, response)).toEqual([target])
  })

  it.each([
    ['no JSON instead of an object', {}, 'no JSON', 'unusable'],
    ['an empty body', {}, '', 'unusable'],
    ['no JSON instead of a list', list, 'no JSON', 'unavailable'],
    ['an object instead of a list', list, { at: 'http://a' }, 'unavailable'],
    ['an empty list', list, [], 'none'],
    ['an empty list, whose first entry counts', { endpoint_returns_list: true }, [], 'unusable'],
    ['a list below without a parent path', { use_target_list: true }, { hosts: [{ at: 'http://a' }] }, 'none'],
    ['a parent path that leads nowhere', below, { other: [] }, 'none'],
    ['no JSON above a list', below, 'no JSON', 'none'],
    ['JSON that nests too deep', list, `${'['.repeat(2000)}${']'.repeat(2000)}`, 'unavailable'],
  ])('are missing in %s', (_, settings, response, kind) => {
    expect(read(settings, response)).toBe(kind)
  })
})
