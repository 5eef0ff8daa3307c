/** The encoded call of a script. */
import { expect, it } from 'vitest'
import { textOf } from './script-command.ts'
import { makeScript } from './scripts/script.ts'
import { describeWithRedis } from './testing/with-redis.ts'

const script = makeScript('return {KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]}')

it('contains the length of each argument in bytes', () => {
  expect(textOf({ text: '', sha: 'abc' }, ['k'], ['ü', 12])).toBe(
    '*6\r\n$7\r\nEVALSHA\r\n$3\r\nabc\r\n$1\r\n1\r\n$1\r\nk\r\n$2\r\nü\r\n$2\r\n12\r\n',
  )
})

describeWithRedis('a script call', (fixture) => {
  it.each([
    ['ordinary arguments', ['quota-k', 'quota-k-lock'], ['quota', 1, 3600]],
    ['empty arguments', ['', 'k'], ['', '', '']],
    ['arguments with line ends and protocol characters', ['$3\r\nabc\r\n', '*2'], ['\r\n', ':1\r\n', '\n']],
    ['multi-byte characters', ['schlüssel', '鍵'], ['🔑', 'é', '\u{10ffff}']],
    ['numbers', ['1', '2'], [-1, 1.5, 3_153_600_000]],
  ] as [string, string[], (string | number)[]][])('transmits its arguments: %s', async (_, keys, args) => {
    const reply = await fixture.connection.run(script, keys, args)
    expect(reply).toEqual([...keys, ...args.map(String)])
  })

  it('supports many arguments', async () => {
    const sum = makeScript('return #KEYS + #ARGV')
    const words = Array.from({ length: 3000 }, (_, i) => `word-${i}`)
    expect(await fixture.connection.run(sum, words, words)).toBe(6000)
  })

  it('is sent with its text if Redis does not have it', async () => {
    const said = makeScript("return 'said'")
    for (let i = 0; i < 2; i++) {
      expect(await fixture.connection.run(said, [], [])).toBe('said')
      await fixture.redis.script('FLUSH')
    }
  })
})
