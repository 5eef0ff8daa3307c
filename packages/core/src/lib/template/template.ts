/**
 * Templates in the syntax of Go's text/template, with which definitions transform bodies: parsed when an API is
 * compiled, rendered per request. An interpreter of our own, because existing definitions are written in this
 * language and nothing else reads all of it; bounded in time, memory and stack, because the data is anybody's.
 *
 * What differs from Go: numbers compare whatever their kind, members of nil are nil instead of a fault, functions
 * that want a text take any value as text, lengths and places in texts count bytes as in Go, but a cut never leaves
 * half a character. The functions are listed in `functions/functions.ts`.
 */
import { Budget, defaultLimits, type Limits } from './budget.ts'
import { Evaluator } from './evaluator.ts'
import { templateFunctions } from './functions/functions.ts'
import { parse } from './parser.ts'
import { problemAt, TemplateError, type TemplateProblem } from './template-problem.ts'

export interface RenderOptions {
  readonly limits?: Limits
  /** Changes the template's own text, not what the data brings; for variables. */
  readonly expandText?: (text: string) => string
}

export interface Template {
  readonly problem: undefined
  /** The text, or what went wrong on this data. Never throws. */
  render(
    data: unknown,
    options?: RenderOptions,
  ): { readonly text: string; readonly problem: undefined } | { readonly problem: TemplateProblem }
}

const hasFunction = (name: string) => name === 'and' || name === 'or' || Object.hasOwn(templateFunctions, name)

/** Parses a template; `problem` tells what is wrong with a broken one, and where. */
export function parseTemplate(source: string): Template | { readonly problem: TemplateProblem } {
  try {
    const parsed = parse(source, hasFunction)
    return {
      problem: undefined,
      render(data, { limits = defaultLimits, expandText = same } = {}) {
        try {
          const text = new Evaluator(parsed, templateFunctions, new Budget(limits), expandText).run(data)
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

/** A stack that overflows in spite of all bounds, or a text longer than the runtime allows, is a fault of the data. */
function toProblem(source: string, error: unknown): TemplateProblem {
  if (error instanceof TemplateError) return problemAt(source, error.at ?? 0, error.message)
  if (error instanceof RangeError) return problemAt(source, 0, 'the template needs too much memory')
  throw error
}
