/**
 * Templates in the syntax of Go's text/template, with which definitions transform bodies. They are parsed when an API
 * is compiled and rendered per request. Existing definitions are written in this language and no library supports all
 * of it, so this is our own interpreter. Time, memory and stack are bounded, because the data comes from clients.
 *
 * Differences from Go: numbers of different kinds can be compared, members of nil are nil instead of an error, and
 * functions that expect a text accept any value as text. Lengths and indexes of texts count bytes as in Go, but a slice
 * never splits a character. The functions are listed in `functions/functions.ts`, those that
 * templates cannot use in `functions/excluded.ts`.
 */
import { Budget, defaultLimits, type Limits } from './budget.ts'
import { Evaluator } from './evaluator.ts'
import { excludedFunctions } from './functions/excluded.ts'
import { templateFunctions } from './functions/functions.ts'
import { parse } from './parser.ts'
import { noSources, type Sources } from './sources.ts'
import { problemAt, TemplateError, type TemplateProblem } from './template-problem.ts'

export interface RenderOptions {
  readonly limits?: Limits
  /** Transforms the template's literal text, not the data; used for variables. */
  readonly expandText?: (text: string) => string
  /** Printed where there is no value. Default: `<no value>`. */
  readonly noValue?: string
  /** Time and randomness. Default: templates that need them fail. */
  readonly sources?: Sources
}

export interface Template {
  readonly problem: undefined
  /** Returns the text, or the error that this data caused. Never throws. */
  render(
    data: unknown,
    options?: RenderOptions,
  ): { readonly text: string; readonly problem: undefined } | { readonly problem: TemplateProblem }
}

/** Why a template cannot use a function; `undefined`: it can. */
function functionProblem(name: string): string | undefined {
  if (name === 'and' || name === 'or' || Object.hasOwn(templateFunctions, name)) return undefined
  const reason = Object.hasOwn(excludedFunctions, name) ? excludedFunctions[name] : undefined
  return reason === undefined ? `function "${name}" not defined` : `function "${name}" is not available: ${reason}`
}

/** Parses a template; if it is invalid, `problem` says why and where. */
export function parseTemplate(source: string): Template | { readonly problem: TemplateProblem } {
  try {
    const parsed = parse(source, functionProblem)
    return {
      problem: undefined,
      render(data, { limits = defaultLimits, expandText = same, noValue = '<no value>', sources = noSources } = {}) {
        try {
          const output = { expandText, noValue, sources }
          const text = new Evaluator(parsed, templateFunctions, new Budget(limits), output).run(data)
          return { text, problem: undefined }
        } catch (error) {
          return { problem: toProblem(source, error) }
        }
      },
    }
  } catch (error) {
    return { problem: toProblem(source, error) }
  }
}

const same = (text: string) => text

/** A stack overflow despite all limits, or a text longer than the runtime allows, is an error caused by the data. */
function toProblem(source: string, error: unknown): TemplateProblem {
  if (error instanceof TemplateError) return problemAt(source, error.at ?? 0, error.message)
  if (error instanceof RangeError) return problemAt(source, 0, 'the template needs too much memory')
  throw error
}
