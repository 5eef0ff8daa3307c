import { expect, it } from 'vitest'
// @ts-expect-error A script without types.
import { quietStep, runQuietly } from './quiet-steps.mjs'

const cwd = import.meta.dirname

/** A stream that keeps what is written. */
function makeStream(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, write: (text: string) => written.push(text), written: () => written.join('') }
}

it('prints the title and what was done, without the output of a program that succeeds', async () => {
  const stream = makeStream(false)
  const work = async () => {
    expect(await runQuietly(process.execPath, ['-p', '"[WARN] noise"'], { cwd })).toBe('[WARN] noise\n')
    return 'installed 3 packages'
  }
  await quietStep('installing', work, stream)
  expect(stream.written()).toMatch(/^installing …\ninstalled 3 packages in \d s\n$/)
})

it('on a terminal, replaces the title', async () => {
  const stream = makeStream(true)
  await quietStep('installing', async () => 'installed', stream)
  expect(stream.written().replaceAll('\r\x1b[2K', '<clear line>')).toMatch(
    /^installing …<clear line>installed in \d s\n$/,
  )
})

it('a program that fails rejects with its output, its command and its exit code', async () => {
  const script = 'console.log("what went wrong"); process.exit(3)'
  const failure = runQuietly(process.execPath, ['-e', script], { cwd })
  await expect(failure).rejects.toThrow(/^what went wrong\n.* failed in .*: exit code 3$/)
})

it('a program that does not exist rejects with its name', async () => {
  await expect(runQuietly('turnpike-no-such-program', [], { cwd })).rejects.toThrow(/no-such-program.*ENOENT/)
})

it('a failing step throws and leaves the line of the title', async () => {
  const stream = makeStream(true)
  const work = async () => {
    throw new Error('broken')
  }
  await expect(quietStep('installing', work, stream)).rejects.toThrow('broken')
  expect(stream.written()).toBe('installing …\n')
})
