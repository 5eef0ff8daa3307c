/** The command line of the benchmarks, for `scripts/bench.mjs`, which builds first, and for `benchmarks/dist/main.js`. */
import { readCommandLine } from '../command-line.mjs'

/** Values of --only, in the order of a run, with their descriptions. */
export const parts = {
  'in-process': 'decisions, stages, batches and reloads without a socket (µs of CPU, ms)',
  scripts: 'a scripted endpoint: CPU of the main thread (µs)',
  sim: 'virtual time: a million requests, a simulated cluster (s)',
  start: 'from process start to the first proxied response (ms), and memory (MiB)',
  loopback: 'a request beside nginx on the same upstream (µs of CPU)',
  http: 'TLS, bodies, HTTP/2, WebSockets, idle connections beside nginx, HAProxy and a bare server (µs of CPU)',
  references: 'other proxies beside nginx (µs of CPU)',
  'side-by-side': 'the gateway and installed proxies, with and without key and rate limit (µs of CPU, ms, MiB)',
  latency: 'latency at a constant rate (ms)',
  variants: 'front ends, workers and bodies beside nginx (µs of CPU)',
  workers: 'two workers on the embedded store, beside one worker',
  clients: 'our upstream client and undici (µs of CPU)',
  telemetry: 'the cost of OpenTelemetry: off, sampled, with metrics (µs of CPU)',
  batch: 'batches beside single requests (ms of CPU)',
  'batch-latency': 'batches by number of items and latency of the upstream, beside the theoretical limit (ms)',
  growth: 'the cost of a request with more APIs and more keys (µs of CPU)',
  'before-after': 'this gateway and a built checkout of an earlier commit; needs --before (µs of CPU, ms, MiB)',
  reload: 'reloads under load: failed requests, stalls of the event loop (ms)',
  hostile: 'input that is made to block the event loop: the longest stall (ms)',
}
const width = Math.max(...Object.keys(parts).map((name) => name.length))

export const commandLine = {
  usage: `
Usage: npm run bench [-- OPTIONS]

Builds, measures, prints a table, and writes it as JSON to benchmarks/results/. Everything takes about an hour and a half.
Parts over loopback need nginx and wrk.

  --quick               three short rounds, without the million keys
  --rounds NUMBER       rounds of parts that compare processes, of full length; default 7, with --quick 3
  --only PART[,PART …]  only these parts
  --scenario TEXT       only loopback scenarios, proxies side by side and hostile cases whose name contains TEXT, such
                        as "redis", and no other part
  --budgets             only rows with a budget; exits with 1 if one is missed
  --other "CMD"         another gateway to compare; {port} and {upstream} are replaced
  --before FOLDER       a built checkout of an earlier commit, for the part before-after
  --json FILE           write the result here instead
  --html FILE           write a page with charts
  --compare FILE        a verdict with a 95 % interval for each row, against an earlier result (its JSON file); exits
                        with 1 if one is slower
  --tolerance PERCENT   changes up to this do not count; default 5
  --help                print this help

Parts, with the unit of their rows:
${Object.entries(parts)
  .map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
  .join('\n')}

Exit codes: 0 fine, 1 a budget was missed, a row is slower or something failed, 2 wrong use.`,
  options: {
    quick: { type: 'boolean' },
    rounds: { type: 'string', least: 1 },
    budgets: { type: 'boolean' },
    json: { type: 'string' },
    html: { type: 'string' },
    compare: { type: 'string' },
    tolerance: { type: 'string', least: 0 },
    only: { type: 'string', choices: Object.keys(parts), several: true },
    other: { type: 'string' },
    before: { type: 'string' },
    scenario: { type: 'string' },
  },
}

/** Returns the options. Exits after --help and after wrong use. */
export const readBenchOptions = () => readCommandLine(commandLine).values
