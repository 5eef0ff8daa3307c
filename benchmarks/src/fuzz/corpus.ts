/** Realistic documents for mutations: the definitions and request bodies of the recorded suites. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Corpus {
  /** Classic definitions. */
  readonly definitions: readonly Record<string, unknown>[]
  /** Bodies of management calls, with the path of the call. */
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body: unknown }[]
}

interface Suite {
  readonly apis?: readonly Record<string, unknown>[]
  readonly cases: readonly { readonly steps: readonly { readonly call?: Partial<Corpus['calls'][number]> }[] }[]
}

const folder = new URL('../../../fixtures/conformance/', import.meta.url)

export function readCorpus(): Corpus {
  const definitions: Record<string, unknown>[] = []
  const calls: { method: string; path: string; body: unknown }[] = []
  for (const file of readdirSync(folder).toSorted()) {
    // Targets lead nowhere: the fuzzer sends nothing to other hosts.
    const text = readFileSync(new URL(file, folder), 'utf8').replaceAll('{{upstream}}', 'http://127.0.0.1:1')
    const suite = JSON.parse(text) as Suite
    definitions.push(...(suite.apis ?? []))
    for (const { steps } of suite.cases) {
      for (const { call } of steps) {
        if (call?.body === undefined || call.path === undefined || !call.path.startsWith('/svc/')) continue
        calls.push({ method: call.method ?? 'POST', path: call.path, body: call.body })
      }
    }
  }
  return { definitions, calls }
}
