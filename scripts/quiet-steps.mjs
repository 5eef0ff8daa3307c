// Long steps of a set-up: one line for each while it runs and one when it has finished. The output of the programs that a
// step runs is shown only if they fail.
import { spawn } from 'node:child_process'

/** Off a terminal, the line of a running step is repeated this often. */
const repeatSeconds = 30

/**
 * Runs a step.
 * @param {string} title what is being done; on a terminal the elapsed seconds follow it and count up
 * @param {() => Promise<string>} work resolves with the line that replaces the title; the duration is appended
 * @param {NodeJS.WriteStream} stream default: stderr
 * @throws what `work` throws
 */
export async function quietStep(title, work, stream = process.stderr) {
  const started = Date.now()
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`
  const replaceLine = (text) => stream.write(`\r\x1b[2K${text}`)
  if (stream.isTTY) stream.write(`${title} …`)
  else stream.write(`${title} …\n`)
  const timer = stream.isTTY
    ? setInterval(() => replaceLine(`${title} … ${seconds()}`), 1000)
    : setInterval(() => stream.write(`${title} … ${seconds()}\n`), repeatSeconds * 1000)
  try {
    const done = await work()
    if (stream.isTTY) replaceLine('')
    stream.write(`${done} in ${seconds()}\n`)
  } catch (cause) {
    if (stream.isTTY) stream.write('\n')
    throw cause
  } finally {
    clearInterval(timer)
  }
}

/**
 * Runs a program. Resolves with everything that it printed.
 * @throws an error with the output, if the program cannot start or its exit code is not 0
 */
export function runQuietly(command, args, { cwd }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    const fail = (why) => reject(new Error(`${output}${command} ${args.join(' ')} failed in ${cwd}: ${why}`))
    child.on('error', (error) => fail(error.message))
    child.on('close', (code, signal) => (code === 0 ? resolve(output) : fail(signal ?? `exit code ${code}`)))
  })
}
