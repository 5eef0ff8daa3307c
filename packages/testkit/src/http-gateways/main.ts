/** Starts one gateway of this folder from the command line. `--help` describes the options. */
import { startLimitedGateway } from './limited-gateway.ts'
import { readCommandLine, usage } from './read-command-line.ts'

const read = readCommandLine(process.argv.slice(2))
if ('print' in read) console.log(read.print)
else if ('problem' in read) {
  console.error(`error: ${read.problem}\n\n${usage}`)
  process.exitCode = 2
} else {
  try {
    const gateway = await startLimitedGateway(read.options)
    console.log(`listening on ${gateway.url}`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gateway.close())
  } catch (error) {
    console.error(`error: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
