import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { templateFunctions } from './functions/functions.ts'
import { readXml } from './read-xml.ts'
import { parseTemplate } from './template.ts'

const limits = { work: 2 ** 22, output: 2 ** 20, depth: 300 }

const operand = fc.oneof(
  fc.constantFrom('.', '.a', '.l', '$', '$x', '"t"', '3', '-1', '1.5', 'true', '999999999', '"(a+)+$"'),
  fc.string().map((text) => JSON.stringify(text)),
)
const call = fc
  .tuple(fc.constantFrom(...Object.keys(templateFunctions)), fc.array(operand, { maxLength: 4 }))
  .map(([name, args]) => [name, ...args].join(' '))
const pipe = fc.array(fc.oneof(call, operand), { minLength: 1, maxLength: 4 }).map((commands) => commands.join(' | '))

/** Generates templates that mostly parse: nested blocks around pipes of real functions. */
const { template: nested } = fc.letrec((tie) => ({
  template: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 8 }).filter((text) => !text.includes('{')),
    pipe.map((text) => `{{${text}}}`),
    pipe.map((text) => `{{$x = ${text}}}`),
    fc.tuple(pipe, tie('template')).map(([over, body]) => `{{range ${over}}}${String(body)}{{end}}`),
    fc.tuple(pipe, tie('template')).map(([over, body]) => `{{range until 9999}}${String(body)}{{$x = ${over}}}{{end}}`),
    fc
      .tuple(pipe, tie('template'))
      .map(([test, body]) => `{{if ${test}}}${String(body)}{{else}}{{template "t" $x}}{{end}}`),
  ),
}))
const template = nested.map(
  (body) => `{{define "t"}}{{with .a}}{{template "t" $}}{{end}}{{end}}{{$x := list}}${String(body)}`,
)
const data = fc.record({ a: fc.jsonValue(), l: fc.array(fc.jsonValue()) })

describe('with any template and data', () => {
  test.prop([template, data], { numRuns: 400 })('rendering is bounded in time and never throws', (source, given) => {
    const parsed = parseTemplate(source)
    if (parsed.problem !== undefined) return
    const startedAt = performance.now()
    const rendered = parsed.render(given, { limits })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    if (rendered.problem === undefined) expect(rendered.text.length).toBeLessThanOrEqual(limits.output)
  })

  test.prop([
    fc
      .array(
        fc.constantFrom(
          '{{',
          '}}',
          '{{-',
          '-}}',
          ' ',
          '/*',
          '*/',
          'if',
          'range',
          'end',
          'else',
          'define',
          '"',
          '`',
          "'",
          '\\',
          '.',
          '$',
          '|',
          '(',
          ')',
          ':=',
          '=',
          ',',
          'a',
          '1',
          '\n',
        ),
      )
      .map((p) => p.join('')),
  ])('parsing never throws, and reports a position', (source) => {
    const parsed = parseTemplate(source)
    if (parsed.problem === undefined) return
    expect(parsed.problem.line).toBeGreaterThanOrEqual(1)
    expect(parsed.problem.column).toBeGreaterThanOrEqual(1)
  })

  test.prop([fc.string().filter((text) => !text.includes('{{'))])(
    'text without actions is printed unchanged',
    (text) => {
      const parsed = parseTemplate(text)
      expect(parsed.problem).toBeUndefined()
      if (parsed.problem === undefined) expect(parsed.render({})).toMatchObject({ text })
    },
  )

  test.prop([fc.jsonValue()])('jsonMarshal prints JSON that parses to the same value', (value) => {
    const parsed = parseTemplate('{{.v | jsonMarshal}}')
    const rendered = parsed.problem === undefined ? parsed.render({ v: value }) : parsed
    expect(rendered.problem === undefined && 'text' in rendered && JSON.parse(rendered.text)).toEqual(
      JSON.parse(JSON.stringify(value)),
    )
  })

  test.prop([
    fc.string({ unit: fc.constantFrom('<', '>', '/', 'a', ' ', '"', '=', '&', ';', '!', '-', '[', ']', '?') }),
  ])('reading XML never throws', (source) => {
    readXml(source)
  })
})
