/** Runs `judge --file`: judges the limits of a file one after the other, and prints a report of each. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { GatewayToJudge } from '../gateway/gateway-to-judge.ts'
import { judgeGateway } from '../gateway/judge-gateway.ts'
import type { ExitCode, Io } from '../io.ts'
import { JudgeInputError } from '../judge-input.ts'
import type { Judgement } from '../report/judge-json-report.ts'
import {
  checkReportFiles,
  type JudgedLimit,
  type JudgeReportOptions,
  writeJudgeReports,
} from '../report/write-judge-reports.ts'
import { exitCodeOf, type JudgeCommandOptions, untilInterrupted } from './judge-command.ts'
import { readLimitsFile } from './read-limits-file.ts'

/** `seconds` are shared by all limits of the file; the other options are those of each limit. */
export interface FileCommandOptions
  extends JudgeReportOptions,
    Pick<
      JudgeCommandOptions,
      'seconds' | 'maxRequests' | 'maxRate' | 'seed' | 'strict' | 'cacert' | 'insecure' | 'iOwnThisHost'
    > {
  readonly file: string
}

/** Options that have a meaning beside `--file`; the others are fields of the file. */
const allowed = [
  ...['file', 'seconds', 'maxRequests', 'maxRate', 'seed', 'json', 'strict', 'iOwnThisHost', 'cacert', 'insecure'],
  ...['sarif', 'junit', 'github', 'html'],
]

/** Says which option of the command line is a field of the file, or returns `undefined`. */
export function misusedBesideFile(program: Command): string | undefined {
  const option = program.options.find((one) => {
    const name = one.attributeName()
    return program.getOptionValueSource(name) === 'cli' && !allowed.includes(name)
  })
  return option && `${option.long} has no effect with --file; write it into the file, or remove it`
}

/** Throws a `JudgeInputError` for wrong use. */
export async function fileCommand(url: string | undefined, options: FileCommandOptions, io: Io): Promise<ExitCode> {
  checkReportFiles(options, io.cwd)
  const named = readLimitsFile(resolve(io.cwd, options.file), options.file, url)
  const { maxRequests, maxRate, seed, iOwnThisHost, insecure } = options
  const caFile = options.cacert === undefined ? undefined : resolve(io.cwd, options.cacert)
  const onProgress = (text: string) => io.err(text)
  const common = { maxRequests, maxRate, seed, iOwnThisHost, caFile, insecure, onProgress }
  const judged: JudgedLimit[] = []
  const deadline = performance.now() + options.seconds * 1000
  await untilInterrupted(async (signal) => {
    for (const [index, { name, gateway, line }] of named.entries()) {
      io.err(`${name}:`)
      const left = (deadline - performance.now()) / 1000 / (named.length - index)
      const judgement = await judge({ ...gateway, ...common, signal, seconds: Math.max(1, Math.floor(left)) }, name)
      judged.push({ name, url: gateway.url, judgement, place: { file: options.file, line } })
      if (options.json !== true) io.out(`${index === 0 ? '' : '\n'}${name}\n${judgement.text}`)
      // The limits that are left would be undecided, each for the same reason.
      if (signal.aborted) break
    }
  })
  if (options.json === true) io.out(JSON.stringify({ limits: judged.map(toWire) }, null, 2))
  writeJudgeReports(judged, options, io)
  return exitCodeOf(
    judged.map(({ judgement }) => judgement),
    options,
  )
}

/** Judges one limit; errors name it. */
async function judge(gateway: GatewayToJudge, name: string): Promise<Judgement> {
  try {
    return await judgeGateway(gateway)
  } catch (cause) {
    throw cause instanceof JudgeInputError ? new JudgeInputError(`${name}: ${cause.message}`) : cause
  }
}

function toWire({ name, judgement: { text: _, ...judgement } }: JudgedLimit): object {
  return { name, ...judgement }
}
